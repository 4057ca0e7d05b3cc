// SPDX-License-Identifier: MIT
// A halo on the right needs a 257th element that the tile hasn't got.
//
// array: float x[257] = ramp
// array: float y[256] = uninitialized
// launch: smooth<<<1, 256>>>(x, y)
// finding: out of bounds, line 13, variable tile

__global__ void smooth(const float* x, float* y) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = x[t];
    if (t == 255) tile[t + 1] = x[t + 1];
    __syncthreads();
    if (t < 255) y[t] = 0.5f * (tile[t] + tile[t + 1]);
    else y[t] = tile[t];
}
