// SPDX-License-Identifier: MIT
// The loop has a barrier in it and takes a different number of rounds in each warp.
//
// array: int x[64] = ones
// array: int y[64] = zeros
// launch: rounds<<<1, 64>>>(x, y)
// finding: divergent barrier, lines 13 16, variable -

__global__ void rounds(const int* x, int* y) {
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 1 + t / 32; ++k) {
        sum += x[t];
        __syncthreads();
    }
    y[t] = sum;
    __syncthreads();
    y[t] += x[63 - t];
}
