// SPDX-License-Identifier: MIT
// Only half of the block comes to the first barrier; the others wait at the second.
//
// array: float x[128] = ramp
// array: float y[128] = uninitialized
// launch: fold<<<1, 128>>>(x, y)
// finding: divergent barrier, lines 14 17, variable -

__global__ void fold(const float* x, float* y) {
    __shared__ float tile[128];
    int t = threadIdx.x;
    tile[t] = x[t];
    if (t < 64) {
        __syncthreads();
        tile[t] += tile[t + 64];
    }
    __syncthreads();
    y[t] = tile[t % 64];
}
