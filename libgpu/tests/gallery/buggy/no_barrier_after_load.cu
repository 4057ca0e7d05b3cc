// SPDX-License-Identifier: MIT
// Each thread fills its place of the tile and reads another's at once.
//
// array: float x[256] = ramp
// array: float y[256] = uninitialized
// launch: reverse<<<1, 256>>>(x, y)
// finding: missing barrier, lines 12 13, variable tile

__global__ void reverse(const float* x, float* y) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = x[t];
    y[t] = tile[255 - t];
}
