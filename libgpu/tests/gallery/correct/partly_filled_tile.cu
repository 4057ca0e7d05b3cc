// SPDX-License-Identifier: MIT
// Only the filled part of a tile is ever read, so the rest may stay as it is.
//
// array: float x[200] = random 34
// array: float y[1] = uninitialized
// launch: largest<<<1, 256>>>(x, y, 200)
// check: y = largest(x)

__global__ void largest(const float* x, float* y, int n) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    if (t < n) tile[t] = x[t];
    __syncthreads();
    for (int count = n; count > 1;) {
        int half = (count + 1) / 2;
        if (t + half < count) tile[t] = fmaxf(tile[t], tile[t + half]);
        __syncthreads();
        count = half;
    }
    if (t == 0) *y = tile[0];
}
