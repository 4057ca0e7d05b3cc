// SPDX-License-Identifier: MIT
// The mean of three elements again. With RETURN_EARLY, threads without an element leave before they load anything.

__device__ int nearest(int k, int n) { return min(max(k, 0), n - 1); }

__global__ void mean(const float* x, float* y, int n) {
    __shared__ float tile[256 + 2];
    const int t = threadIdx.x, first = blockIdx.x * 256, i = first + t;
#if RETURN_EARLY
    if (i >= n) return;  // planted mistake
#endif
    for (int cell = t; cell < 256 + 2; cell += 256) tile[cell] = x[nearest(first + cell - 1, n)];
    __syncthreads();
    if (i < n) y[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3;
}
