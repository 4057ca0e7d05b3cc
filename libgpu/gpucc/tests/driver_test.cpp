// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "driver_run.hpp"

// The driver: what it refuses, by name and line; options; how programs end.
namespace gpucc_test {

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The messages for a file that must not compile.
std::string refusal(const std::string& text, const std::string& options = "") {
    const Built built(text, options);
    CHECK(built.result.code == 1);
    return built.result.output;
}

constexpr const char* small = R"(#include <cstdio>
__global__ void add(int* p, int v) { *p += v; }
int main(int argc, char** argv) {
    int *d, h = 1;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    add<<<1, 1>>>(d, argc);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    cudaFree(d);
    return 0;
}
)";

}  // namespace

TEST_CASE("errors are at the file's lines, in host code and in kernels") {
    const std::string host = refusal(
        "#include <vector>\n\n__global__ void k() {\n}\nint main() {\n    k<<<1, 1>>>();\n"
        "    return missing;\n}\n");
    CHECK(holds(host, "prog.cu:7:"));
    CHECK(holds(host, "missing"));
    const std::string kernel = refusal(
        "__global__ void k(int* p)\n{\n    int i = threadIdx.x;\n    p[i] = nothing;\n}\n"
        "int main() { k<<<1, 1>>>(nullptr); }\n");
    CHECK(holds(kernel, "prog.cu:4:"));
    CHECK(holds(kernel, "nothing"));
    const std::string behind =
        refusal("__global__ void k() {\n\n\n}\nint main() {\n    k<<<1,\n    1>>>();\n    oops();\n}\n");
    CHECK(holds(behind, "prog.cu:8:"));
    const std::string arguments = refusal("__global__ void k(int* p) {}\nint main() {\n    k<<<1, 1>>>(1.5f, 2);\n}\n");
    CHECK(holds(arguments, "prog.cu:3:"));
    const std::string text = refusal("This is a letter, and no program.\n");
    CHECK(holds(text, "prog.cu:1:"));
}

TEST_CASE("what isn't there is refused by name, with what to use instead") {
    const std::string lambda = refusal(
        "template <class F> __global__ void k(F f) { f(1); }\nint main() {\n"
        "    int sum = 0;\n    k<<<1, 1>>>([&] __device__(int i) { sum += i; });\n}\n",
        "--extended-lambda");
    CHECK(holds(lambda, "prog.cu:4: error: a __device__ lambda that captures by reference"));
    CHECK(holds(lambda, "operator()"));
    const std::string in_class = refusal(
        "template <class F> __global__ void k(F f) { f(1); }\nstruct A {\n    int n = 1;\n"
        "    void run() { k<<<1, 1>>>([=] __device__(int i) { return n + i; }); }\n};\nint main() { A().run(); }\n");
    CHECK(holds(in_class, "prog.cu:4: error: a __device__ lambda"));
    const std::string broken = refusal(
        "template <class F> __global__ void k(F f) { f(1); }\nint main() {\n    int n = 1;\n"
        "    auto f = [=] __device__(int i) {\n        return n + oops;\n    };\n    k<<<1, 1>>>(f);\n}\n");
    CHECK(holds(broken, "prog.cu:5:"));
    const std::string unmarked = refusal(
        "template <class F> __global__ void k(F f) { f(1); }\nint main() { k<<<1, 1>>>([](int i) { }); }\n");
    CHECK(holds(unmarked, "mark it __device__"));
    const std::string shared =
        refusal("extern __device__ int other;\n__global__ void k() { other = 1; }\nint main() {}\n");
    CHECK(holds(shared, "prog.cu:1: error: a device variable of another file"));
    const std::string nested = refusal(
        "__global__ void inner() {}\n__global__ void outer() {\n    inner<<<1, 1>>>();\n}\n"
        "int main() { outer<<<1, 1>>>(); }\n");
    CHECK(holds(nested, "prog.cu:3:"));
    CHECK(holds(nested, "a kernel can't launch kernels"));
    const std::string assembly = refusal(
        "__global__ void k(int* p) {\n    asm(\"mov.u32 %0, %laneid;\" : \"=r\"(*p));\n}\n"
        "int main() {}\n");
    CHECK(holds(assembly, "prog.cu:2:"));
    const std::string host = refusal(
        "int host(int x) { return x; }\n__global__ void k(int* p) {\n    *p = host(3);\n}\n"
        "int main() {}\n");
    CHECK(holds(host, "prog.cu:3:"));
    CHECK(holds(host, "host is a function of the host: mark it __device__"));
    const std::string graph = refusal("int main() {\n    cudaGraph_t g;\n    cudaGraphAddMemAllocNode(g, 0);\n}\n");
    CHECK(holds(graph, "prog.cu:3:"));
    CHECK(holds(graph, "this part of CUDA graphs isn't in gpucc"));
    const std::string empty = refusal("__global__ void k() {}\nint main() {\n    k<<<>>>();\n}\n");
    CHECK(holds(empty, "prog.cu:3: error: a launch says how many blocks"));
    const std::string local = refusal(
        "template <class T> __global__ void k(T) {}\nint main() {\n    struct A {};\n"
        "    k<<<1, 1>>>(A{});\n}\n");
    CHECK(holds(local, "a type that is declared in a function"));
    const std::string rdc = refusal(small, "-rdc=true");
    CHECK(holds(rdc, "-rdc=true"));
    CHECK(holds(refusal(small, "-lcusolver"), "cusolver isn't in gpucc"));
    CHECK(holds(refusal(small, "--no-such-option"), "--no-such-option isn't known"));
    CHECK(holds(refusal("#include <cusolverDn.h>\nint main() {}\n"), "cuSOLVER isn't in gpucc"));
    CHECK(holds(run(GPUCC_DRIVER " nowhere.cu").output, "nowhere.cu: there is no such file"));
    CHECK(holds(run(GPUCC_DRIVER).output, "no file was named"));
}

TEST_CASE("old names compile with a warning that says today's") {
    const Built built(
        "int main() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n    (void)p.clockRate;\n"
        "    return cudaThreadSynchronize(); }\n");
    CHECK(built.is_there());
    CHECK(holds(built.result.output, "CUDA 13 has removed it"));
    CHECK(holds(built.result.output, "cudaDeviceSynchronize()"));
}

TEST_CASE("objects are compiled apart and linked") {
    const TemporaryDirectory folder;
    gpu::detail::host::write_file(folder.path() + "/a.cu", small);
    const std::string cd = "cd " + folder.path() + " && ";
    CHECK(run(cd + GPUCC_DRIVER " -c a.cu -o one.o && " GPUCC_DRIVER " one.o -o one && ./one").output == "2\n");
    CHECK(run(cd + GPUCC_DRIVER " -c a.cu && " GPUCC_DRIVER " a.o && ./a.out x y").output == "4\n");
    CHECK(holds(run(GPUCC_DRIVER " --version").output, "gpucc"));
    CHECK(holds(run(GPUCC_DRIVER " --help").output, "--check"));
}

TEST_CASE("a program ends as it wants to") {
    const TemporaryDirectory folder;
    const std::string program = folder.path() + "/exits";
    REQUIRE(run(GPUCC_DRIVER " " GPUCC_PROGRAMS "/exits.cu -o " + program).code == 0);
    struct End {
        const char* how;
        int code;
    };
    for (const char* const check : {"0", "1"})
        for (const End& one : {End{"return", 3}, End{"exit", 4}, End{"_exit", 5}, End{"throw", 134}, End{"kill", 143},
                               End{"fault", 139}, End{"fork", 8}}) {
            CAPTURE(one.how);
            CAPTURE(check);
            const ProcessResult ran = run(program + " " + one.how + "; exit $?", {std::string("GPUCC_CHECK=") + check});
            CHECK(ran.code == one.code);
            if (one.code == 8) CHECK(holds(ran.output, "child 6\n"));
        }
}

TEST_CASE("an error that nobody asks for is reported when the program ends") {
    const Built silent(
        "__global__ void add(int* p) { *p = 1; }\nint main() {\n    add<<<1, 2048>>>(nullptr);\n    return 0;\n}\n");
    REQUIRE(silent.is_there());
    const ProcessResult ran = run(silent.program);
    CHECK(ran.code == 0);
    CHECK(holds(ran.output, "prog.cu:3: kernel add was never launched: invalid configuration, block 2048"));
    const Built asking(
        "#include <cstdio>\n__global__ void add(int* p) { *p = 1; }\nint main() {\n"
        "    add<<<1, 2048>>>(nullptr);\n    return cudaGetLastError() == cudaErrorInvalidValue ? 0 : 1;\n}\n");
    REQUIRE(asking.is_there());
    CHECK(run(asking.program).output == "");
    const Built called("__global__ void add(int* p) { *p = 1; }\nint main() {\n    add(nullptr);\n    return 0;\n}\n");
    REQUIRE(called.is_there());
    CHECK(holds(run(called.program).output, "a kernel was called like a function"));
}

TEST_CASE("misuse of memory is refused with both sizes and the place") {
    const Built built(R"(#include <cstdlib>
int main() {
    int *d, *e, h[8] = {};
    cudaMalloc(&d, 16);
    cudaMalloc(&e, 64);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(h, d, 16, cudaMemcpyHostToDevice);
    cudaMemcpy(e, d, 64, cudaMemcpyDeviceToDevice);
    cudaMemset(h, 0, 4);
    cudaFree(d);
    cudaFree(d);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    cudaFree(e + 1);
    cudaFreeHost(e);
    return 0;
}
)");
    REQUIRE(built.is_there());
    const std::string output = run(built.program).output;
    CHECK(holds(output,
                "prog.cu:6: cudaMemcpy: it copies 32 bytes, and the destination, device memory of prog.cu:4: "
                "cudaMalloc, has 16 bytes"));
    CHECK(holds(output, "prog.cu:7: cudaMemcpy: the destination is host memory, and cudaMemcpyHostToDevice says"));
    CHECK(holds(output, "prog.cu:8: cudaMemcpy: it copies 64 bytes, and the source"));
    CHECK(holds(output, "prog.cu:9: cudaMemset: the destination is host memory"));
    CHECK(holds(output, "prog.cu:11: cudaFree: this memory, of prog.cu:4: cudaMalloc, was freed before"));
    CHECK(holds(output, "prog.cu:12: cudaMemcpy: the source was freed"));
    CHECK(holds(output, "prog.cu:13: cudaFree: the pointer is 4 bytes into memory"));
    CHECK(holds(output, "prog.cu:14: cudaFreeHost: this is device memory"));
    CHECK(holds(run("GPUCC_LEAKS=1 " + built.program).output, "prog.cu:5: cudaMalloc: 64 bytes were never freed"));
}

TEST_CASE("a kernel's fault is an error that stays, and says where") {
    const Built built(
        "#include <cstdio>\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\nint main() {\n    int* d;\n"
        "    cudaMalloc(&d, 64);\n    k<<<1, 1024>>>(d);\n    printf(\"%d\\n\", cudaDeviceSynchronize());\n"
        "    printf(\"%d\\n\", cudaFree(d));\n}\n");
    REQUIRE(built.is_there());
    const std::string output = run(built.program).output;
    CHECK(holds(output, "700\n"));
    CHECK(holds(output, "kernel k: block (0,0,0)"));
}

TEST_CASE("a copy with pageable memory is done when its call returns") {
    const Built built(R"(#include <cstdio>
#include <cstring>
__global__ void slow(float* p) {
    float s = 0;
    for (long i = 0; i < 10000000; ++i) s += p[0] * i;
    p[1] = s;
}
int main() {
    float* d;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    cudaStream_t s;
    cudaStreamCreate(&s);
    int a[4] = {1, 2, 3, 4}, b[4] = {0}, *m;
    cudaMallocManaged(&m, 16);
    slow<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(b, a, 16, cudaMemcpyHostToHost, s);
    printf("%d\n", b[0]);
    slow<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(m, a, 16, cudaMemcpyDefault, s);
    memset(a, 0, 16);
    cudaStreamSynchronize(s);
    printf("%d\n", m[1]);
}
)");
    REQUIRE(built.is_there());
    CHECK(run(built.program).output == "1\n2\n");
}

TEST_CASE("a stream that was destroyed is refused by copies and fills") {
    const Built built(R"(#include <cstdio>
__device__ int x;
__global__ void k() { x = 1; }
int main() {
    int *d, h = 0;
    cudaMalloc(&d, 64);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaStreamDestroy(s);
    printf("%d %d %d\n", cudaMemcpyAsync(d, &h, 4, cudaMemcpyHostToDevice, s), cudaMemsetAsync(d, 0, 64, s),
           cudaMemcpyToSymbolAsync(x, &h, 4, 0, cudaMemcpyHostToDevice, s));
}
)");
    REQUIRE(built.is_there());
    const std::string output = run(built.program).output;
    CHECK(holds(output, "400 400 400\n"));
    CHECK(holds(output, "prog.cu:10: cudaMemcpyAsync: its stream doesn't exist (any more)"));
}

TEST_CASE("a launch's arguments may launch, and may throw") {
    const Built built(R"(#include <cstdio>
__global__ void first(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void twice(int* p) { p[threadIdx.x] *= 2; }
int* made() {
    int* p;
    cudaMalloc(&p, 128);
    first<<<1, 32>>>(p);
    return p;
}
int* thrown() { throw 1; }
int main() {
    int *p, h[32];
    twice<<<1, 32>>>(p = made());
    cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost);
    printf("%d\n", h[5]);
    try {
        twice<<<1, 32>>>(thrown());
    } catch (int) {
    }
    twice(p);
    printf("%d\n", cudaGetLastError());
}
)");
    REQUIRE(built.is_there());
    const std::string output = run(built.program).output;
    CHECK(holds(output, "10\n"));
    CHECK(holds(output, "52\n"));
    CHECK(holds(output, "a kernel was called like a function"));
}

TEST_CASE("-E prints the preprocessed text, and a kernel's error leaves no object") {
    const TemporaryDirectory folder;
    const std::string cd = "cd " + folder.path() + " && ";
    gpu::detail::host::write_file(folder.path() + "/a.cu", "#define N 41\nint f() { return N + 1; }\n");
    CHECK(holds(run(cd + GPUCC_DRIVER " -E a.cu").output, "int f() { return 41 + 1; }"));
    CHECK(run(cd + "test ! -e a.out && " GPUCC_DRIVER " -E a.cu -o a.ii && grep -c '41 + 1' a.ii").output == "1\n");
    gpu::detail::host::write_file(folder.path() + "/b.cu", "__global__ void k(int* p) { *p = nothere; }\n");
    CHECK(run(cd + GPUCC_DRIVER " -c b.cu 2>/dev/null; test ! -e b.o").code == 0);
}

TEST_CASE("two files' variables of one name, and a header's template kernel, are each file's own") {
    const TemporaryDirectory folder;
    const auto write = [&](const char* name, const char* text) {
        gpu::detail::host::write_file(folder.path() + "/" + name, text);
    };
    write("ask.cuh", R"(#include <cstdio>
static __constant__ float k;
template <class T> __global__ void get(T* p);
template <class T> __global__ void get(T* p) { *p = k; }
static float ask(float v) {
    float* d;
    cudaMemcpyToSymbol(k, &v, 4);
    cudaMalloc(&d, 4);
    get<<<1, 1>>>(d);
    cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
    return v;
}
)");
    write("a.cu", R"(#include "ask.cuh"
__constant__ int c = 5;
__device__ int d[2];
__managed__ int m = 7;
__global__ void first() { d[0] = c; m += c; }
void other();
int main() {
    int h = 0;
    printf("%g\n", ask(1));
    other();
    first<<<1, 1>>>();
    cudaMemcpyFromSymbol(&h, d, 4);
    printf("%g %d %d\n", ask(3), h, m);
}
)");
    write("b.cu", R"(#include "ask.cuh"
__constant__ int c = 6;
__device__ int d[2];
__managed__ int m = 8;
__global__ void second() { d[0] = c; m += c; }
void other() {
    int h = 0;
    second<<<1, 1>>>();
    cudaMemcpyFromSymbol(&h, d, 4);
    printf("%g %d %d\n", ask(2), h, m);
}
)");
    for (const std::string& compiler : compilers()) {
        CAPTURE(compiler);
        const ProcessResult ran = run("cd " + folder.path() + " && " GPUCC_DRIVER " -O2 -Xcompiler -Wall -ccbin " +
                                      compiler + " a.cu b.cu -o ab && ./ab");
        CHECK(ran.output == "1\n2 6 14\n3 5 12\n");
    }
}

TEST_CASE("an interrupt ends the program, and gpucc removes its files") {
    const TemporaryDirectory folder;
    gpu::detail::host::write_file(folder.path() + "/a.cu",
                                  "#include <csignal>\nint main() { kill(0, SIGINT); for (;;) {} }\n");
    const ProcessResult ran =
        run("cd " + folder.path() +
            " && mkdir kept && TMPDIR=$PWD/kept setsid -w " GPUCC_DRIVER " --leaks a.cu; echo $?; ls kept");
    CHECK(ran.output == "130\n");
}

}  // namespace gpucc_test
