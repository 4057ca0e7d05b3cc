// SPDX-License-Identifier: MIT
// Each element of a row-major matrix becomes its own index.

// [fill]
__global__ void fill(float* a, int rows, int columns) {
    // who am I
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // is there work
    if (row < rows && column < columns) {
        const int i = row * columns + column;  // where it lies
        a[i] = i;                              // store
    }
}
// [/fill]
