// SPDX-License-Identifier: MIT
// A kernel can neither ask whether check mode compiles it nor leave itself out, in whatever way it spells the question.
#include "check/support.hpp"

using namespace support;

namespace {

/// What a kernel with this text before it stores, outside of a check and inside: `asked` is an expression.
std::pair<int, int> stored(const std::string& before, const std::string& asked) {
    const gpu::RawKernel<void(int*)> kernel(
        cu(before + "\n__global__ void k(int* y) {\n    y[0] = " + asked + ";\n}\n"), "k");
    const auto run = [&] {
        auto y = gpu::zeros<int>({1});
        kernel({.grid = 1, .block = 1}, y);
        return y;
    };
    const int usual = gpu::to_host(run())[0];
    int checked = -1;
    (void)gpu::check([&] { checked = gpu::to_host(run())[0]; });
    return {usual, checked};
}

/// What is said of this text, in check mode or outside.
std::string refused(const std::string& text, bool checked) {
    const gpu::RawKernel<void(int*)> kernel(cu(text), "k");
    auto y = gpu::zeros<int>({1});
    return error_of<gpu::CompileError>([&] {
        if (checked) (void)gpu::check([&] { kernel({.grid = 1, .block = 1}, y); });
        else kernel({.grid = 1, .block = 1}, y), gpu::synchronize();
    });
}

const std::string store = " void k(int* y) { y[0] = 1; }\n";

}  // namespace

TEST_CASE("macros that tell of a sanitizer or of check mode aren't there") {
    for (const char* const name : {"__SANITIZE_THREAD__", "__SANITIZE_ADDRESS__", "__has_feature", "__has_extension"}) {
        CAPTURE(name);
        const std::string asked = std::string("#ifdef ") + name + "\n#define ASKED 1\n#else\n#define ASKED 0\n#endif";
        CHECK(stored(asked, "ASKED") == std::pair(0, 0));
    }
    CHECK(stored("#if __SANITIZE_THREAD__\n#define ASKED 1\n#else\n#define ASKED 0\n#endif", "ASKED") ==
          std::pair(0, 0));
    for (const bool checked : {false, true}) {
        CAPTURE(checked);
        const std::string told = refused("#ifdef GPU_CHECKED\n#endif\n__global__" + store, checked);
        CHECK(contains(told, "test.cu:1"));
        CHECK(contains(told, "can't be used in a kernel"));
    }
}

TEST_CASE("a function that asks to be left out is refused, with its line, in check mode and outside") {
    const std::pair<std::string, std::string> texts[] = {
        {"attribute", "__device__ __attribute__((no_sanitize(\"thread\"))) void f() {}\n__global__" + store},
        {"of C++", "[[gnu::no_sanitize_thread]] __device__ void f() {}\n__global__" + store},
        {"underscores", "__device__ __attribute__((__no_sanitize_thread__)) void f() {}\n__global__" + store},
        {"entry and exit", "__device__ __attribute__((no_instrument_function)) void f() {}\n__global__" + store},
        {"clang's", "__device__ __attribute__((disable_sanitizer_instrumentation)) void f() {}\n__global__" + store},
        {"a header of ours", "#if __has_include(\"libgpu/check.hpp\")\n#endif\n__global__" + store},
        {"the run-time's own macro", "__device__ GPU_UNCHECKED void f() {}\n__global__" + store},
    };
    for (const auto& [name, text] : texts) {
        for (const bool checked : {false, true}) {
            CAPTURE(name);
            CAPTURE(checked);
            const std::string told = refused(text, checked);
            CAPTURE(told);
            CHECK(contains(told, "can't be used in a kernel"));
            CHECK(contains(told, "test.cu:1"));
        }
    }
}

TEST_CASE("what macros paste together is refused as well") {
    const std::pair<std::string, std::string> texts[] = {
        {"pasted",
         "#define J(a, b) a##b\n__device__ __attribute__((J(no_sani, tize_thread))) void f() {}\n__global__" + store},
        {"pasted with a digraph",
         "#define J(a, b) a%:%:b\n__device__ __attribute__((J(no_sanit, ize)(\"thread\"))) void f() {}\n__global__" +
             store},
        {"an inserted line end", "__device__ __attribute__((no_sani\\\ntize_thread)) void f() {}\n__global__" + store},
        {"pasted asm", "#define J(a, b) a##b\n__device__ void f() { J(as, m)(\"nop\"); }\n__global__" + store},
        {"what moves words unseen",
         "#include <curand_kernel.h>\n#define J(a, b) a##b\n__device__ void f(unsigned* y) { "
         "J(gpu_skip_, xorwow)(y, 1, false); }\n__global__" +
             store},
        {"the heap's own functions",
         "#define J(a, b) a##b\n__device__ void* f() { return J(gpu_heap_, allocate)(8); }\n__device__ int* g() { "
         "return new int; }\n__global__" +
             store},
        {"where texels are",
         "#define J(a, b) a##b\n__device__ void f(cudaTextureObject_t) { J(gpu_find_, texels)(0, 0); }\n__global__" +
             store},
        {"the checker's table",
         "#define J(a, b) a##b\n__device__ void* f() { return &J(gpu_che, cks); }\n__global__" + store},
    };
    for (const auto& [name, text] : texts) {
        for (const bool checked : {false, true}) {
            CAPTURE(name);
            CAPTURE(checked);
            const std::string told = refused(text, checked);
            CAPTURE(told);
            CHECK(contains(told, "can't be used in a kernel"));
            CHECK(contains(told, "test.cu:"));
        }
    }
}

TEST_CASE("the host compiler's own atomics are refused: nobody would count them, and CUDA's compiler has none") {
    const std::pair<std::string, std::string> texts[] = {
        {"plain", "void k(int* y) { __atomic_fetch_add(y, 1, __ATOMIC_RELAXED); }\n"},
        {"older", "void k(int* y) { __sync_fetch_and_add(y, 1); }\n"},
        {"with a size", "void k(int* y) { __sync_fetch_and_add_4(y, 1); }\n"},
        {"in place of CUDA's",
         "void k(int* y) {\n#define atomicAdd(p, v) __sync_add_and_fetch(p, v)\natomicAdd(y, 1); }\n"},
        {"pasted", "void k(int* y) {\n#define J(a, b) a##b\nJ(__atomic_fe, tch_add)(y, 1, 0); }\n"},
        {"pasted with a size", "void k(int* y) {\n#define J(a, b) a##b\nJ(__atomic_fe, tch_add_4)(y, 1, 0); }\n"},
    };
    for (const auto& [name, text] : texts) {
        for (const bool checked : {false, true}) {
            CAPTURE(name);
            CAPTURE(checked);
            const std::string told = refused("__global__ " + text, checked);
            CAPTURE(told);
            const bool by_name = contains(told, "use atomicAdd() and its kin");
            CHECK((by_name || contains(told, "can't be used in a kernel")));
            CHECK(contains(told, "test.cu:"));
        }
    }
}

TEST_CASE("functions of the system's library are refused: a GPU has none, and nobody would see what they touch") {
    const std::string search = "extern \"C\" __device__ void swab(const void*, void*, long);\n"
                               "__global__ void k(int* y) { swab(y, y, 4); }\n";
    const std::string copy = "extern \"C\" __device__ void* mempcpy(void*, const void*, unsigned long);\n"
                             "__global__ void k(int* y) { mempcpy(y, y + 1, 4); }\n";
    for (const bool checked : {false, true}) {
        CAPTURE(checked);
        CHECK(contains(refused(search, checked), "`swab` can't be used in a kernel"));
    }
    const gpu::RawKernel<void(int*)> kernel(cu(copy), "k");
    auto y = gpu::zeros<int>({2});
    try {   // clang makes a copy of its own of this one, which check mode sees
        const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 1, .block = 1}, y); });
        REQUIRE(report.kernels.size() == 1);
        CHECK(report.kernels[0].work.global_writes == 1);
    } catch (const gpu::CompileError& error) {
        CHECK(contains(error.what(), "`mempcpy` can't be used in a kernel"));
    }
}

TEST_CASE("code that runs when a kernel is loaded or goes is refused: check mode sees none of it") {
    for (const char* const head :
         {"__device__ float seen;\n__attribute__((constructor)) __device__ static void f() { seen = threadIdx.x; }\n",
          "__device__ float seen;\n__attribute__((destructor)) __device__ static void f() { seen = threadIdx.x; }\n",
          "__device__ static float f() { return threadIdx.x; }\n__device__ float seen = f();\n",
          "typedef float (*one)(float);\n__device__ static float twice(float x) { return 2 * x; }\n"
          "extern \"C\" { __device__ one choose() { return twice; } }\n"
          "__attribute__((ifunc(\"choose\"))) __device__ float chosen(float);\n__device__ float seen;\n"}) {
        const std::string text = head + std::string("__global__ void k(int* y) { y[0] = static_cast<int>(seen); }");
        const std::string told = refused(text, true);
        CAPTURE(text);
        CAPTURE(told);
        CHECK(contains(told, "`constructor` can't be used in a kernel"));
    }
}

TEST_CASE("instructions of a CPU are refused where macros paste their names") {
#if defined(__aarch64__)
    const std::string text = "#define J(a, b) a##b\n"
                             "__global__ void k(int* y) { y[0] = J(__builtin_aarch, 64_get_fpcr)(); }\n";
    const std::string name = "__builtin_aarch64_get_fpcr";
#else
    const std::string text = "#define J(a, b) a##b\n"
                             "__global__ void k(int* y) { J(__builtin_ia3, 2_movnti)(y, 1); }\n";
    const std::string name = "__builtin_ia32_movnti";
#endif
    for (const bool checked : {false, true}) {
        CAPTURE(checked);
        CHECK(contains(refused(text, checked), "`" + name + "` can't be used in a kernel"));
    }
    CHECK(stored("#define J(a, b) a##b", "J(blockI, dx).x + 7") == std::pair(7, 7));   // pasting alone is no harm
}

TEST_CASE("what the compiler has instructions for is seen: copies by its own functions, second results") {
    const std::pair<std::string, int> texts[] = {
        {"__builtin_memcpy(y, y + 64, 64)", 32}, {"__builtin_memmove(y, y + 64, 64)", 32},
        {"__builtin_memset(y, 0, 64)", 32},      {"frexpf(8.0f, y)", 32},
        {"modff(2.5f, (float*)y)", 32},          {"remquof(7.0f, 2.0f, y)", 32},
        {"frexp(8.0, y)", 32},                   {"modf(2.5, (double*)y)", 32},
        {"remquo(7.0, 2.0, y)", 32}};
    for (const auto& [call, threads] : texts) {
        CAPTURE(call);
        const gpu::RawKernel<void(int*)> kernel(
            cu("__global__ void k(int* y) { if (threadIdx.x == 0) y[0] = 1; " + call + "; }\n"), "k");
        auto y = gpu::zeros<int>({128});
        const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 1, .block = threads}, y); });
        REQUIRE(report.kernels.size() == 1);
        CHECK(report.kernels[0].work.global_writes > 1);
        auto little = gpu::zeros<int>({1});
        const bool fits = call.find("mem") == std::string::npos && call.find("modf(") == std::string::npos;
        CHECK(gpu::check([&] { kernel({.grid = 1, .block = 1}, little); }).clean() == fits);
    }
}

TEST_CASE("CUDA's atomics work on all types, also where their headers come after the words are sealed") {
    const gpu::RawKernel<void(int*)> kernel(cu(R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(int* y) {
    __shared__ __half h;
    __shared__ __nv_bfloat16 b;
    __shared__ double d;
    if (threadIdx.x == 0) { h = __float2half(0); b = __float2bfloat16(0); d = 0; }
    __syncthreads();
    atomicAdd(&h, __float2half(1));
    atomicAdd(&b, __float2bfloat16(1));
    atomicAdd(&d, 1.0);
    __syncthreads();
    if (threadIdx.x == 0) y[0] = (int)(__half2float(h) + __bfloat162float(b) + d);
}
)"),
                                            "k");
    auto y = gpu::zeros<int>({1});
    kernel({.grid = 1, .block = 32}, y);
    CHECK(gpu::to_host(y)[0] == 96);
    CHECK(gpu::check([&] { kernel({.grid = 1, .block = 32}, y); }).clean());
    CHECK(gpu::to_host(y)[0] == 96);
}

TEST_CASE("an option that defines a word for it doesn't help, nor does a generated kernel's text") {
    const gpu::RawKernel<void(int*)> kernel(cu("__device__ __attribute__((LEFT_OUT)) void f() {}\n__global__" + store),
                                            "k", {.options = {"-DLEFT_OUT=no_sanitize_thread"}});
    auto y = gpu::zeros<int>({1});
    CHECK(contains(error_of<gpu::CompileError>([&] { kernel({.grid = 1, .block = 1}, y), gpu::synchronize(); }),
                   "poisoned"));
    const gpu::ElementwiseKernel twice("int x", "int z", "z = 2 * x", "twice",
                                       {.preamble = "__device__ __attribute__((no_sanitize_thread)) void f() {}"});
    CHECK(contains(error_of<gpu::CompileError>([&] { (void)twice(y); }), "can't be used in a kernel"));
}

TEST_CASE("cooperative groups are compiled before the words are sealed") {
    const gpu::RawKernel<void(int*)> kernel(cu(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
__global__ void k(int* y) {
    const auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
    const int from = tile.shfl((int)threadIdx.x, 63);
    if (threadIdx.x == 0) y[0] = from;
}
)"),
                                            "k");
    auto y = gpu::zeros<int>({1});
    CHECK(gpu::check([&] { kernel({.grid = 1, .block = 64}, y); }).clean());
    CHECK(gpu::to_host(y)[0] == 63);
}

TEST_CASE("while new checks are refused, a check says the same inside another check and outside") {
    const auto asked = [] {
        const gpu::detail::NoNewChecks none;
        return error_of([] { (void)gpu::check([] {}); });
    };
    const std::string outside = asked();
    CHECK(contains(outside, "called by a program that checks it itself"));
    std::string inside;
    (void)gpu::check([&] { inside = asked(); });
    CHECK(inside == outside);
    CHECK(gpu::check([] {}).clean());   // and afterwards they begin again
}
