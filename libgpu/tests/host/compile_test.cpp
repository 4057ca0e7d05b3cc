// SPDX-License-Identifier: MIT
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "host/base/process.hpp"
#include "host/compile/compiler.hpp"
#include "host/support.hpp"

using namespace support;
using gpu::detail::KernelSource;
using gpu::detail::host::Compiler;
using gpu::detail::host::TemporaryDirectory;

namespace {

const char* const add = R"(__global__ void add(const float* x, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i];
}
)";

// A program that stands in for a compiler: it answers -### as a compiler does, and then does as `script` says.
std::string stand_in(const TemporaryDirectory& directory, const std::string& script) {
    const std::string path = directory.path() + "/compiler";
    gpu::detail::host::write_file(
        path, "#!/bin/sh\nif [ \"$1\" = \"-###\" ]; then echo \"gcc version 0\"; exit 0; fi\n" + script + "\n");
    ::chmod(path.c_str(), 0700);
    return path;
}

std::string compile_error(Backend& where) {
    return error_of([&] { (void)where.compile(0, where.generate(raw_text("add", add))); });
}

std::size_t entries(const std::string& directory) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory)) ++count;
    return count;
}

}  // namespace

TEST_CASE("compile errors stand at the learner's own file, line and column") {
    const std::string source = "__global__ void k(float* x) {\n    int i = threadIdx.x;\n    x[i] = y[i] + 1;\n}\n";
    CHECK(contains(compile_log(raw_text("k", source, "", "lesson/k.cu")), "lesson/k.cu:3:12: error: "));
    CHECK(contains(compile_log(raw_text("k", source, "", "main.cpp", 41)), "main.cpp:43:12: error: "));
    CHECK(contains(compile_log(raw_text("k", "__global__ void k(float* x) { threadIdx.x = 3; }\n", "", "k.cu")),
                   "k.cu:1:43: error: "));
    // A declaration of dynamic shared memory keeps the columns of its line.
    const std::string dynamic =
        "__global__ void k(float* x) {\n    extern __shared__ float s[]; s[0] = nothing;\n __syncthreads(); }\n";
    CHECK(contains(compile_log(raw_text("k", dynamic, "", "k.cu")), "k.cu:2:"));
    // A missing brace shows behind the text, in ours.
    CHECK(contains(compile_log(raw_text("k", "__global__ void k(float* x) {\n", "", "k.cu")), "error: "));
}

TEST_CASE("an elementwise body's errors stand in the body") {
    const gpu::detail::ElementwiseText text{.name = "scale",
                                            .parameters = {input("float", "x"), output("float", "z")},
                                            .rank = 1,
                                            .typedefs = "",
                                            .preamble = {},
                                            .body = {"float f = 2;\nz = f * q", "scale.cpp", 17}};
    const auto source = backend().generate(text);
    std::string log;
    try {
        (void)backend().compile(0, source);
    } catch (const gpu::detail::CompileFailure& failure) {
        log = failure.log;
    }
    CHECK(contains(log, "scale.cpp:18:9: error: "));
}

TEST_CASE("a signature that isn't the kernel's is marked as such") {
    const std::string log = compile_log(raw_text("add", add, "(const float*, double*, int)"));
    CHECK(contains(log, "libgpu:signature:1:"));
    CHECK(contains(compile_log(raw_text("ad", add, "(const float*, float*, int)")), "libgpu:signature:1:"));
    CHECK(contains(compile_log(raw_text("ad", add)), "libgpu:entry:1:"));
    CHECK(compile_log(raw_text("add", add, "(const float*, float*, int)")) == "it compiled");
}

TEST_CASE("includes, PTX, textures and launches inside kernels are refused by name") {
    const auto log = [](const std::string& text) { return compile_log(raw_text("k", text, "", "raw_add.cu", 3)); };
    const std::string end =
        ": kernels have no headers but cuda_fp16.h, cuda_bf16.h, cooperative_groups.h, cuda_pipeline.h, "
        "curand_kernel.h, cuComplex.h, cupy/complex.cuh, math_constants.h, "
        "cuda/atomic, cuda/barrier, cuda/pipeline and cuda/std; "
        "math functions are already there\n";
    CHECK(log("#include <vector>\n__global__ void k() {}") == "raw_add.cu:3:10: error: #include <vector>" + end);
    const EnvironmentGuard folders("CPLUS_INCLUDE_PATH", "/usr/include/c++/12:/usr/include/c++/13:/usr/include/c++/14");
    CHECK(log("#include <vector>\n__global__ void k() {}") == "raw_add.cu:3:10: error: #include <vector>" + end);
    CHECK(log("\n  #  include \"mine.h\" // really\n") == "raw_add.cu:4:14: error: #include \"mine.h\"" + end);
    CHECK(log("#ifndef __CUDACC_RTC__\n#include <cstdio>\n#endif\n__global__ void k() {}") == "it compiled");
    CHECK(contains(log("__global__ void k() { asm volatile(\"mov\"); }"),
                   "raw_add.cu:3:23: error: asm: inline PTX can't run"));
    CHECK(contains(log("texture<float, 2> t;\n__global__ void k() { tex2D(t, 0, 0); }"),
                   "raw_add.cu:3:1: error: texture: CUDA has no texture references any more; take a parameter of type "
                   "cudaTextureObject_t"));
    CHECK(contains(log("__global__ void k() { k<<<1, 2>>>(); }"),
                   "raw_add.cu:3:24: error: <<<...>>>: a kernel can't launch"));
    CHECK(compile_log(raw_text("k",
                               "// #include <cmath>, asm(\"x\")\n__global__ void k(float* free) { const char* s = "
                               "\"<<<\"; *free = s[0]; }\n")) == "it compiled");
}

TEST_CASE("options are translated, and unknown ones refused") {
    auto text = raw_text("k", "__global__ void k(int* x) { x[0] = N; }\n");
    text.options = {"-DN=17", "--std=c++17", "--gpu-architecture=sm_90"};
    const Buffer<int> x(1);
    launch(*build(text), shape(1, 1), x.data());
    CHECK(x[0] == 17);
    text.options = {"-rdc=true"};
    CHECK(compile_log(text) == "error: the option \"-rdc=true\" is not known to the host backend\n");
}

TEST_CASE("a refused kernel tells all options that the compiler was given") {
    const auto options_of = [](const char* source, const std::vector<std::string>& options) {
        auto text = raw_text("k", source);
        text.options = options;
        try {
            (void)backend().compile(0, backend().generate(text));
        } catch (const gpu::detail::CompileFailure& failure) {
            return ' ' + failure.options_text() + ' ';
        }
        return std::string("it compiled");
    };
    for (const char* const source : {"__global__ void k(int* x) { x[0] = M; }\n",   // by the compiler
                                     "__global__ void k() { asm(\"mov\"); }\n"}) {  // by libgpu
        const std::string told = options_of(source, {"-DN=17", "--use_fast_math", "-UM", "-std=c++20"});
        CAPTURE(told);
        for (const char* const one : {" -O3 ", " -march=", " -std=c++17 ", " -std=c++20 ", " -ffast-math ",
                                      " -DN=17 ", " -UM ", " -nostdlib ", " -lm "})
            CHECK_MESSAGE(contains(told, one), one);
        CHECK(told.find("-std=c++17") < told.find("-std=c++20"));
        CHECK_FALSE(contains(told, "/tmp"));
    }
    CHECK(contains(options_of("__global__ void k() { __syncthreads(); y; }\n", {}), " -O2 "));
    CHECK(options_of("__global__ void k() {}\n", {"-DN", "-rdc=true"}) == " -DN -rdc=true ");
}

TEST_CASE("a function that is declared but nowhere defined is a compile error") {
    CHECK(contains(
        compile_log(raw_text("k", "__device__ float far(float);\n__global__ void k(float* x) { x[0] = far(1); }\n")),
        "undefined reference to `far(float)'"));
}

TEST_CASE("without a compiler the error lists what was tried and what to install") {
    const EnvironmentGuard guard("LIBGPU_HOST_CXX", "/nonexistent");
    const auto where = backend_with(1);
    const std::string expected =
        "the host backend needs a C++ compiler to build kernels, and found none (tried /nonexistent, which "
        "LIBGPU_HOST_CXX "
        "names); install one (apt install g++) or set LIBGPU_HOST_CXX to its path";
    CHECK_THROWS_AS((void)where->compiler_identity(0), gpu::LibraryNotFound);
    CHECK(error_of([&] { (void)where->compiler_identity(0); }) == expected);
    CHECK(compile_error(*where) == expected);
}

TEST_CASE("a compiler that crashes, fails silently or can't run is a clear error") {
    const TemporaryDirectory directory;
    const auto with = [&](const std::string& script) {
        const std::string path = stand_in(directory, script);
        const EnvironmentGuard guard("LIBGPU_HOST_CXX", path.c_str());
        return compile_error(*backend_with(1));
    };
    const std::string who = "the C++ compiler " + directory.path() + "/compiler";
    CHECK(with("kill -SEGV $$") == who + " crashed on kernel add (Segmentation fault)");
    CHECK(with("echo k.cpp: internal compiler error: Killed; exit 4") ==
          who + " crashed on kernel add; it said: k.cpp: internal compiler error: Killed\n");
    CHECK(with("echo what; exit 3") == who + " failed on kernel add with status 3; it said: what\n");
}

TEST_CASE("a compiler that hangs is stopped after a limit that can be set") {
    const TemporaryDirectory directory;
    const std::string path = stand_in(directory, "sleep 100 & sleep 100");
    const EnvironmentGuard compiler("LIBGPU_HOST_CXX", path.c_str()), limit("LIBGPU_HOST_COMPILE_LIMIT", "0.25");
    CHECK(compile_error(*backend_with(1)) == "the C++ compiler " + path +
                                                 " did not finish kernel add within 250 ms and was stopped "
                                                 "(LIBGPU_HOST_COMPILE_LIMIT sets another limit, in seconds)");
}

TEST_CASE("a program that hangs is stopped with all that it started") {
    using gpu::detail::host::ProcessResult;
    const auto hung =
        gpu::detail::host::run_process({"/bin/sh", "-c", "sleep 100 & sleep 100"}, {}, std::chrono::milliseconds(200));
    CHECK(hung.end == ProcessResult::End::timed_out);
    const auto missing = gpu::detail::host::run_process({"/nonexistent/program"}, {}, std::chrono::seconds(5));
    CHECK(missing.end == ProcessResult::End::not_started);
    CHECK(missing.code == ENOENT);
}

TEST_CASE("the compiler's identity names what a compiled kernel depends on") {
    const std::string identity = backend().compiler_identity(0);
    for (const char* const part : {"host ", "version", "-march=", "-O", "-fno-trapping-math"})
        CHECK_MESSAGE(contains(identity, part), identity);
    CHECK(identity == backend_with(1)->compiler_identity(0));
}

TEST_CASE("kernels for portable CPUs have a key of their own, in which nothing of this CPU stands") {
    const auto identity_for = [](const char* cpus) {   // an image has a choice of its own
        const EnvironmentGuard guard("LIBGPU_HOST_ARCH", cpus);
        return Compiler().identity();
    };
    const std::string own = identity_for("native"), portable = identity_for("portable");
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") == 0) {
        CHECK(portable == own);
        return;
    }
    CHECK(contains(portable, "-march=x86-64-v3"));
#elif defined(__aarch64__)
    CHECK(contains(portable, "-march=armv8-a"));
#endif
    CHECK(portable != own);
    for (const char* const part : {"native", "cache-size", "-mtune=zn", "-mtune=sapphire"})
        CHECK_FALSE_MESSAGE(contains(portable, part), portable);
}

TEST_CASE("kernels run as they are compiled for the CPUs that LIBGPU_HOST_ARCH names, and a wrong name is reported") {
    const KernelSource source = backend().generate(raw_text("add", add));
    {
        const EnvironmentGuard guard("LIBGPU_HOST_ARCH", "portable");
        CHECK(Compiler().compile(source).substr(0, 4) == "\177ELF");
    }
    const EnvironmentGuard guard("LIBGPU_HOST_ARCH", "pentium-9");
    std::string message;
    try {
        const Compiler compiler;
    } catch (const gpu::Error& error) {
        message = error.what();
    }
    CHECK_MESSAGE(contains(message, " does not compile for LIBGPU_HOST_ARCH=pentium-9; write native, portable, or"),
                  message);
}

TEST_CASE("nothing is left in the temporary directory, whether a kernel compiles or not") {
    const TemporaryDirectory directory;
    const EnvironmentGuard guard("TMPDIR", directory.path().c_str());
    (void)build_raw("add", add);
    (void)compile_log(raw_text("add", "nonsense"));
    CHECK(entries(directory.path()) == 0);
}

TEST_CASE("a full disk and a directory that can't be written are clear errors") {
    const TemporaryDirectory directory;
    {
        const std::string nowhere = directory.path() + "/missing";
        const EnvironmentGuard guard("TMPDIR", nowhere.c_str());
        CHECK(contains(compile_error(backend()), "could not make a temporary directory " + nowhere));
    }
    if (::mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=16k") != 0) {
        std::puts("SKIP: a full disk: mounting a small tmpfs needs root");
        return;
    }
    std::string message;
    {
        const EnvironmentGuard guard("TMPDIR", directory.path().c_str());
        message = compile_error(backend());
    }
    ::umount(directory.path().c_str());
    CHECK_MESSAGE(
        (contains(message, "could not write " + directory.path()) && contains(message, ": No space left on device")),
        message);
}

TEST_CASE("a damaged image is an error and never runs") {
    const auto source = backend().generate(raw_text("add", add));
    auto image = backend().compile(0, source);
    const auto refused = [&](const gpu::detail::Image& damaged) {
        return error_of([&] { (void)backend().load(0, damaged, source); });
    };
    auto cut = image;
    cut.bytes.resize(cut.bytes.size() / 2);
    CHECK(refused(cut) == "the compiled image of kernel add is damaged or was not made by libgpu's host backend");
    auto flipped = image;
    flipped.bytes[flipped.bytes.size() / 3] ^= std::byte{1};
    CHECK(refused(flipped) == "the compiled image of kernel add is damaged: its checksum differs");
    CHECK(refused({.bytes = {}, .entries = {}}) == "the compiled image of kernel add is damaged: it is too short");
    CHECK(refused(image) == "no error");
}

TEST_CASE("kernels that clang++ compiles behave the same") {
    const EnvironmentGuard guard("LIBGPU_HOST_CXX", "clang++");
    const auto where = backend_with(2);
    try {
        (void)where->compiler_identity(0);
    } catch (const gpu::LibraryNotFound&) {
        std::puts("SKIP: kernels that clang++ compiles: clang++ is not installed");
        return;
    }
    const auto loop = build_raw("add", add, *where);
    const auto fiber = build_raw("sum", R"(__global__ void sum(const float* x, float* out, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int w = blockDim.x / 2; w >= 32; w /= 2) { if (t < w) s[t] += s[t + w]; __syncthreads(); }
    float v = s[t % 32];
    for (int w = 16; w > 0; w /= 2) v += __shfl_down_sync(0xffffffff, v, w);
    if (t == 0) atomicAdd(out, v);
})",
                                 *where);
    const Buffer<float> x(1000, 1.0f, *where), z(1000, 0.0f, *where), sum(1, 0.0f, *where);
    launch_on(*where, *loop, shape(4, 256), static_cast<const float*>(x.data()), z.data(), 1000);
    launch_on(*where, *fiber, shape(4, 256, 1024), static_cast<const float*>(z.data()), sum.data(), 1000);
    CHECK(sum[0] == 1000.0f);
    CHECK(contains(launch_error([&] {
                       launch_on(*where, *loop, shape(4, 256), static_cast<const float*>(x.data()), z.data(), 1001);
                   }),
                   "block (3,0,0) thread (232,0,0) reads just past the end of x"));
    CHECK(contains(compile_log(raw_text("k", "__global__ void k() { y = 1; }\n", "", "k.cu"), *where),
                   "k.cu:1:23: error: "));
    CHECK(contains(compile_log(raw_text("add", add, "(const float*, double*, int)"), *where), "libgpu:signature:1:"));
}

TEST_CASE("what published files have beside their kernels compiles, as NVRTC has it") {
    const std::string kernel = "\n__global__ void k(float* x) { x[0] = 1; }\n";
    for (const std::string& text :
         {std::string("struct Plan { cudaStream_t stream; cudaEvent_t done[2]; cudaError_t error; cudaExtent size; };"),
          std::string("#if CUDART_VERSION < 11000\n#error old\n#endif"),
          std::string("#define LAUNCH(n) k<<<n, 1>>>(0)\n#define OLD(v, by) __shfl_down(v, by)"),
          std::string("__device__ float2 __shfl_down(float2 v, int) { return v; }\n"
                      "__device__ float2 f(float2 v) { return __shfl_down(v, 1); }"),
          std::string("#define __shfl(v, lane) __shfl_sync(0xffffffffu, v, lane)"),
          std::string("__device__ int* f(void* place) { return new (place) int[4]; }"),
          std::string("__global__ void k(float* x);\n__global__ void never(float* x);")}) {
        CAPTURE(text);
        CHECK(compile_log(raw_text("k", text + kernel)) == "it compiled");
    }
    // A macro that is used is refused where it says what can't be.
    CHECK(contains(compile_log(raw_text("k", "#define OLD(v) __shfl_down(v, 1)\n"
                                             "__global__ void k(float* x) { x[0] = OLD(x[1]); }\n")),
                   "test.cu:1:16: error: __shfl_down"));
    CHECK(contains(compile_log(raw_text("k", "#define ASM asm" + kernel)), "test.cu:1:13: error: asm: inline PTX"));
}

TEST_CASE("a loop that looks for a 0 stays a loop") {
    const auto count = build_raw("k", R"(__global__ void k(const char* text, int* length) {
    int n = 0;
    while (*text != 0) { ++n; ++text; }
    *length = n;
})");
    const Buffer<char> text(std::vector<char>{'a', 'b', 'c', 0, 'd', 0});
    const Buffer<int> length(1, -1);
    launch_on(backend(), *count, shape(1, 1), static_cast<const char*>(text.data()), length.data());
    CHECK(length[0] == 3);
}

TEST_CASE("a name in a template that nobody instantiates may be declared nowhere, as NVRTC has it") {
    const std::string kernel = "\n__global__ void k(float* x) { x[0] = 1; }\n";
    const std::string g = "template <class T> __device__ T g(T a) ", f = "template <class T> __device__ T f(T a) ";
    for (const std::string& text :
         {g + "{ return nothing; }", g + "{ Nothing b; return a; }", g + "{ return nowhere::at(a); }",
          g + "{ return nothing(1); }", g + "{ return nothing; }\n" + f + "{ return g(a); }",
          std::string("template <class T> struct A { T a, b; __device__ A() : a{one}, b(1) { c(); } };"),
          std::string("template <class T> struct A { T a; __device__ T f() const noexcept { return a + c; } };")}) {
        CAPTURE(text);
        CHECK(compile_log(raw_text("k", text + kernel)) == "it compiled");
    }
    // NVRTC looks names up in declarations.
    for (const char* const text :
         {"template <class T> struct A { B<T> b; };", "template <class T> struct A { __device__ void f(B b) {} };",
          "template <class T> struct A : B<T> {};", "template <class T> __device__ B g(T a) { return a; }"}) {
        CAPTURE(text);
        CHECK(contains(compile_log(raw_text("k", text + kernel)), "test.cu:1:"));
    }
    // Where the template is used, and where something else is wrong, all is as it was.
    const std::string used = "\n__global__ void k(float* x) { x[0] = g(x[0]); }\n";
    CHECK(contains(compile_log(raw_text("k", g + "{ return nothing; }" + used)), "test.cu:1:49: error: "));
    CHECK(contains(compile_log(raw_text("k", g + "{ return nothing; }\n#define CALL g(1.0f)" + kernel)),
                   "test.cu:1:49: error: "));
    CHECK(contains(compile_log(raw_text("k", "template <> __device__ int g(int a) { return nothing; }" + kernel)),
                   "test.cu:1:"));
    CHECK(contains(compile_log(raw_text("k", g + "{ return a +; }" + kernel)), "test.cu:1:52: error: "));
    const std::string both =
        compile_log(raw_text("k", g + "{ return nothing; }\n__global__ void k(float* x) { x[0] = one; }\n"));
    CHECK(contains(both, "test.cu:1:49: error: "));
    CHECK(contains(both, "test.cu:2:38: error: "));
}
