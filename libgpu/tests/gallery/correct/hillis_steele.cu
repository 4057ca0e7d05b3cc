// SPDX-License-Identifier: MIT
// A running sum in one buffer: all read, then a barrier, then all write, then another.
//
// array: int x[200] = random 17 below 100
// array: int y[200] = uninitialized
// launch: scan<<<1, 256>>>(x, y, 200)
// check: y = scan(x)

__global__ void scan(const int* x, int* y, int n) {
    __shared__ int sums[256];
    int t = threadIdx.x;
    sums[t] = t < n ? x[t] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        int before = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    if (t < n) y[t] = sums[t];
}
