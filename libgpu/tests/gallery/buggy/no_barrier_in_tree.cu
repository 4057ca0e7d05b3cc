// SPDX-License-Identifier: MIT
// A tree of additions, whose steps don't wait for each other.
//
// array: float x[256] = ones
// array: float total[1] = uninitialized
// launch: sum<<<1, 256>>>(x, total)
// finding: missing barrier, line 15, variable part

__global__ void sum(const float* x, float* total) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
    }
    __syncthreads();
    if (t == 0) *total = part[0];
}
