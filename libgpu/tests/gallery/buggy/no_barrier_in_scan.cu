// SPDX-License-Identifier: MIT
// A running sum in place: a thread adds to its element while its neighbour still needs the old value.
//
// array: int x[128] = ones
// array: int y[128] = uninitialized
// launch: scan<<<1, 128>>>(x, y)
// finding: missing barrier, lines 16 17, variable sums

__global__ void scan(const int* x, int* y) {
    __shared__ int sums[128];
    int t = threadIdx.x;
    sums[t] = x[t];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int before = 0;
        if (t >= step) before = sums[t - step];
        sums[t] += before;
        __syncthreads();
    }
    y[t] = sums[t];
}
