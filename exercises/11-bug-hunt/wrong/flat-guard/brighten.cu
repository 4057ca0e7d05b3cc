// SPDX-License-Identifier: MIT

// Exercise 11a: multiplies each pixel by `factor`, in place. There is a thread for each pixel, in blocks of 32 x 8.

__global__ void brighten(float* image, int rows, int columns, float factor) {
    // ---- your code (at most 4 lines to change) ----
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = row * columns + column;
    if (i >= rows * columns) return;   // wrong: beside the image is in the next row
    image[i] = fminf(factor * image[i], 1.0f);
    // ---- end ----
}
