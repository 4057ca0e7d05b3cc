// SPDX-License-Identifier: MIT
// The lower half of a warp goes on alone, with masks that name its lanes only.
//
// array: float x[32] = random 36
// array: float y[32] = uninitialized
// launch: lower_half<<<1, 32>>>(x, y)
// check: y = reversed_lower_half(x)

__global__ void lower_half(const float* x, float* y) {
    __shared__ float tile[32];
    int lane = threadIdx.x;
    tile[lane] = x[lane];
    if (lane < 16) {
        __syncwarp(0x0000ffffu);
        y[lane] = tile[15 - lane];
    } else {
        y[lane] = tile[lane];
    }
}
