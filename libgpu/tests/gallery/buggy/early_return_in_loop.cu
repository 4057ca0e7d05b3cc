// SPDX-License-Identifier: MIT
// Threads of a tree leave as soon as they have nothing more to add, and miss the barriers that follow.
//
// array: int x[64] = ones
// array: int total[1] = zeros
// launch: sum<<<1, 64>>>(x, total)
// strict barriers: yes
// finding: skipped barrier, line 16, variable -

__global__ void sum(const int* x, int* total) {
    __shared__ int part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    for (int half = 32; half > 0; half /= 2) {
        if (t >= 2 * half) return;
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) *total = part[0];
}
