// SPDX-License-Identifier: MIT
// __syncwarp() makes a warp wait, but the neighbour on the other side may be in another warp.
//
// array: float x[128] = ramp
// array: float y[128] = uninitialized
// launch: rotate<<<1, 128>>>(x, y)
// finding: missing barrier, lines 12 15, variable tile

__global__ void rotate(const float* x, float* y) {
    __shared__ float tile[128];
    int t = threadIdx.x;
    tile[t] = x[t];
    __syncwarp();
    int next = (t + 32) % 128;
    y[t] = tile[next];
}
