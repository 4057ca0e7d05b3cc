// SPDX-License-Identifier: MIT
// Each thread counts values from 0 to 8 in an array of its own, which has a place for 0 to 7.
//
// array: int x[64] = modulo 9
// array: int y[64] = uninitialized
// launch: max_frequent<<<1, 4>>>(x, y)
// finding: out of bounds, line 13, variable count

__global__ void max_frequent(const int* x, int* y) {
    int count[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int k = 0; k < 16; ++k) {
        int value = x[16 * threadIdx.x + k];
        count[value] += 1;
    }
    int best = 0;
    for (int k = 1; k < 8; ++k)
        if (count[k] > count[best]) best = k;
    y[threadIdx.x] = best;
}
