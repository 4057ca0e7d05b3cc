// SPDX-License-Identifier: MIT
// A kernel's text is native code in the process that counts: what could read unseen, or run what isn't a kernel's, is
// refused in check mode, by its words, by what the compiler made of it, or where it calls.
#include "check/support.hpp"

#include <cstdlib>
#include <fstream>

#include "host/base/process.hpp"
#include "host/compile/compiler.hpp"
#include "host/compile/native_code.hpp"
#include "host/compile/native_words.hpp"
#include "host/prelude/prelude.hpp"

using namespace support;
namespace host = gpu::detail::host;

namespace {

bool is_clang() { return host::Compiler().identity().find("clang version") != std::string::npos; }

/// What check mode says of this text's kernel k: a compile error, a finding, or "".
std::string said_of(const std::string& text) {
    const gpu::RawKernel<void(const float*, float*)> kernel(cu(text), "k");
    const auto x = gpu::ones<float>({64});
    auto y = gpu::zeros<float>({64});
    try {
        return told(gpu::check([&] { kernel({.grid = 1, .block = 1}, x, y); }, {.only_cuda = true}));
    } catch (const std::exception& error) {
        return error.what();
    }
}

const std::string head = "__global__ void k(const float* x, float* y) { ";

/// This text as the system's compiler makes an object of it.
std::string object_of(const std::string& text) {
    const host::TemporaryDirectory directory;
    const std::string source = directory.path() + "/planted.cpp", object = directory.path() + "/planted.o";
    host::write_file(source, text);
    const auto result = host::run_process(
        {host::Compiler().path(), "-O1", "-fPIC", "-fno-asynchronous-unwind-tables", "-c", source, "-o", object}, {},
        std::chrono::seconds(60));
    REQUIRE_MESSAGE(result.code == 0, result.output);
    return host::read_file(object);
}

std::string foreign_in(const std::string& text) {
    return host::foreign_code(object_of(text), host::check_object()).name;
}

std::string words_of(const std::string& text) {
    return host::native_words(gpu::detail::RawText{"k", {text, "t.cu"}, "", {}});
}

}  // namespace

TEST_CASE("seven ways to uncounted work are refused") {
    const std::pair<std::string, std::string> texts[] = {
        {"extern \"C\" __device__ int memcmp(const void*, const void*, unsigned long);\n" + head +
             "volatile unsigned long n = 4; y[0] = memcmp(x, y, n); }",
         "`memcmp` can't be used in a kernel"},
        {head + "char t[8]; y[0] = __builtin_vsnprintf(t, 8, \"%.1s\", *(__builtin_va_list*)x); }",
         "__builtin_vsnprintf"},
        {"__device__ int table __attribute__((section(\".data,\\\"aw\\\"\\n.byte 1 #\"))) = 1;\n" + head +
             "y[0] = table; }",
         "section"},
        {head + "gpu_calls->yield(nullptr); y[0] = 1; }", "gpu_calls"},
        {"extern \"C\" __device__ int vsnprintf(char*, unsigned long, const char*, __builtin_va_list);\n" + head +
             "y[0] = ((int (*)())((char*)(void*)&vsnprintf + 355632))(); }",
         "__builtin_va_list"},
        {"extern \"C\" __device__ double lgamma(double);\n" + head +
             "y[0] = ((int (*)())((char*)(void*)(double (*)(double))&lgamma + 355632))(); }",
         "`lgamma` can't be used in a kernel: no pointer leads out of a kernel"},
    };
    for (const auto& [text, told] : texts) {
        const std::string said = said_of(text);
        CAPTURE(text);
        CHECK_MESSAGE(contains(said, told), said);
    }
    // A function of the name that a linker looks for is a function like any other.
    CHECK(said_of("extern \"C\" __device__ void _init() { *(volatile float*)nullptr = 1; }\n" + head +
                  "y[0] = x[0]; }") == said_of(head + "y[0] = x[0]; }"));
    // What g++ doesn't tell of is refused, and clang tells of it.
    const std::string passed = "struct S { float v; };\n__device__ __noinline__ float f(S s) { return s.v; }\n" + head +
                               "y[0] = f(((const S*)x)[3]); }";
    if (is_clang()) {
        const gpu::RawKernel<void(const float*, float*)> kernel(cu(passed), "k");
        const auto x = gpu::ones<float>({64});
        auto y = gpu::zeros<float>({64});
        CHECK(gpu::check([&] { kernel({.grid = 1, .block = 1}, x, y); }).kernels.at(0).work.global_reads == 1);
    } else {
        CHECK(contains(said_of(passed), "`f` can't be used in a kernel: it isn't inlined"));
        CHECK(said_of("struct S { float v; };\n__device__ __noinline__ float f(S s) { return s.v; }\n" + head +
                      "S s = ((const S*)x)[3]; y[0] = f(s); }") == said_of(head + "y[0] = x[0]; }"));
    }
}

TEST_CASE("a pointer calls a kernel's own functions, and nothing else") {
    const std::string own =
        "__device__ float one(float v) { return v + 1; }\n__device__ float two(float v) { return v + 2; }\n"
        "__device__ float (*volatile f)(float);\n";
    const std::string none = said_of(head + "y[0] = x[0]; }");
    CHECK(said_of(own + head + "f = x[0] > 5 ? one : two; y[0] = f(x[1]); }") == none);
    CHECK(said_of("struct A { __device__ virtual float f(float v) { return v; } };\n"
                  "struct B : A { __device__ float f(float v) override { return v + 1; } };\n" +
                  head + "A a; B b; A* volatile p = x[0] > 5 ? &a : &b; y[0] = p->f(x[1]); }") == none);
#if defined(__x86_64__)
    for (const std::string call :
         {"f = (float (*)(float))((char*)(void*)one + 1);", "f = (float (*)(float))0x1234560;"})
        CHECK(said_of(own + head + call + " y[0] = f(x[1]); }") != none);
#endif
}

TEST_CASE("words of the host's compiler, attributes and pragmas are refused at their places") {
    const std::pair<const char*, const char*> texts[] = {
        {"int a;\nint b = __builtin_trap();",
         "t.cu:2:9: error: `__builtin_trap` can't be used in a kernel: names that begin with two underscores"},
        {"#define f __builtin_printf", "__builtin_printf"},
        {"_Atomic int a;", "`_Atomic` can't be used in a kernel: this word"},
        {"__attribute__((constructor)) void f();", "`constructor` can't be used in a kernel: of attributes"},
        {"[[gnu::constructor]] void f();", "`constructor` can't be used in a kernel: of attributes"},
        {"<:<:gnu::ifunc(\"g\"):>:> void f();", "`ifunc` can't be used in a kernel: of attributes"},
        {"__attribute__((aligned(8), alias(\"g\"))) int a;", "`alias` can't be used in a kernel: of attributes"},
        {"#define A __attribute__\nA((weak)) int a;", "`__attribute__` can't be used in a kernel: of attributes"},
        {"#pragma GCC optimize(\"O0\")", "this #pragma can't be used in a kernel: of pragmas"},
        {"#pragma redefine_extname f g", "this #pragma can't be used in a kernel: of pragmas"},
        {"_Pragma(\"weak f\")", "`_Pragma` can't be used in a kernel: of pragmas"},
    };
    for (const auto& [text, told] : texts) {
        CAPTURE(std::string(text));
        const std::string log = words_of(text);
        CHECK_MESSAGE(contains(log, told), log);
    }
    for (const char* const text :
         {"__device__ __forceinline__ float f(const float* __restrict__ x) { return __ldg(x); }", "int _n, _N, x_;",
          "__launch_bounds__(256) __global__ void k();", "#pragma unroll 4", "_Pragma(\"unroll\")",
          "[[nodiscard]] [[maybe_unused]] int f();", "struct __align__(16) S { int a; };", "int a = b[c[0]];",
          "#if defined(__GNUC__) && __SIZEOF_INT__ == 4\n#endif", "// __builtin_trap\nconst char* s = \"__asm__\";",
          "__half2 h; __nv_bfloat16 b; float f = __fmaf_rn(1, 2, 3); unsigned m = __ballot_sync(~0u, 1);"}) {
        CAPTURE(std::string(text));
        CHECK(words_of(text) == "");
    }
}

TEST_CASE("words that macros make are looked at where they are made") {
    for (const std::string& text :
         {"#define J(a, b) a##b\n" + head + "J(__builtin_, trap)(); }",
          "#define J(a, b) a%:%:b\n" + head + "J(__builtin_, trap)(); }", head + "__builtin_\\\ntrap(); }",
          "const char* const s = \"a \\\n b\"; __device__ void f() { __builtin_trap(); } //\"\n" + head + "f(); }",
          "#define S(a) #a\n#define P(a) _Pragma(S(a))\nP(GCC optimize(\"O0\"))\n" + head + "}"}) {
        CAPTURE(text);
        const std::string said = said_of(text);
        CHECK_MESSAGE(contains(said, "can't be used in a kernel"), said);
    }
    CHECK(said_of("#define J(a, b) a##b\n#define TWICE(v) \\\n    ((v) + (v))\n" + head +
                  "y[J(block, Idx).x] = TWICE(x[0]); }") == said_of(head + "y[0] = x[0]; }"));
}

TEST_CASE("objects that no kernel's code makes are refused") {
    CHECK(foreign_in("int f(int x) { return x + 1; }") == "");
    CHECK(foreign_in("extern \"C\" double sin(double); double f(double x) { return sin(x); }") == "");
    CHECK(foreign_in("extern \"C\" int getpid(); int f() { return getpid() + 1; }") == "getpid");
    CHECK(foreign_in("extern \"C\" double sin(double); void* f() { return (void*)(double (*)(double))sin; }") == "sin");
    CHECK(foreign_in("extern \"C\" double sin(double); double (*f)(double) = sin;") == "sin");
    CHECK(foreign_in("int seen; __attribute__((constructor)) void f() { seen = 1; }\n"
                     "__attribute__((constructor(200))) void g() { seen = 2; }") == "constructor");
    CHECK(foreign_in("int seen; __attribute__((destructor)) void f() { seen = 1; }") == ".fini_array");
    CHECK(foreign_in("__attribute__((section(\".preinit_array\"))) void (*f)() = nullptr;") == ".preinit_array");
    CHECK(foreign_in("__attribute__((section(\"elsewhere\"))) int a = 1;") == "elsewhere");
    CHECK(foreign_in("typedef int F(); int one() { return 1; } extern \"C\" { F* choose() { return one; } }\n"
                     "__attribute__((ifunc(\"choose\"))) int chosen();") == "_Z6chosenv");
    CHECK(foreign_in("asm(\".symver f, f@@V1\"); extern \"C\" int f() { return 1; }") != "");
#if defined(__x86_64__)
    CHECK(foreign_in("asm(\".byte 0xf3, 0x0f, 0x1e, 0xfa\"); int f() { return 1; }") == "0xfa1e0ff3");
#endif
    const std::string object = object_of("int f(int x) { return x + 1; }");
    for (std::size_t bytes = 0; bytes < object.size(); bytes += 37)
        (void)host::foreign_code(object.substr(0, bytes), host::check_object());
    CHECK(host::foreign_code(object.substr(0, object.size() / 2), host::check_object()).name == "object");
}

TEST_CASE("g++'s dump tells of memory that is passed by value, and of results that go there") {
    const std::string begin =
        ";; Function k (k)\n\nvoid kD.1 (struct SD.2 * pD.3, struct SD.2 qD.4)\n{\n  struct SD.2 sD.5;\n"
        "  static struct SD.2 tD.6;\n\n  <bb 2> [local count: 1]:\n";
    for (const char* const line : {"_4 = fD.9 (*p_2(D));", "fD.9 (1, tD.6);", "_4 = fD.9 (MEM[(const struct S &)_1]);",
                                   "*p_2(D) = fD.9 (1); [return slot optimization]", "_4 = fD.9 (sD.5, gD.7[_1]);"})
        CHECK(host::unseen_argument(begin + "  " + line + "\n}\n") == "f");
    for (const char* const line :
         {"_4 = fD.9 (sD.5);", "sD.5 = fD.9 (qD.4); [tail call]", "_4 = fD.9 (&*p_2(D), x_1(D), 5);",
          "printD.9 (\"*p, (\", sD.5.v[2]);", "_5 = (int) x_1(D);", "_5 = *p_2(D);"})
        CHECK(host::unseen_argument(begin + "  " + line + "\n}\n") == "");
}

TEST_CASE("what makes a compiler read or write unseen is refused, however it is spelled") {
    const std::string copies = "float t[12]; __builtin_memcpy(t, x, 48); y[0] = t[5]; }";
    const std::pair<std::string, std::string> texts[] = {
        {"#undef __builtin_memcpy\n" + head + copies, "`__builtin_memcpy` can't be used in a kernel: a macro"},
        {"#define __builtin_memcpy __builtin_memcpy\n" + head + copies, "`__builtin_memcpy` can't be used"},
        {"__device__ void take(float v, float* to) { *to = v; }\n" + head +
             "void* a[2]; gpu_raw<take>::call(a, gpu_list<0, 1>()); y[0] = x[0]; }",
         "`gpu_raw` can't be used in a kernel: this name is libgpu's own"},
        {"#define J(a, b) a##b\n__device__ void take(float v, float* to) { *to = v; }\n" + head +
             "void* a[2]; J(g, pu_raw)<take>::call(a, J(g, pu_list)<0, 1>()); y[0] = x[0]; }",
         is_clang() ? "this word can't be used in a kernel" : "gpu_raw"},
        {head + "y[0] = _\\\f\n_builtin_trap(); }", "the character 12 can't be used in a kernel"},
        {"extern \"C\" __device__ char* strcpy(char*, const char*);\n" + head + "strcpy((char*)y, \"abc\"); }",
         "`strcpy` can't be used in a kernel"},
        {"#define unused indirect_branch(\"keep\")\n__attribute__((unused)) __device__ float f() { return 1; }\n" +
             head + "y[0] = f(); }",
         "`unused` can't be used in a kernel"},
        {"#define cleanup(f)\n" + head + "float t[4]; t[0] = x[0]; y[0] = t[0]; }",
         "`cleanup` can't be used in a kernel"},
        {"#define W <cuda_fp16.h>\n#include W\n" + head + "y[0] = x[0]; }", "a header is named between quotes"},
        {"__device__ const volatile float t[4] = {};\n" + head + "y[0] = t[1]; }",
         "`volatile` can't be used in a kernel"},
        {"typedef volatile float const T;\n" + head + "y[0] = x[0]; }", "`volatile` can't be used in a kernel"},
        {head + "const char* volatile f = \"%d%n\"; printf(f, 7, (int*)y); }", "a kernel's printf has no %n"},
    };
    for (const auto& [text, told] : texts) {
        const std::string said = said_of(text);
        CAPTURE(text);
        CHECK_MESSAGE(contains(said, told), said);
    }
    // An option can't bring them back.
    const gpu::RawKernel<void(const float*, float*)> compares(
        cu("extern \"C\" __device__ int memcmp(const void*, const void*, unsigned long);\n" + head +
           "y[0] = memcmp(x, \"\\xff\", 2); }"),
        "k", {.options = {"-O2", "-std=gnu++17"}});
    const auto x = gpu::ones<float>({64});
    auto y = gpu::zeros<float>({64});
    std::string refused;
    try {
        (void)gpu::check([&] { compares({.grid = 1, .block = 1}, x, y); }, {.only_cuda = true});
    } catch (const gpu::CompileError& error) {
        refused = error.what();
    }
    CHECK_MESSAGE(contains(refused, "`memcmp` can't be used in a kernel"), refused);
    const gpu::RawKernel<void(const float*, float*)> asks(
        cu("#ifdef __CET__\n#define SEEN 1\n#else\n#define SEEN 0\n#endif\n" + head + "y[0] = SEEN; }"), "k");
    (void)gpu::check([&] { asks({.grid = 1, .block = 1}, x, y); }, {.only_cuda = true});
    CHECK(gpu::to_host(y)[0] == 0);
}

TEST_CASE("a value that lanes or atomics move is the value, whatever its class says of its address") {
    const std::string group = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                              "struct V { float v; const float* x; __device__ V* operator&() { return (V*)x; } };\n" +
                              head + "V a{5, x}; ";
    for (const char* const moved : {"cg::tiled_partition<32>(cg::this_thread_block()).shfl(a, 0)",
                                    "cg::coalesced_threads().shfl(a, 0)"}) {
        const gpu::RawKernel<void(const float*, float*)> kernel(
            cu(group + "V b = " + moved + "; y[0] = b.v; y[1] = x[1]; }"), "k");
        const auto x = gpu::ones<float>({64});
        auto y = gpu::zeros<float>({64});
        const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 1, .block = 1}, x, y); }, {.only_cuda = true});
        CHECK(told(report) == "");
        CHECK(report.kernels.at(0).work.global_reads == 1);
        CHECK(gpu::to_host(y)[0] == 5);
    }
    const std::string atomic =
        "#include <cuda/atomic>\n"
        "struct V { float v; __device__ V* operator&() { return nullptr; } };\n" +
        head + "cuda::atomic<V, cuda::thread_scope_block> a(V{1}); ";
    CHECK(said_of(atomic + "a.store(V{7}); y[0] = a.load().v + a.exchange(V{2}).v; }") ==
          said_of(head + "y[0] = x[0]; }"));
    CHECK(contains(said_of("#include <cuda/atomic>\nstruct V { float v; __device__ V(const V& o) : v(o.v) {} };\n" +
                           head + "cuda::atomic<V, cuda::thread_scope_block>* a = nullptr; a->store(*(V*)y); }"),
                   "an atomic object is copied as bits"));
}

TEST_CASE("ordinary C++ of a learner is taken") {
    const std::string none = said_of(head + "y[0] = x[0]; }");
    for (const std::string& text :
         {"#define J(a, b) a##b\n" + head + "float t[4];\n t[0] = x[0]; y[J(block, Idx).x] = t[0]; }",
          "#define CHECKED(v) \\\n    ((v) /* as it is */)\n" + head +
              "float t[4];\n t[0] = x[0]; y[0] = CHECKED(t[0]); }",
          "#ifndef __ADD_CU__\n#define __ADD_CU__\n" + head + "y[0] = x[0]; }\n#endif",
          "#define __DIV_UP(a, b) (((a) + (b) - 1) / (b))\n" + head + "y[__DIV_UP(0, 4)] = x[0]; }",
          head + "const volatile float* p = x; y[0] = *p; }",
          head + "volatile int n = 0; const int m = n; y[m] = x[0]; }",
          "struct _Accumulated { float v; };\n" + head + "_Accumulated a{x[0]}; y[0] = a.v; }",
          "__attribute__((pure)) __device__ float f(float v) { return v + 1; }\n" + head + "y[0] = f(x[0]); }"}) {
        CAPTURE(text);
        CHECK(said_of(text) == none);
    }
}
