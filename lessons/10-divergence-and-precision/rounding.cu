// SPDX-License-Identifier: MIT
// What a GPU may answer otherwise than a CPU.

// The product is rounded, or goes unrounded into the subtraction: a fused multiply-add.
__global__ void leftover(const float* x, float* z) { z[0] = x[0] * x[0] - x[1]; }
__global__ void sine(const float* x, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = sinf(x[i]);
}
__global__ void add_all(const float* x, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}
