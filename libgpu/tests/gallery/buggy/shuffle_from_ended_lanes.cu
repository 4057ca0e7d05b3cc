// SPDX-License-Identifier: MIT
// A warp adds up 20 elements, and lanes 20 to 31 have returned: what the others get from them is undefined.
//
// array: int x[20] = ones
// array: int total[1] = zeros
// launch: sum<<<1, 32>>>(x, total, 20)
// finding: inactive lane, line 13, variable -

__global__ void sum(const int* x, int* total, int n) {
    int t = threadIdx.x;
    if (t >= n) return;
    int v = x[t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0) *total = v;
}
