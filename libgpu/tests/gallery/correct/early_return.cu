// SPDX-License-Identifier: MIT
// Surplus threads return before the barrier: a barrier waits for threads that still run, not for these.
//
// array: float x[200] = ramp
// array: float y[200] = uninitialized
// launch: reverse<<<1, 256>>>(x, y, 200)
// check: y = reverse(x)

__global__ void reverse(const float* x, float* y, int n) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    if (t >= n) return;
    tile[t] = x[t];
    __syncthreads();
    y[t] = tile[n - 1 - t];
}
