// SPDX-License-Identifier: MIT
// Threads count with an atomic, but the count is read before all have counted.
//
// array: int x[256] = modulo 64
// array: int count[1] = zeros
// launch: count_zeros<<<1, 256>>>(x, count)
// finding: missing barrier, lines 14 15, variable found

__global__ void count_zeros(const int* x, int* count) {
    __shared__ int found;
    int t = threadIdx.x;
    if (t == 0) found = 0;
    __syncthreads();
    if (x[t] == 0) atomicAdd(&found, 1);
    if (t == 32) *count = found;
}
