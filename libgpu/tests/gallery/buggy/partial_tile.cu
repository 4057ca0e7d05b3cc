// SPDX-License-Identifier: MIT
// Threads without an element leave their place of the tile as it was; the tree adds it all the same.
//
// array: float x[200] = ones
// array: float total[1] = uninitialized
// launch: sum<<<1, 256>>>(x, total, 200)
// finding: uninitialized read, line 16, variable part

__global__ void sum(const float* x, float* total, int n) {
    __shared__ float part[256];
    int t = threadIdx.x;
    if (t < n) part[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            float other = part[t + half];
            part[t] += other;
        }
        __syncthreads();
    }
    if (t == 0) *total = part[0];
}
