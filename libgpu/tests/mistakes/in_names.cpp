// SPDX-License-Identifier: MIT
// Names that kernels don't know.
#include "mistakes.hpp"

namespace mistakes {

std::vector<Mistake> in_names() {
    return {
        {.name = "a function that is declared and has no body",
         .source = R"(__device__ float mean(float,
                      float);
__global__ void add(const float* x, float* y, int n) { y[0] = mean(x[0], x[1]); }
)",
         .told = R"(add.cu:1:18: error: mean(float, float) is declared, and defined nowhere
 1 | __device__ float mean(float,
   |                  ^
 2 |                       float);
help: a kernel calls what its source defines: write the function's body, or include the file that has it)"},
        {.name = "a function whose body has other parameters",
         .source = R"(namespace own { template <class T> __device__ T twice(T a); }
namespace own { template <class T> __device__ T twice(T a, T b) { return a + b; } }
__global__ void add(const float* x, float* y, int n) { y[0] = own::twice(x[0]) + own::twice(x[1], 2.f); }
)",
         .told = R"(add.cu:1:49: error: float own::twice<float>(float) is declared, and defined nowhere
 1 | namespace own { template <class T> __device__ T twice(T a); }
   |                                                 ^
 2 | namespace own { template <class T> __device__ T twice(T a, T b) { return a + b; } }
help: the twice that line 2 defines has other parameters: make the two alike)"},
        {.name = "a function of an unnamed namespace without a body",
         .source = R"(namespace { __device__ int half(int); }
__global__ void add(const float* x, float* y, int n) { y[0] = half(n); }
)",
         .told = R"(add.cu:1:28: error: half(int) is declared, and defined nowhere
 1 | namespace { __device__ int half(int); }
   |                            ^
 2 | __global__ void add(const float* x, float* y, int n) { y[0] = half(n); }
help: a kernel calls what its source defines: write the function's body, or include the file that has it)",
         .told_by_nvrtc = R"(add.cu:1:28: error: half is declared, and defined nowhere
 1 | namespace { __device__ int half(int); }
   |                            ^
 2 | __global__ void add(const float* x, float* y, int n) { y[0] = half(n); }
help: a kernel calls what its source defines: write the function's body, or include the file that has it)"},
        {.name = "a function of the C library that is declared",
         .source = R"(extern "C" __device__ int rand();
__global__ void add(const float* x, float* y, int n) { y[0] = rand(); }
)",
         .told = R"(add.cu:1:27: error: `rand` can't be used in a kernel: it is declared, and defined nowhere on a GPU
 1 | extern "C" __device__ int rand();
   |                           ^
 2 | __global__ void add(const float* x, float* y, int n) { y[0] = rand(); }
help: a kernel calls what its source defines: write the function's body, or include the file that has it)",
         .told_by_nvrtc = R"(add.cu:1:27: error: rand is declared, and defined nowhere
 1 | extern "C" __device__ int rand();
   |                           ^
 2 | __global__ void add(const float* x, float* y, int n) { y[0] = rand(); }
help: a kernel calls what its source defines: write the function's body, or include the file that has it)"},
        {.name = "a variable that is declared extern",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    extern __device__ int more;
    y[0] = more;
}
)",
         .told = R"(add.cu:2:27: error: more is declared, and defined nowhere
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     extern __device__ int more;
   |                           ^
 3 |     y[0] = more;
help: a kernel uses what its source defines: declare it outside functions, without extern)",
         .told_by_nvrtc = ""},  // it takes that for the definition
        {.name = "a variable that isn't there",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = z[i];
}
)",
         .told = R"(add.cu:3:23: error: z is not declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) y[i] = z[i];
   |                       ^
 4 | }
help: a kernel sees its parameters and what its source declares, not the program's variables: make it a parameter)"},
        {.name = "a misspelt variable",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float result = x[i];
    if (i < n) y[i] = reslut;
}
)",
         .told = R"(add.cu:4:23: error: reslut is not declared
 3 |     float result = x[i];
 4 |     if (i < n) y[i] = reslut;
   |                       ^
 5 | }
help: did you mean result?)"},
        {.name = "threadidx",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = threadidx.x;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:2:13: error: threadidx is not declared
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     int i = threadidx.x;
   |             ^
 3 |     if (i < n) y[i] = x[i];
help: did you mean threadIdx?)"},
        {.name = "a member that isn't there",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = threadIdx.X;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:2:23: error: there is no member X
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     int i = threadIdx.X;
   |                       ^
 3 |     if (i < n) y[i] = x[i];
help: did you mean x?)"},
        {.name = "std::sqrt",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = std::sqrt(x[i]);
}
)",
         .told = R"(add.cu:3:28: error: std::sqrt is not declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) y[i] = std::sqrt(x[i]);
   |                            ^
 4 | }
help: kernels have no C++ library: write sqrt, fabs, min, max ... without std::)",
         .told_by_clang = R"(add.cu:3:23: error: std is not declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) y[i] = std::sqrt(x[i]);
   |                       ^
 4 | }
help: kernels have no C++ library: write sqrt, fabs, min, max ... without std::)"},
        {.name = "cout",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    std::cout << x[i];
}
)",
         .told = R"(add.cu:3:10: error: std::cout is not declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     std::cout << x[i];
   |          ^
 4 | }
help: a kernel has no streams; to print: printf("%f\n", value))",
         .told_by_clang = R"(add.cu:3:5: error: std is not declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     std::cout << x[i];
   |     ^
 4 | }
help: a kernel has no streams; to print: printf("%f\n", value))"},
        {.name = "cout without std",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cout << x[i];
}
)",
         .told = R"(add.cu:3:5: error: cout is not declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     cout << x[i];
   |     ^
 4 | }
help: a kernel has no streams; to print: printf("%f\n", value))"},
        {.name = "__syncthread",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthread();
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:3:5: error: __syncthread is not declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     __syncthread();
   |     ^
 4 |     if (i < n) y[i] = x[i];
help: did you mean __syncthreads?)"},
        {.name = "n isn't a parameter",
         .source = R"(__global__ void add(const float* x, float* y, int) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:3:13: error: n is not declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) y[i] = x[i];
   |             ^
 4 | }
help: a kernel sees its parameters and what its source declares, not the program's variables: make it a parameter)"},
        {.name = "a name that is taken",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int i = 0;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:3:9: error: i is already declared
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     int i = 0;
   |         ^
 4 |     if (i < n) y[i] = x[i];
help: take another name, or assign to it without its type)"},
        {.name = "vector",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    vector<float> v(n);
    y[0] = x[0];
}
)",
         .told = R"(add.cu:2:5: error: vector is not declared
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     vector<float> v(n);
   |     ^
 3 |     y[0] = x[0];
help: a kernel gets arrays as pointers: const float* x, and their length as int n)"},
    };
}

}  // namespace mistakes
