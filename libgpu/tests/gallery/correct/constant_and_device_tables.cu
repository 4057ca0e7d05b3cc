// SPDX-License-Identifier: MIT
// Constant memory is read through a pointer and copied to a shared array with the same name; what the kernel itself
// fills is a __device__ variable.
//
// array: float x[256] = random 77
// array: float y[256] = uninitialized
// launch: polynomial<<<2, 128>>>(x, y, 256)
// check: y = polynomial(x, 1, -0.5, 0.25, 2) within 8 eps

namespace given {
__constant__ float coefficients[4] = {1.0f, -0.5f, 0.25f, 2.0f};
}
namespace own {
__device__ float values[256];
}
__constant__ int order = 3;

__device__ float at(const float* table, int k) { return table[k]; }

__global__ void polynomial(const float* x, float* y, int n) {
    __shared__ float coefficients[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 4) coefficients[threadIdx.x] = at(given::coefficients, threadIdx.x);
    __syncthreads();
    if (i >= n) return;
    float value = 0.0f;
    for (int k = order; k >= 0; --k) value = value * x[i] + coefficients[k];
    own::values[i] = value;
    y[i] = own::values[i];
}
