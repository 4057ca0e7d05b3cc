// SPDX-License-Identifier: MIT
// Where each of n rows comes from after LAPACK's exchanges of row k with row pivots[k], counted from 1: each thread
// follows its row back through all of them.

__global__ void row_order(const int* pivots, int* order, long long n, long long count) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const int* const own = pivots + i / n * n;
        int at = (int)(i % n);
#pragma unroll 8
        for (int k = (int)n - 1; k >= 0; --k) {
            const int other = own[k] - 1;
            at = at == k ? other : at == other ? k : at;
        }
        order[i] = at;
    }
}
