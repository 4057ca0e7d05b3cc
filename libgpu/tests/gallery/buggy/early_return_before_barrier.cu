// SPDX-License-Identifier: MIT
// Surplus threads return before the barrier: undefined before compute capability 7.0, tolerated since.
//
// array: float x[200] = ramp
// array: float y[200] = uninitialized
// launch: reverse<<<1, 256>>>(x, y, 200)
// strict barriers: yes
// finding: skipped barrier, line 14, variable -

__global__ void reverse(const float* x, float* y, int n) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    if (t < n) tile[t] = x[t]; else return;
    __syncthreads();
    y[t] = tile[n - 1 - t];
}
