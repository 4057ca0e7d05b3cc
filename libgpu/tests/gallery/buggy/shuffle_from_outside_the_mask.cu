// SPDX-License-Identifier: MIT
// Lanes 0 to 19 shuffle among themselves, but the tree reads as far as lane 31.
//
// array: int x[20] = ones
// array: int total[1] = zeros
// launch: sum<<<1, 32>>>(x, total, 20)
// finding: inactive lane, line 14, variable -

__global__ void sum(const int* x, int* total, int n) {
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, t < n);
    if (t < n) {
        int v = x[t];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
        if (t == 0) *total = v;
    }
}
