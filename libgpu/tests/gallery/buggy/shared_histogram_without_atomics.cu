// SPDX-License-Identifier: MIT
// Two threads of a block count in the same bin: one of the two additions is lost.
//
// array: int x[256] = modulo 32
// array: int bins[32] = zeros
// launch: histogram<<<1, 256>>>(x, bins)
// finding: missing barrier, line 14, variable local

__global__ void histogram(const int* x, int* bins) {
    __shared__ int local[32];
    int t = threadIdx.x;
    if (t < 32) local[t] = 0;
    __syncthreads();
    local[x[t]] += 1;
    __syncthreads();
    if (t < 32) bins[t] = local[t];
}
