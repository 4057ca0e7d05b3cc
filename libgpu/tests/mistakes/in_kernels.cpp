// SPDX-License-Identifier: MIT
// Punctuation, headers, and what makes a function a kernel.
#include "mistakes.hpp"

namespace mistakes {

std::vector<Mistake> in_kernels() {
    return {
        {.name = "a missing semicolon",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x  // here
    if (i < n) y[i] = x[i] + 1;
}
)",
         .told = R"(add.cu:2:50: error: a ; is missing
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x  // here
   |                                                  ^
 3 |     if (i < n) y[i] = x[i] + 1;)"},
        {.name = "a missing semicolon before a brace",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] + 1
    }
}
)",
         .told = R"(add.cu:4:24: error: a ; is missing
 3 |     if (i < n) {
 4 |         y[i] = x[i] + 1
   |                        ^
 5 |     })"},
        {.name = "a missing semicolon before a declaration",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 1
    float b = 2;
    y[i] = a + b;
}
)",
         .told = R"(add.cu:3:16: error: a ; is missing
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     float a = 1
   |                ^
 4 |     float b = 2;)"},
        {.name = "#include <algorithm>",
         .source = R"(#include <algorithm>
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = min(x[i], 1.0f);
}
)",
         .told = R"(add.cu:1:10: error: there is no header <algorithm> for kernels
 1 | #include <algorithm>
   |          ^
 2 | __global__ void add(const float* x, float* y, int n) {
help: leave the line out: math functions, min, max, printf, assert and the like are there without a header)"},
        {.name = "#include <cmath> and <stdio.h>, which are empty",
         .source = R"(#include <cmath>
#include <stdio.h>
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sqrt(x[i]);
}
)",
         .told = ""},
        {.name = "#include <vector>",
         .source = R"(#include <vector>
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:1:10: error: there is no header <vector> for kernels
 1 | #include <vector>
   |          ^
 2 | __global__ void add(const float* x, float* y, int n) {
help: kernels have no C++ library, and arrays come as pointers; there are cuda_fp16.h, cuda_bf16.h, cooperative_groups.h, cuda_pipeline.h, curand_kernel.h, cuComplex.h, cupy/complex.cuh, math_constants.h, cuda/atomic, cuda/barrier, cuda/pipeline and cuda/std)"},
        {.name = "#include of a file that isn't there",
         .source = R"(#include "mine.cuh"
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:1:10: error: there is no file mine.cuh
 1 | #include "mine.cuh"
   |          ^
 2 | __global__ void add(const float* x, float* y, int n) {
help: it must lie next to the kernel's file, or in a folder that an option names: -Ifolder)"},
        {.name = "a function of the host",
         .source = R"(float twice(float v) { return 2 * v; }
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = twice(x[i]);
}
)",
         .told = R"(add.cu:1:7: error: this function is not one of the device
 1 | float twice(float v) { return 2 * v; }
   |       ^
 2 | __global__ void add(const float* x, float* y, int n) {
help: write __device__ before it, so that kernels may call it)"},
        {.name = "a constexpr function of the host that is only a length",
         .source = R"(constexpr int twice(int n) { return 2 * n; }
__global__ void add(const float* x, float* y, int n) {
    float part[twice(2)];
    part[0] = x[0];
    y[0] = part[0];
}
)",
         .told = R"(add.cu:1:15: error: this function is not one of the device
 1 | constexpr int twice(int n) { return 2 * n; }
   |               ^
 2 | __global__ void add(const float* x, float* y, int n) {
help: write __device__ before it, so that kernels may call it)"},
        {.name = "a variable of the host",
         .source = R"(float scale = 2;
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scale * x[i];
}
)",
         .told = R"(add.cu:1:7: error: this variable is not one of the device
 1 | float scale = 2;
   |       ^
 2 | __global__ void add(const float* x, float* y, int n) {
help: write __device__ or __constant__ before it, const if it never changes, or make it a parameter)"},
        {.name = "a __shared__ array with values",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    __shared__ float part[256] = {0};
    part[threadIdx.x] += x[threadIdx.x];
    y[threadIdx.x] = part[threadIdx.x];
}
)",
         .told = R"(add.cu:2:22: error: a __shared__ variable can't be initialised
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     __shared__ float part[256] = {0};
   |                      ^
 3 |     part[threadIdx.x] += x[threadIdx.x];
help: let the block's threads assign its elements, then call __syncthreads())"},
        {.name = "an array of a length that isn't constant",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    float part[n];
    part[0] = x[0];
    y[0] = part[0];
}
)",
         .told = R"(add.cu:2:11: error: a constant is missing here
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     float part[n];
   |           ^
 3 |     part[0] = x[0];
help: an array's length must be known when the kernel is compiled: constexpr int n = 256;)",
         .told_by_clang = R"(add.cu:2:16: error: a constant is missing here
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     float part[n];
   |                ^
 3 |     part[0] = x[0];
help: an array's length must be known when the kernel is compiled: constexpr int n = 256;)",
         .told_by_nvrtc = R"(add.cu:2:16: error: a constant is missing here
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     float part[n];
   |                ^
 3 |     part[0] = x[0];
help: an array's length must be known when the kernel is compiled: constexpr int n = 256;)"},
        {.name = "a variable that is thread_local",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    thread_local float sum = 0;
    y[0] = sum += x[0];
}
)",
         .told = R"(add.cu:2:5: error: thread_local has no meaning in a kernel
 1 | __global__ void add(const float* x, float* y, int n) {
 2 |     thread_local float sum = 0;
   |     ^
 3 |     y[0] = sum += x[0];
help: leave it out: each thread has its own local variables)"},
        {.name = "a brace that is never closed",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
}
)",
         .told = R"(add.cu:3:16: error: this { is never closed: a } is missing
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) {
   |                ^
 4 |         y[i] = x[i];)"},
        {.name = "a brace too many",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
    }
}
)",
         .told = R"(add.cu:5:1: error: this } closes nothing: a { is missing before it, or it is one too many
 4 |     }
 5 | }
   | ^)"},
        {.name = "a bracket that is never closed",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n y[i] = x[i];
}
)",
         .told = R"(add.cu:3:8: error: this ( is never closed: a ) is missing
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n y[i] = x[i];
   |        ^
 4 | })"},
        {.name = "no __global__",
         .source = R"(void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:1:6: error: add is a function, not a kernel
 1 | void add(const float* x, float* y, int n) {
   |      ^
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
help: write __global__ before its return type)"},
        {.name = "__device__ for __global__",
         .source = R"(__device__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(add.cu:1:17: error: add is a function, not a kernel
 1 | __device__ void add(const float* x, float* y, int n) {
   |                 ^
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
help: write __global__ instead of __device__)"},
        {.name = "a kernel that returns an int",
         .source = R"(__global__ int add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
    return 0;
}
)",
         .told = R"(add.cu:1:12: error: a kernel returns nothing
 1 | __global__ int add(const float* x, float* y, int n) {
   |            ^
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
help: its return type is void; results go into an array)",
         .told_by_nvrtc = R"(add.cu:1:1: error: a kernel returns nothing
 1 | __global__ int add(const float* x, float* y, int n) {
   | ^
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
help: its return type is void; results go into an array)"},
        {.name = "a kernel that returns a value",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
    return y[i];
}
)",
         .told = R"(add.cu:4:15: error: a kernel returns nothing
 3 |     if (i < n) y[i] = x[i];
 4 |     return y[i];
   |               ^
 5 | }
help: write the value into an array: y[i] = value; return; alone ends the thread)",
         .told_by_clang = R"(add.cu:4:5: error: a kernel returns nothing
 3 |     if (i < n) y[i] = x[i];
 4 |     return y[i];
   |     ^
 5 | }
help: write the value into an array: y[i] = value; return; alone ends the thread)",
         .told_by_nvrtc = R"(add.cu:4:12: error: a kernel returns nothing
 3 |     if (i < n) y[i] = x[i];
 4 |     return y[i];
   |            ^
 5 | }
help: write the value into an array: y[i] = value; return; alone ends the thread)"},
        {.name = "another name",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .told = R"(no kernel named ad; the source defines: add
help: did you mean add?)",
         .entry = "ad"},
        {.name = "other parameters",
         .source = R"(__global__ void add(const double* x, double* y, int n) {
    if (n) y[0] = x[0];
}
)",
         .told =
             R"(its parameters are not those that the C++ code declares: expected (const float*, float*, int), the source has (const double* x, double* y, int n))"},
        {.name = "a kernel that is launched by a kernel",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    add<<<1, 1>>>(x, y, i);
}
)",
         .told = R"(add.cu:3:8: error: a kernel can't launch kernels
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     add<<<1, 1>>>(x, y, i);
   |        ^
 4 | }
help: launch it from the C++ program, or make it a __device__ function and call it)",
         .told_by_nvrtc = R"(add.cu:3:5: error: a kernel can't launch kernels
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     add<<<1, 1>>>(x, y, i);
   |     ^
 4 | }
help: launch it from the C++ program, or make it a __device__ function and call it)"},
    };
}

}  // namespace mistakes
