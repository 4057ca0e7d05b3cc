// SPDX-License-Identifier: MIT
// A tile with a halo on both sides, loaded by the first threads of the block; beyond the ends there are zeros.
//
// array: float x[500] = random 20
// array: float y[500] = uninitialized
// launch: stencil<<<4, 128>>>(x, y, 500)
// check: y = moving_sum(x, 3) within 8 eps

#define RADIUS 3

__global__ void stencil(const float* x, float* y, int n) {
    __shared__ float tile[128 + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + RADIUS;
    tile[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x < RADIUS) {
        int left = i - RADIUS, right = i + 128;
        tile[t - RADIUS] = left >= 0 ? x[left] : 0.0f;
        tile[t + 128] = right < n ? x[right] : 0.0f;
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0.0f;
    for (int d = -RADIUS; d <= RADIUS; ++d) sum += tile[t + d];
    y[i] = sum;
}
