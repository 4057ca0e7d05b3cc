// SPDX-License-Identifier: MIT
// The guard of a matrix forgets the rows: the last blocks reach one row beyond it.
//
// array: float a[210] = ramp
// array: float b[210] = uninitialized
// launch: negate<<<dim3(2, 2), dim3(16, 8)>>>(a, b, 14, 15)
// finding: out of bounds, line 13, variable a

__global__ void negate(const float* a, float* b, int columns, int rows) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < columns && row <= rows) {
        float value = a[row * columns + column];
        b[row * columns + column] = -value;
    }
}
