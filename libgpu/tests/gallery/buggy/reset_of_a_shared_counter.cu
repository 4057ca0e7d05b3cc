// SPDX-License-Identifier: MIT
// Thread 0 clears the counter and counts at once; the others may count before it is cleared.
//
// array: int x[64] = modulo 2
// array: int total[1] = zeros
// launch: count_ones<<<1, 64>>>(x, total)
// finding: missing barrier, line one of 12 13, variable odd

__global__ void count_ones(const int* x, int* total) {
    __shared__ int odd;
    int t = threadIdx.x;
    if (t == 0) odd = 0;
    if (t == 0 || t >= 32) atomicAdd(&odd, x[t]);
    __syncthreads();
    if (t == 0) *total = odd;
}
