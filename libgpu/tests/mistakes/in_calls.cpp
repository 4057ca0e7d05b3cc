// SPDX-License-Identifier: MIT
// Values of the wrong type, calls with the wrong arguments.
#include "mistakes.hpp"

namespace mistakes {

std::vector<Mistake> in_calls() {
    return {
        {.name = "a number where a pointer is wanted",
         .source = R"(__device__ float first(const float* p) { return p[0]; }
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = first(x[i]);
}
)",
         .told = R"(add.cu:4:32: error: this is a const float, and a const float* is wanted
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = first(x[i]);
   |                                ^
 5 | }
help: a pointer is the address of an array: x[i] is an element, &x[i] its address)",
         .told_by_clang = R"(add.cu:4:23: error: this is a const float, and a const float* is wanted
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = first(x[i]);
   |                       ^
 5 | }
help: a pointer is the address of an array: x[i] is an element, &x[i] its address)",
         .told_by_nvrtc = R"(add.cu:4:29: error: this is a float, and a const float* is wanted
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = first(x[i]);
   |                             ^
 5 | }
help: a pointer is the address of an array: x[i] is an element, &x[i] its address)"},
        {.name = "a double* where a float* is wanted",
         .source = R"(__device__ float first(const float* p) { return p[0]; }
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double d[2] = {1, 2};
    if (i < n) y[i] = first(d);
}
)",
         .told = R"(add.cu:5:29: error: this is a double*, and a const float* is wanted
 4 |     double d[2] = {1, 2};
 5 |     if (i < n) y[i] = first(d);
   |                             ^
 6 | })",
         .told_by_clang = R"(add.cu:5:23: error: this is a double[2], and a const float* is wanted
 4 |     double d[2] = {1, 2};
 5 |     if (i < n) y[i] = first(d);
   |                       ^
 6 | })"},
        {.name = "too few arguments",
         .source = R"(__device__ float mean(float a, float b) { return (a + b) / 2; }
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = mean(x[i]);
}
)",
         .told = R"(add.cu:4:27: error: too few arguments for mean
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = mean(x[i]);
   |                           ^
 5 | })",
         .told_by_clang = R"(add.cu:4:23: error: too few arguments for mean
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = mean(x[i]);
   |                       ^
 5 | })",
         .told_by_nvrtc = R"(add.cu:4:32: error: too few arguments for mean
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = mean(x[i]);
   |                                ^
 5 | })"},
        {.name = "too many arguments",
         .source = R"(__device__ float mean(float a, float b) { return (a + b) / 2; }
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = mean(x[i], 1, 2);
}
)",
         .told = R"(add.cu:4:27: error: too many arguments for mean
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = mean(x[i], 1, 2);
   |                           ^
 5 | })",
         .told_by_clang = R"(add.cu:4:23: error: too many arguments for mean
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = mean(x[i], 1, 2);
   |                       ^
 5 | })",
         .told_by_nvrtc = R"(add.cu:4:37: error: too many arguments for mean
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = mean(x[i], 1, 2);
   |                                     ^
 5 | })"},
        {.name = "no argument at all",
         .source = R"(__device__ float twice(float a) { return 2 * a; }
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = twice();
}
)",
         .told = R"(add.cu:4:28: error: too few arguments for twice
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = twice();
   |                            ^
 5 | })",
         .told_by_clang = R"(add.cu:4:23: error: too few arguments for twice
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = twice();
   |                       ^
 5 | })",
         .told_by_nvrtc = R"(add.cu:4:29: error: too few arguments for twice
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) y[i] = twice();
   |                             ^
 5 | })"},
        {.name = "no overload fits",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(y + i, "1");
}
)",
         .told = R"(add.cu:3:25: error: no atomicAdd takes these arguments
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) atomicAdd(y + i, "1");
   |                         ^
 4 | }
help: atomicAdd takes an address and a value of the same type: atomicAdd(sum, x[i]), not *sum)",
         .told_by_clang = R"(add.cu:3:16: error: no atomicAdd takes these arguments
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) atomicAdd(y + i, "1");
   |                ^
 4 | }
help: atomicAdd takes an address and a value of the same type: atomicAdd(sum, x[i]), not *sum)",
         .told_by_nvrtc = R"(add.cu:3:16: error: no atomicAdd takes these arguments
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) atomicAdd(y + i, "1");
   |                ^
 4 | }
help: atomicAdd takes an address and a value of the same type: atomicAdd(sum, x[i]), not *sum)"},
        {.name = "an atomic function that is for integers",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(y, x[i]);
}
)",
         .told = R"(add.cu:3:25: error: atomicMax is for integers
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) atomicMax(y, x[i]);
   |                         ^
 4 | }
help: let each block find its own and gpu::max do the rest, or write a loop around atomicCAS() with __float_as_int())",
         .told_by_clang = R"(add.cu:3:16: error: atomicMax is for integers
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) atomicMax(y, x[i]);
   |                ^
 4 | }
help: let each block find its own and gpu::max do the rest, or write a loop around atomicCAS() with __float_as_int())",
         .told_by_nvrtc = R"(add.cu:3:16: error: atomicMax is for integers
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) atomicMax(y, x[i]);
   |                ^
 4 | }
help: let each block find its own and gpu::max do the rest, or write a loop around atomicCAS() with __float_as_int())"},
        {.name = "a const pointer where it is written",
         .source = R"(__device__ void clear(float* p) { *p = 0; }
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) clear(x + i);
}
)",
         .told = R"(add.cu:4:24: error: this is a const float*, and a float* is wanted
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) clear(x + i);
   |                        ^
 5 | }
help: what is const can only be read: remove the const where it is declared, or don't write)",
         .told_by_clang = R"(add.cu:4:16: error: this is a const float*, and a float* is wanted
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) clear(x + i);
   |                ^
 5 | }
help: what is const can only be read: remove the const where it is declared, or don't write)",
         .told_by_nvrtc = R"(add.cu:4:22: error: this is a const float*, and a float* is wanted
 3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 4 |     if (i < n) clear(x + i);
   |                      ^
 5 | }
help: what is const can only be read: remove the const where it is declared, or don't write)"},
        {.name = "writing what is const",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1;
}
)",
         .told = R"(add.cu:3:21: error: this is const and can't be written
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) x[i] = 1;
   |                     ^
 4 | }
help: remove the const where it is declared, or write to another array)",
         .told_by_nvrtc = R"(add.cu:3:16: error: this is const and can't be written
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) x[i] = 1;
   |                ^
 4 | }
help: remove the const where it is declared, or write to another array)"},
        {.name = "a number for a pointer",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y = 1.0f;
}
)",
         .told = R"(add.cu:3:20: error: this is a float, and a float* is wanted
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) y = 1.0f;
   |                    ^
 4 | }
help: a pointer is the address of an array: x[i] is an element, &x[i] its address)",
         .told_by_nvrtc = R"(add.cu:3:18: error: this is a float, and a float* is wanted
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) y = 1.0f;
   |                  ^
 4 | }
help: a pointer is the address of an array: x[i] is an element, &x[i] its address)"},
        {.name = "a sum of pointers",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x + y;
}
)",
         .told = R"(add.cu:3:25: error: you can't calculate with pointers
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) y[i] = x + y;
   |                         ^
 4 | }
help: a pointer is the address of an array: x[i] is an element)",
         .told_by_nvrtc = R"(add.cu:3:27: error: you can't calculate with pointers
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     if (i < n) y[i] = x + y;
   |                           ^
 4 | }
help: a pointer is the address of an array: x[i] is an element)"},
        {.name = "a pointer for a number",
         .source = R"(__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x;
    if (i < n) y[i] = v;
}
)",
         .told = R"(add.cu:3:15: error: this is a const float*, and a float is wanted
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     float v = x;
   |               ^
 4 |     if (i < n) y[i] = v;
help: a pointer is the address of an array: x[i] is an element)",
         .told_by_clang = R"(add.cu:3:11: error: this is a const float*, and a float is wanted
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |     float v = x;
   |           ^
 4 |     if (i < n) y[i] = v;
help: a pointer is the address of an array: x[i] is an element)"},
    };
}

}  // namespace mistakes
