// SPDX-License-Identifier: MIT
// A difference with the left neighbour, which the first element hasn't got.
//
// array: int x[256] = ramp
// array: int y[256] = uninitialized
// launch: difference<<<1, 256>>>(x, y, 256)
// finding: out of bounds, line 12, variable x

__global__ void difference(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = x[i - 1];
        y[i] = x[i] - left;
    }
}
