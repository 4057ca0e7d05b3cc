// SPDX-License-Identifier: MIT
// Each block counts in shared memory; the blocks' counts are then added with atomics.
//
// array: int x[3000] = random 7 below 64
// array: int bins[64] = zeros
// launch: histogram<<<4, 128>>>(x, bins, 3000)
// check: bins = histogram(x, 64)

__global__ void histogram(const int* x, int* bins, int n) {
    __shared__ int local[64];
    for (int k = threadIdx.x; k < 64; k += blockDim.x) local[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[x[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < 64; k += blockDim.x) atomicAdd(&bins[k], local[k]);
}
