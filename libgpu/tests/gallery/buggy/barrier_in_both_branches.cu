// SPDX-License-Identifier: MIT
// Each branch has a barrier of its own: no thread of the block comes to both.
//
// array: int x[64] = ramp
// array: int y[64] = uninitialized
// launch: branches<<<1, 64>>>(x, y)
// finding: divergent barrier, lines 14 17, variable -

__global__ void branches(const int* x, int* y) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = x[t];
    if (t < 32) {
        __syncthreads();
        y[t] = tile[t + 32];
    } else {
        __syncthreads();
        y[t] = tile[t - 32];
    }
}
