// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "driver_run.hpp"

// What a program does wrong with the host's half of CUDA, and what gpucc says of it, without check mode and with it.
namespace gpucc_test {

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// What a program prints, which is compiled first.
ProcessResult told(const std::string& text, const std::string& environment = "", const std::string& options = "") {
    const Built built(text, options);
    CAPTURE(built.result.output);
    REQUIRE(built.is_there());
    return run("cd " + built.folder.path() + " && " + environment + " ./prog; exit $?");
}

}  // namespace

TEST_CASE("functions that free are handed on as deleters") {
    const ProcessResult ran = told(R"(#include <cstdio>
#include <functional>
#include <memory>
template <cudaError_t (*F)(void*)> struct Deleter { void operator()(void* p) const { F(p); } };
int main() {
    float *a, *b, *c, *d, *e;
    for (float** p : {&a, &b, &c, &d}) cudaMalloc(p, 64);
    cudaMallocHost(&e, 64);
    cudaStream_t s;
    cudaStreamCreate(&s);
    {
        std::unique_ptr<float, decltype(&cudaFree)> one(a, &cudaFree), other(b, cudaFree);
        std::shared_ptr<float> shared(c, cudaFree);
        std::unique_ptr<float, Deleter<cudaFree>> named(d);
        std::unique_ptr<float, decltype(cudaFreeHost)*> pinned(e, cudaFreeHost);
        std::unique_ptr<CUstream_st, decltype(&cudaStreamDestroy)> stream(s, cudaStreamDestroy);
        const std::function<cudaError_t()> wait = cudaDeviceSynchronize;
        printf("%d\n", wait());
    }
    printf("%d\n", ::cudaFree(a));
    cudaError_t (*release)(void*) = cudaFree;
    release(b);
}
)",
                                   "GPUCC_LEAKS=1");
    CHECK(holds(ran.output, "0\n"));
    CHECK(holds(ran.output, "1\n"));
    CHECK(holds(ran.output, "prog.cu:20: cudaFree: this memory, of prog.cu:7: cudaMalloc, was freed before"));
    CHECK(holds(ran.output, "gpucc: cudaFree: this memory, of prog.cu:7"));
    CHECK(!holds(ran.output, "never freed"));
}

TEST_CASE("host code that uses device memory ends with its place") {
    const std::string begin =
        "#include <cstdio>\n#include <cstring>\nint main(int n, char**) {\n    int *d, h[4] = {};\n"
        "    cudaMalloc(&d, 64);\n    cudaMemset(d, 0, 64);\n    printf(\"%p\\n\", (void*)d);\n"
        "    fflush(stdout);\n";
    const ProcessResult reads = told(begin + "    return d[3];\n}\n");
    CHECK(reads.code == 139);
    CHECK(holds(reads.output, "0xd"));
    CHECK(
        holds(reads.output,
              "gpucc: prog.cu:9: host code reads device memory, byte 12 of the 64 bytes of prog.cu:5: cudaMalloc; on a "
              "GPU the program ends here, too: cudaMemcpy() it back first"));
    const ProcessResult writes = told(begin + "    for (int i = 0; i < 16; ++i)\n        d[i] = i;\n}\n");
    CHECK(writes.code == 139);
    CHECK(holds(writes.output, "prog.cu:10: host code writes device memory, byte 0"));
    CHECK(holds(writes.output, "cudaMemcpyHostToDevice"));
    const ProcessResult library = told(begin + "    memcpy(h, d, sizeof h * n);\n    return h[2];\n}\n");
    CHECK(library.code == 139);
    CHECK(holds(library.output, "prog.cu:9: host code reads device memory"));
    const ProcessResult freed = told(begin + "    cudaFree(d);\n    return d[3];\n}\n");
    CHECK(freed.code == 139);
    CHECK(holds(freed.output, "prog.cu:10: host code reads device memory"));
    CHECK(holds(freed.output, "it was freed, by cudaFree()"));
}

TEST_CASE("a host pointer in a launch is an error that stays, and pointers that kernels can follow are none") {
    const std::string begin =
        "#include <cstdio>\n#include <cstdlib>\n#include <vector>\n"
        "__global__ void k(int* to, const int* p) { *to = p == nullptr ? 7 : *p; }\n"
        "static int fixed[4];\nint main() {\n    int* d;\n    cudaMalloc(&d, 64);\n"
        "    int local = 1;\n    std::vector<int> small(4), large(1 << 20);\n";
    for (const char* const host : {"small.data()", "large.data() + 1000", "&local", "fixed", "(int*)calloc(1, 16)"}) {
        CAPTURE(host);
        const ProcessResult ran =
            told(begin + "    k<<<1, 1>>>(d, " + host +
                 ");\n    printf(\"%d\\n\", cudaDeviceSynchronize());\n    return cudaFree(d) != 700;\n}\n");
        CHECK(holds(ran.output, "700\n"));
        CHECK(ran.code == 0);
        CHECK(holds(ran.output, "prog.cu:11: launch: kernel k: the argument p points to host memory"));
    }
    const ProcessResult right = told(R"(#include <cstdio>
#include <cstdlib>
__device__ int variable = 5;
__managed__ int managed = 6;
__constant__ int constant = 4;
__global__ void make(int** to) { to[0] = (int*)malloc(4); *to[0] = 3; to[1] = &variable; to[2] = (int*)&constant; }
__global__ void k(int* to, const int* p) { *to = p == nullptr ? 7 : *p; }
__global__ void from_one(int* to, const int* p) { *to = p[1]; }
int main() {
    int *d, *pinned, **made, *h[3], value, *own = (int*)malloc(4096);
    cudaMalloc(&d, 64);
    cudaMallocHost(&pinned, 64);
    cudaMalloc(&made, 24);
    cudaHostRegister(own, 4096, 0);
    *pinned = 8;
    own[3] = 9;
    make<<<1, 1>>>(made);
    cudaMemcpy(h, made, sizeof h, cudaMemcpyDeviceToHost);
    for (const int* p : {(const int*)h[0], (const int*)h[1], (const int*)h[2], (const int*)&managed, (const int*)pinned,
                         (const int*)own + 3, (const int*)nullptr}) {
        k<<<1, 1>>>(d, p);
        cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);
        printf("%d ", value);
    }
    from_one<<<1, 1>>>(d + 1, d - 1);
    printf("%d\n", cudaDeviceSynchronize());
}
)");
    CHECK(right.output == "3 5 4 6 8 9 7 0\n");
}

TEST_CASE("device memory is accessible to all that may use it") {
    const ProcessResult ran = told(R"(#include <cstdio>
#include <thread>
#include <vector>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
__global__ void add(int* p) { atomicAdd(p, 1); }
int main() {
    int h = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([] {
            for (int k = 0; k < 50; ++k) {
                int *d, h = 1;
                cudaMalloc(&d, 4 + 4096 * k);
                cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
                add<<<3, 5>>>(d);
                cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
                if (h != 16) printf("wrong\n");
                cudaFree(d);
            }
        });
    for (std::thread& thread : threads) thread.join();
    thrust::device_vector<int> v(100, 2);
    add<<<1, 7>>>(thrust::raw_pointer_cast(&v[0]));
    cudaDeviceSynchronize();
    h = v[0];
    printf("%d %d\n", h, thrust::reduce(v.begin(), v.end()));
}
)");
    CHECK(ran.output == "9 207\n");
}

TEST_CASE("device functions stand beside Thrust's functors") {
    const ProcessResult ran = told(R"(#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/transform.h>
__device__ int index_of() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ float lane(float x) { return __shfl_sync(0xffffffff, x, 0) + __int_as_float(0); }
__device__ float twice(float x) { return 2 * x; }
struct Twice {
    __device__ float operator()(float x) const { return twice(x); }
};
struct Adder {
    float* to;
    __device__ void operator()(float x) const { atomicAdd(to, x * threadIdx.x); }
};
template <class F> __global__ void each(float* p, F f) { f(p[index_of()] = lane(3)); }
int main() {
    thrust::device_vector<float> v(32, 1.5f);
    thrust::transform(v.begin(), v.end(), v.begin(), Twice());
    printf("%g\n", float(v[3]));
    each<<<1, 32>>>(thrust::raw_pointer_cast(v.data()), Adder{thrust::raw_pointer_cast(&v[0])});
    printf("%d\n", cudaDeviceSynchronize());
}
)");
    CHECK(ran.output == "3\n0\n");
}

TEST_CASE("device variables point to device functions, and host code hands the pointers on") {
    const ProcessResult ran = told(R"(#include <cstdio>
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b + 0 * threadIdx.x; }
__device__ int times(int a, int b) { return a * b; }
template <class T> __device__ T less(T a, T b) { return a - b; }
__device__ Operation single = add;
__device__ Operation table[] = {add, times, less<int>};
__constant__ Operation fixed = times;
__global__ void k(Operation f, int* p, int which) {
    p[0] = f(6, 7);
    p[1] = table[which](6, 7);
    p[2] = fixed(2, 3) + single(1, 1);
}
int main() {
    Operation f, all[3];
    int *p, h[3];
    cudaMalloc(&p, sizeof h);
    for (int which = 0; which < 3; ++which) {
        printf("%d\n", cudaMemcpyFromSymbol(&f, single, sizeof f));
        cudaMemcpyFromSymbol(all, table, sizeof all);
        k<<<1, 1>>>(which == 0 ? f : all[which], p, which);
        cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
        printf("%d %d %d\n", h[0], h[1], h[2]);
    }
}
)");
    CHECK(ran.output == "0\n13 13 8\n0\n42 42 8\n0\n-1 -1 8\n");
}

TEST_CASE("a kernel's end is an error that says how it ended") {
    const auto code = [](const std::string& kernel, const std::string& argument, const std::string& environment = "") {
        return told("#include <cassert>\n#include <cstdio>\n__global__ void k(int* p) {\n    " + kernel +
                        "\n}\nint main() {\n    int *d, *old;\n    cudaMalloc(&d, 64);\n    cudaMemset(d, 0, 64);\n"
                        "    cudaMalloc(&old, 64);\n    cudaFree(old);\n    k<<<1, 32>>>(" +
                        argument + ");\n    printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\n}\n",
                    environment)
            .output;
    };
    for (const char* const check : {"", "GPUCC_CHECK=1"}) {
        CAPTURE(check);
        CHECK(holds(code("*p = 1;", "nullptr", check), "cudaErrorIllegalAddress\n"));
        CHECK(holds(code("*p = 1;", "(int*)&old", check), "cudaErrorIllegalAddress\n"));
        CHECK(holds(code("*(double2*)(p + 1) = double2();", "d", check),
                    std::string(check).empty() ? "cuda" : "cudaErrorMisalignedAddress\n"));
        CHECK(holds(code("assert(p[threadIdx.x % 16] == 1);", "d", check), "cudaErrorAssert\n"));
        CHECK(holds(code("__trap();", "d", check), "cudaErrorLaunchFailure\n"));
        const std::string endless =
            code("while (*(volatile int*)p == 0) {}", "d", std::string("GPUCC_TIMEOUT=1 ") + check);
        CHECK(holds(endless, "cudaErrorLaunchTimeout\n"));
        CHECK(!holds(endless, "LIBGPU"));
        CHECK(!holds(endless, "gpu::"));
    }
    const std::string freed = code("p[threadIdx.x % 16] = 1;", "old");
    CHECK(holds(freed, "cudaErrorIllegalAddress\n"));
    CHECK(holds(freed, "has been freed"));
}

TEST_CASE("host code that uses managed memory before it waits is found, and what waits is not") {
    const auto findings = [](const std::string& body) {
        return told(
                   "#include <cstdio>\n__global__ void k(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }\n"
                   "int main() {\n    int *m, *pinned;\n    cudaStream_t s;\n    cudaStreamCreate(&s);\n"
                   "    cudaMallocManaged(&m, 4096);\n    cudaMallocHost(&pinned, 256);\n    m[0] = pinned[0] = 5;\n" +
                       body + "    return 0;\n}\n",
                   "GPUCC_CHECK=1")
            .output;
    };
    const std::string clean = "gpucc: check mode found no mistakes\n";
    const std::string read = findings("    k<<<1, 32>>>(m, 32);\n    printf(\"%d\\n\", m[3]);\n");
    CHECK(holds(read, "prog.cu:11 reads byte 12 of 128 bytes"));
    CHECK(holds(read, "kernel k, launched by prog.cu:10, may not have written yet"));
    CHECK(holds(read, "cudaDeviceSynchronize()"));
    CHECK(!holds(read, "gpu::"));
    CHECK(holds(findings("    k<<<1, 32, 0, s>>>(pinned, 32);\n    pinned[7] = 1;\n"), "prog.cu:11 writes byte 28"));
    CHECK(holds(findings("    k<<<1, 32, 0, s>>>(m, 32);\n    cudaMemset(m + 512, 0, 4);\n    m[31] = 2;\n"),
                "prog.cu:12 writes byte 124"));
    for (const char* const wait :
         {"cudaDeviceSynchronize();", "cudaStreamSynchronize(0);", "cudaMemcpy(m + 64, m, 4, cudaMemcpyDefault);",
          "cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e); cudaEventSynchronize(e);",
          "while (cudaStreamQuery(0) != cudaSuccess) {}", "cudaDeviceReset();"}) {
        CAPTURE(wait);
        CHECK(findings("    k<<<1, 32>>>(m, 32);\n    k<<<1, 32>>>(m, 16);\n    " + std::string(wait) +
                       "\n    m[3] = m[4];\n    k<<<1, 32>>>(pinned, 8);\n    m[5] = 1;\n    cudaDeviceSynchronize();\n"
                       "    pinned[5] = 1;\n    cudaFree(m);\n    cudaFreeHost(pinned);\n") == clean);
    }
    // Other elements, and memory that the kernel hasn't touched.
    CHECK(findings("    k<<<1, 32>>>(m, 16);\n    m[600] = 1;\n    printf(\"\");\n    m[17] = pinned[3];\n"
                   "    cudaDeviceSynchronize();\n") == clean);
}

TEST_CASE("host code that uses a managed variable before it waits is found, and what waits is not") {
    const auto findings = [](const std::string& body) {
        return told("#include <cstdio>\n__managed__ int sums[4] = {1, 2, 3, 4};\n__managed__ int other = 7;\n"
                    "__device__ int device_only;\n"
                    "__global__ void k() { sums[threadIdx.x] += device_only + 10; }\nint main() {\n" +
                        body + "    return 0;\n}\n",
                    "GPUCC_CHECK=1")
            .output;
    };
    const std::string read = findings("    k<<<1, 4>>>();\n    printf(\"%d\\n\", sums[2]);\n");
    CHECK(holds(read, "prog.cu:8 reads byte 8 of 16 bytes in managed or page-locked memory"));
    CHECK(holds(read, "kernel k, launched by prog.cu:7, may not have written yet"));
    CHECK(holds(read, "cudaDeviceSynchronize()"));
    CHECK(holds(findings("    k<<<1, 2>>>();\n    sums[1] = 5;\n"), "prog.cu:8 writes byte 4 of 8"));
    const std::string clean = "gpucc: check mode found no mistakes\n";
    const std::string waits = findings(
        "    sums[0] = 5;\n    k<<<1, 4>>>();\n    cudaDeviceSynchronize();\n    k<<<1, 4>>>();\n"
        "    k<<<1, 2>>>();\n    other = 8;\n    cudaDeviceSynchronize();\n"
        "    printf(\"%d %d %d\\n\", sums[0], sums[3], other);\n");
    CHECK(holds(waits, clean));
    CHECK(holds(waits, "35 24 8\n"));
}

TEST_CASE("page-locked memory that was freed may be the host's again") {
    const std::string output = told(R"(#include <sys/mman.h>
#include <cstdio>
int main() {
    const size_t bytes = 1 << 22;
    void *d, *pinned;
    cudaMalloc(&d, bytes);
    cudaMallocHost(&pinned, bytes);
    cudaFreeHost(pinned);
    void* host = mmap(pinned, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d", host == pinned);
    printf("%d\n", cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice));
}
)")
                                   .output;
    CHECK(output == "10\n");
}

TEST_CASE("variables are no leaks, and aren't freed") {
    const std::string output = told(R"(#include <cstdio>
__managed__ int m = 3;
__device__ int d;
int main() {
    void* p;
    cudaGetSymbolAddress(&p, d);
    int limit = -1;
    cudaDeviceGetAttribute(&limit, cudaDevAttrKernelExecTimeout, 0);
    printf("%d %d %d\n", m, cudaFree(p), limit);
    int h = 8;
    cudaMemcpyToSymbol(d, &h, 4);
    h = 0;
    cudaMemcpyFromSymbol(&h, d, 4);
    printf("%d\n", h);
}
)",
                                    "GPUCC_LEAKS=1")
                                   .output;
    CHECK(holds(output, "3 1 1\n"));
    CHECK(holds(output, "8\n"));
    CHECK(holds(output, "prog.cu:9: cudaFree: this is a variable of the device"));
    CHECK(!holds(output, "never freed"));
}

TEST_CASE("wrong values in the environment are refused before the program begins") {
    const Built built("#include <cstdio>\n__global__ void k() {}\nint main() { puts(\"began\"); }\n");
    REQUIRE(built.is_there());
    for (const char* const code : {"0", "256", "x", "-1", "1x", "1.5"}) {
        CAPTURE(code);
        const ProcessResult ran = run("GPUCC_CHECK=1 GPUCC_CHECK_EXIT_CODE=" + std::string(code) + " " + built.program);
        CHECK(ran.code == 1);
        CHECK(ran.output ==
              "gpucc: GPUCC_CHECK_EXIT_CODE is \"" + std::string(code) + "\": it takes a number from 1 to 255\n");
    }
    CHECK(run("GPUCC_TIMEOUT=soon " + built.program).output ==
          "gpucc: GPUCC_TIMEOUT is \"soon\": it takes a number of seconds, or 0 for no limit\n");
    CHECK(run("GPUCC_TIMEOUT= GPUCC_CHECK_EXIT_CODE= " + built.program).output == "began\n");
}

TEST_CASE("an endless kernel ends after --timeout") {
    const TemporaryDirectory folder;
    gpu::detail::host::write_file(folder.path() + "/a.cu",
                                  "#include <cstdio>\n__global__ void k(volatile int* p) { while (*p == 0) {} }\n"
                                  "int main() {\n    int* d;\n    cudaMalloc(&d, 4);\n    cudaMemset(d, 0, 4);\n"
                                  "    k<<<1, 1>>>(d);\n    printf(\"%d\\n\", cudaDeviceSynchronize());\n}\n");
    const std::string output = run("cd " + folder.path() + " && " GPUCC_DRIVER " --timeout 0.5 a.cu").output;
    CHECK(holds(output, "702\n"));
    CHECK(holds(output, "did not end within 0.5 s"));
    CHECK(holds(output, "GPUCC_TIMEOUT=SECONDS sets the limit"));
    for (const char* const wrong : {"x", "-1", "1s"})
        CHECK(holds(run(GPUCC_DRIVER " --timeout " + std::string(wrong) + " a.cu").output,
                    "--timeout takes a number of seconds, or 0 for no limit, not " + std::string(wrong)));
}

}  // namespace gpucc_test
