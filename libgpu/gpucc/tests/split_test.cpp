// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "gpucc/split/device_text.hpp"
#include "gpucc/split/host_text.hpp"
#include "gpucc/split/lambdas.hpp"
#include "squeezed.hpp"

// The two halves of a preprocessed file.
namespace gpucc {

namespace {

struct Halves {
    HostText host;
    DeviceText device;
};

Halves halves(const std::string& text, const std::vector<std::string>& instances = {}) {
    const PreprocessedText source("# 1 \"a.cu\"\n" + text);
    const std::vector<Token> tokens = code_tokens(source.own());
    const std::vector<Item> items = items_of(tokens);
    return {host_text(source, tokens, items, "u"), device_text(source, tokens, items, instances)};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The host's half of a function's body.
std::string host_of(const std::string& body) { return halves("void f() {\n" + body + "\n}\n").host.text; }

}  // namespace

TEST_CASE("a launch becomes a call whose configuration stands before the kernel") {
    const auto becomes = [](const std::string& launch, const std::string& call) {
        CAPTURE(launch);
        const std::string host = host_of(launch);
        CAPTURE(host);
        CHECK(holds(squeezed(host), squeezed(call)));
    };
    becomes("k<<<1, 2>>>(a);", "(::gpucc::configure(1, 2), k(a));");
    becomes("k<int, 3><<<g, b, s, q>>>(a, (b, c));", "(::gpucc::configure(g, b, s, q), k<int, 3>(a, (b, c)));");
    becomes("::a::b::k<T><<<f(1, 2), {3, 4}>>>();", "(::gpucc::configure(f(1, 2), {3, 4}), ::a::b::k<T>());");
    becomes("return k<<<1, 1>>>(x);", "return (::gpucc::configure(1, 1), k(x));");
    becomes("p->table[i + 1]<<<1, 1>>>(x);", "(::gpucc::configure(1, 1), p->table[i + 1](x));");
    becomes("(a ? k : m)<<<1, 1>>>(x);", "(::gpucc::configure(1, 1), (a ? k : m)(x));");
    becomes("x.template k<int><<<1, 1>>>();", "(::gpucc::configure(1, 1), x.template k<int>());");
    becomes("A<B<int>>::k<<<1, 1>>>();", "(::gpucc::configure(1, 1), A<B<int>>::k());");
    becomes("k << <1, 2>> >(a);", "(::gpucc::configure(1, 2), k (a));");
    becomes("k<1 << (3)><<<1, 2>>>(a);", "(::gpucc::configure(1, 2), k<1 << (3)>(a));");
    becomes("k<A<1<<2>, sizeof(T)><<<1, 2>>>(a);", "(::gpucc::configure(1, 2), k<A<1<<2>, sizeof(T)>(a));");
    becomes("if (x) k<<<1 << 3, (8 >> 1)>>>(a); else m<<<1, 1>>>(b);",
            "if (x) (::gpucc::configure(1 << 3, (8 >> 1)), k(a)); else (::gpucc::configure(1, 1), m(b));");
}

TEST_CASE("what only looks like a launch stays") {
    for (const char* const text : {"s = \"k<<<1, 2>>>(x)\";", "s = R\"(k<<<1, 2>>>(x))\";", "n = a << b << c >> 3;",
                                   "out << (a < b) << '<';", "operator<< <char>(out, c);", "A<B<C<int>>> d;"}) {
        CAPTURE(text);
        CHECK(holds(host_of(text), text));
        CHECK(halves("void f() { " + std::string(text) + " }").host.launches == 0);
    }
}

TEST_CASE("a kernel's body becomes a stub, and other device code goes from the host's half") {
    const std::string host = halves(
                                 "template <class T> __global__ void k(const T* p, int, T x[], dim3 d = dim3(1, 2)) {\n"
                                 "    p[threadIdx.x];\n}\n"
                                 "__device__ int twice(int x) { return __ffs(x); }\n"
                                 "__host__ __device__ int both(int x) { return x; }\n"
                                 "struct S { __device__ void f() const { threadIdx.x; } int n; };\n"
                                 "__constant__ float c[3]; __shared__ int s;\n")
                                 .host.text;
    CAPTURE(host);
    CHECK(holds(host,
                "(void*)__builtin_addressof(p), (void*)__builtin_addressof(gpucc_p1), "
                "(void*)__builtin_addressof(x), (void*)__builtin_addressof(d), nullptr}"));
    CHECK(holds(host, "int gpucc_p1"));
    CHECK(!holds(host, "threadIdx"));
    CHECK(!holds(host, "__ffs"));
    CHECK(!holds(host, "__device__"));
    CHECK(holds(host, "int both(int x) { return x; }"));
    CHECK(holds(host, "void f() const ;"));
    CHECK(holds(host, "gpucc_variable_c(&gpucc_unit_u, (const void*)&::c, sizeof ::c, \"c\")"));
    CHECK(!holds(host, "int s"));
}

TEST_CASE("the device's half is what kernels name, without the host's members") {
    const DeviceText device =
        halves(
            "struct Unused { std::string s; };\n"
            "struct P { int x; P(std::string); __device__ int get() { return x; } void print() const {} };\n"
            "static const int size = 3;\nint host_variable = 4;\n"
            "__device__ int one(P p) { return p.get() + size; }\n"
            "int host(int x) { return x; }\n"
            "namespace n { enum E { a, b }; __global__ void k(int* p) { *p = one(P()) + b; } }\n"
            "void f() { n::k<<<1, 1>>>(nullptr); }\n")
            .device;
    CAPTURE(device.text);
    CHECK(device.plain_kernels == std::vector<std::string>{"n::k"});
    CHECK(holds(device.text, "__device__ int get() { return x; }"));
    CHECK(holds(device.text, "const int size = 3;"));
    CHECK(holds(device.text, "enum E { a, b };"));
    CHECK(holds(device.text, "#line 7 \"a.cu\""));
    for (const char* const gone : {"Unused", "std::string", "print", "host_variable", "int host(", "<<<"})
        CHECK(!holds(device.text, gone));
    const DeviceText other = halves("typedef thrust::pair<int, int> Range;\n__global__ void k(int*) {}\n").device;
    CHECK(!holds(other.text, "Range"));
    const DeviceText names = halves("__global__ void k(cuda::std::array<int, 2> a, std::array<int, 2> b) {}\n").device;
    CHECK(holds(names.text, "k(cuda::std::array<int, 2> a, cuda::std::array<int, 2> b)"));
}

TEST_CASE("conversion operators are functions, and a pointer to a function is a variable") {
    const Halves both = halves(
        "struct S { __device__ operator const float*() const { return p; }\n"
        "    __device__ inline operator float *() { extern __shared__ float shared[]; return shared; }\n"
        "    const float* p; };\n"
        "__device__ unsigned char (*chosen)(int, float x) = nullptr;\n__global__ void k(S s) { chosen(1, *s); }\n");
    CHECK(both.host.errors == "");
    CHECK(holds(both.host.text, "sizeof ::chosen, \"chosen\""));
    REQUIRE(both.device.variables.size() == 1);
    CHECK(both.device.variables[0].name == "chosen");
    CHECK(holds(both.device.text, "operator const float*() const { return p; }"));
}

TEST_CASE("a __device__ lambda that captures by value becomes a struct before its function") {
    const auto named = [](const std::string& text) { return with_named_lambdas("# 1 \"a.cu\"\n" + text, "u"); };
    const std::string all = named(
        "int global;\ntemplate <class T> void f(T* x, int n) {\n    const T by = 2; int *a = x, *unused = x;\n"
        "    run(n, [=] __device__ (int i) { T by_i = by * i; a[i] += by_i + global; });\n}\n");
    CAPTURE(all);
    CHECK(holds(squeezed(all), squeezed("template <class gpucc_type0, class gpucc_type1, class T> struct "
                                        "gpucc_lambda_u_0 { gpucc_type0 by; gpucc_type1 a; __device__ auto "
                                        "operator()")));
    CHECK(holds(squeezed(all), squeezed("<typename ::gpucc::Captured<decltype(by)>::type, typename "
                                        "::gpucc::Captured<decltype(a)>::type, T>{by, a});")));
    const std::string one =
        named("void f() { auto g = [n = 1 + 2] __host__ __device__ () mutable -> int { return n++; }; }\n");
    CHECK(holds(squeezed(one), squeezed("__host__ __device__ auto operator()")));
    CHECK(holds(squeezed(one), squeezed("() -> int { return n++; } };")));
    CHECK(holds(squeezed(one), squeezed("Captured<decltype(1 + 2)>::type>{1 + 2};")));
    for (const char* const stays :
         {"void f(int n) { g([&] __device__ (int i) { return n; }); }\n",
          "void f(int n) { g([=](int i) { return n; }); }\n",
          "struct A { int n; void f() { g([=] __device__ (int i) { return n; }); } };\n",
          "void f(int* a) { a[1] = 2; }\n__device__ int d[3];\n"}) {
        CAPTURE(stays);
        CHECK(named(stays) == "# 1 \"a.cu\"\n" + std::string(stays));
    }
}

TEST_CASE("what instances of templates name is needed too") {
    const std::string text =
        "struct Times { __device__ int operator()(int x) const { return 2 * x; } };\n"
        "template <class F> __global__ void apply(int* p, F f) { *p = f(*p); }\n";
    CHECK(!holds(halves(text).device.text, "Times"));
    CHECK(holds(halves(text, {"apply<Times>"}).device.text, "struct Times"));
    CHECK(halves(text).device.has_templates);
}

TEST_CASE("kernels of one name are told apart, and variables known by their kind") {
    const DeviceText device = halves(
                                  "__global__ void k(int*) {}\n__global__ void k(float*) {}\n"
                                  "__constant__ struct C { int n; } config;\n__managed__ int m = 3;\n")
                                  .device;
    CHECK(device.overloaded_kernels == std::vector<std::string>{"k"});
    REQUIRE(device.variables.size() == 2);
    CHECK(device.variables[0].name == "config");
    CHECK(device.variables[0].is_constant);
    CHECK(device.variables[1].is_managed);
}

TEST_CASE("specialisations of a kernel's template are no overloads, and templates don't count among plain kernels") {
    const DeviceText device = halves(
                                  "template <class T> __global__ void k(T*) {}\n"
                                  "template <> __global__ void k<int>(int*) {}\n__global__ void k(float) {}\n"
                                  "template <class T> __global__ void m(T*) {}\n"
                                  "template <class T> __global__ void m(T*, int) {}\n")
                                  .device;
    CHECK(device.overloaded_kernels.empty());
    CHECK(device.overloaded_templates == std::vector<std::string>{"m"});
    CHECK(device.plain_kernels == std::vector<std::string>{"k"});
}

TEST_CASE("aliases of all kinds are known by their names") {
    const auto text_of = [](const std::string& declarations, const std::string& type) {
        return halves(declarations + "\nstruct Host { std::string s; };\n__global__ void k(" + type + " x) {}\n")
            .device.text;
    };
    CHECK(holds(text_of("template <bool B> using number = int;", "number<true>"), "using number = int;"));
    CHECK(holds(text_of("typedef int (*function)(Host&);", "function"), "typedef int (*function)(Host&);"));
    const std::string member = text_of("typedef float real;\ntypedef real& (Host::*member)(int);", "real");
    CHECK(holds(member, "typedef float real;"));
    CHECK(!holds(member, "Host"));
    CHECK(holds(text_of("template <class T> concept any = true;", "any auto"), "concept any = true;"));
}

TEST_CASE("an array of parameters is a pack by its own dots alone") {
    const std::string host = halves(
                                 "template <int... N> __global__ void k(Numbers<N...> x) {}\n"
                                 "template <class... T> __global__ void m(A<T>... x) {}\n")
                                 .host.text;
    CAPTURE(host);
    CHECK(holds(host, "{(void*)__builtin_addressof(x), nullptr}"));
    CHECK(holds(host, "{(void*)__builtin_addressof(x)..., nullptr}"));
}

TEST_CASE("a kernel's reference travels as an address") {
    const Halves both = halves("__global__ void k(const A<int>& a, int (&b)[3], int c) { c = a.n + b[1]; }\n");
    CAPTURE(both.host.text);
    CAPTURE(both.device.text);
    CHECK(holds(both.host.text, "auto* gpucc_r1 = __builtin_addressof(a); auto* gpucc_r2 = __builtin_addressof(b); "));
    CHECK(holds(both.host.text, "{(void*)&gpucc_r1, (void*)&gpucc_r2, (void*)__builtin_addressof(c), nullptr}"));
    CHECK(holds(both.device.text,
                "k(const A<int>* gpucc_a, int (*gpucc_b)[3], int c) { auto& a = *gpucc_a; auto& b = "
                "*gpucc_b; c = a.n + b[1]; }"));
}

TEST_CASE("names of std and warp operations without a mask become those that the device has") {
    const DeviceText device =
        halves(
            "using namespace std;\nnamespace other { int n; }\nusing namespace other;\n"
            "__device__ int f(int x) {\n"
            "    return is_same_v<int, int> + std::numeric_limits<int>::max() + std::size_t(1) + a.get() +\n"
            "           __shfl_down(x, 1) + a.__all(x);\n}\n"
            "__global__ void k(int* p) { *p = f(3); }\n")
            .device;
    CAPTURE(device.text);
    CHECK(holds(device.text, "using cuda::std::is_same_v;"));
    CHECK(holds(device.text, "cuda::std::numeric_limits<int>::max() + ::size_t(1)"));
    CHECK(holds(device.text, "__shfl_down_sync(__activemask(), x, 1) + a.__all(x)"));
    CHECK(!holds(device.text, "std::get"));
    CHECK(!holds(device.text, "other"));
    CHECK(device.warnings ==
          "a.cu:6: warning: CUDA 13 has no __shfl_down() any more: name the lanes that take part, "
          "__shfl_down_sync(0xffffffff, ...)\n");
}

TEST_CASE("a kernel's declaration isn't the device's") {
    const std::string device = halves(
                                   "__global__ void k(int*, int);\n__global__ void k(float* p) { *p = 1; }\n"
                                   "template <class T> __global__ void m(T* p) { *p = 1; }\n"
                                   "template __global__ void m<int>(int*);\n")
                                   .device.text;
    CAPTURE(device);
    CHECK(!holds(device, "k(int*, int)"));
    CHECK(!holds(device, "m<int>"));
    CHECK(holds(device, "k(float* p)"));
}

TEST_CASE("lines stay the file's") {
    const std::string host = halves("__global__ void k(int* p)\n{\n    *p = 1;\n}\nint after;\n").host.text;
    CAPTURE(host);
    CHECK(holds(host, "# 4 \"a.cu\"\n \nint after;"));
    const std::string launch = halves("void f() {\n    if (x) ns::k<<<1,\n        2>>>(a, b);\n}\n").host.text;
    CAPTURE(launch);
    CHECK(holds(launch,
                "\n    if (x) (::gpucc::configure(\n# 2 \"a.cu\"\n                   1,\n        2), "
                "\n# 2 \"a.cu\"\n           ns::k"));
    CHECK(holds(launch, "\n# 3 \"a.cu\"\n            (a, b));"));
    const PreprocessedText source(
        "# 1 \"a.cu\"\nint x = \n# 2 \"a.cu\" 3 4\n(-1)\n# 2 \"a.cu\"\n;\n# 1 \"/usr/b.h\" 1 3\nint s;\n"
        "# 3 \"a.cu\" 2\nint y;\n");
    CHECK(holds(source.own(), "(-1)"));
    CHECK(!holds(source.own(), "int s;"));
    CHECK(holds(source.edited({}), "int s;"));
    CHECK(source.headers() == std::vector<std::string>{"/usr/b.h"});
    CHECK(source.place(source.own().find("int y")).line == 3);
}

TEST_CASE("what has no end is refused at its line") {
    CHECK(
        holds(halves("void f() {\n  k<<<1, 2;\n}\n").host.errors, "a.cu:2: error: a launch is name<<<grid, block>>>"));
    CHECK(holds(halves("void f() {\n\n  k<<<>>>(1);\n}\n").host.errors, "a.cu:3: error: a launch says how many"));
    CHECK(
        holds(halves("void f() {\n  k<<<dim3(1, 2)>>>(1);\n}\n").host.errors, "a.cu:2: error: a launch says how many"));
    CHECK(holds(halves("void f() {\n  + <<<1, 1>>>(1);\n}\n").host.errors, "no kernel before"));
}

}  // namespace gpucc
