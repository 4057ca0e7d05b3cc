// SPDX-License-Identifier: MIT
// Only the write is out of bounds: the index is clamped for the read, but not for the write.
//
// array: int x[500] = ramp
// array: int y[500] = uninitialized
// launch: copy<<<2, 256>>>(x, y, 500)
// finding: out of bounds, line 12, variable y

__global__ void copy(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = x[min(i, n - 1)];
    y[i] = value;
}
