// SPDX-License-Identifier: MIT
// A function with a barrier in it is called by some threads only.
//
// array: float x[64] = ramp
// array: float y[64] = uninitialized
// launch: only_even<<<1, 64>>>(x, y)
// finding: divergent barrier, lines 11 20, variable -

__device__ float exchanged(float* tile, int t, float value) {
    tile[t] = value;
    __syncthreads();
    return tile[t ^ 2];
}

__global__ void only_even(const float* x, float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    float value = x[t];
    if (t % 2 == 0) value = exchanged(tile, t, value);
    __syncthreads();
    y[t] = value;
}
