// SPDX-License-Identifier: MIT
// Differences of neighbours, y[i] = x[i] - x[i - 1], three times: as it was written first, better, and right.

// [first]
__global__ void first_try(const float* x, float* y, int n) {
    __shared__ float part[256];
    // who am I
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    // is there work; load
    if (i <= n) part[t] = x[i];
    // wait
    // is there work; load what lies to the left of the block; compute; store
    if (i <= n) {
        const float left = t > 0 ? part[t - 1] : i > 0 ? x[i - 1] : 0;
        y[i] = part[t] - left;
    }
}
// [/first]

// [second]
__global__ void second_try(const float* x, float* y, int n) {
    __shared__ float part[256];
    // who am I
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    // is there work; load
    if (i < n) part[t] = x[i];
    // wait
    // is there work; load what lies to the left of the block; compute; store
    if (i < n) {
        const float left = t > 0 ? part[t - 1] : i > 0 ? x[i - 1] : 0;
        y[i] = part[t] - left;
    }
}
// [/second]

// [third]
__global__ void differences(const float* x, float* y, int n) {
    __shared__ float part[256];
    // who am I
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    // is there work; load
    if (i < n) part[t] = x[i];
    // wait
    __syncthreads();
    // is there work; load what lies to the left of the block; compute; store
    if (i < n) {
        const float left = t > 0 ? part[t - 1] : i > 0 ? x[i - 1] : 0;
        y[i] = part[t] - left;
    }
}
// [/third]
