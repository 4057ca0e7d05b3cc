// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b `columns` rows of `rows` elements.

__global__ void naive(const float* a, float* b, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (1 line) ----
    if (row < rows && column < columns) b[column * rows + row] = a[row * columns + column];   // writes lie far apart
    // ---- end ----
}

template <int width>
__global__ void tiled(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[32][width];   // one for the 32 x 32 threads of the block; a row has `width` places
    const int x = threadIdx.x, y = threadIdx.y;
    // ---- your code (about 5 lines) ----
    // One index throughout, as in code where the tile is a plain pointer.
    float* const places = &tile[0][0];
    const int t = y * 32 + x;
    const float* const from = a + size_t(blockIdx.y * 32 + t / 32) * columns + blockIdx.x * 32 + t % 32;
    if (blockIdx.y * 32 + t / 32 < rows && blockIdx.x * 32 + t % 32 < columns) places[t / 32 * width + t % 32] = *from;
    __syncthreads();
    float* const to = b + size_t(blockIdx.x * 32 + t / 32) * rows + blockIdx.y * 32 + t % 32;
    if (blockIdx.x * 32 + t / 32 < columns && blockIdx.y * 32 + t % 32 < rows) *to = places[t % 32 * width + t / 32];
    // ---- end ----
}
