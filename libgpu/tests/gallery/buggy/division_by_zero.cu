// SPDX-License-Identifier: MIT
// Whole numbers can't be divided by zero; a GPU doesn't complain and gives any number.
//
// array: int x[64] = ramp
// array: int y[64] = modulo 8
// array: int z[64] = uninitialized
// launch: divide<<<1, 64>>>(x, y, z)
// finding: division by zero, line 12, variable -

__global__ void divide(const int* x, const int* y, int* z) {
    int i = threadIdx.x;
    z[i] = x[i] / y[i];
}
