// SPDX-License-Identifier: MIT

// Exercise 8: two kernels. Each thread runs such a function from the top; where it is, it learns from
//
//     threadIdx.x   its number in its block        blockIdx.x   its block's number
//     blockDim.x    the threads of a block         gridDim.x    the blocks of the grid

__global__ void add(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 2 lines) ----
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= n) return;  // wrong: of the last four elements, up to three may not be there
    const float4 a = ((const float4*)x)[i], b = ((const float4*)y)[i];
    ((float4*)z)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    // ---- end ----
}

__global__ void mul(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 3 lines) ----
    // The loop's condition is the guard. Neighbouring threads stay on neighbouring elements in every round.
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) z[i] = x[i] * y[i];
    // ---- end ----
}
