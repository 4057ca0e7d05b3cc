// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b `columns` rows of `rows` elements.

#include <cooperative_groups.h>

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
    namespace cg = cooperative_groups;
    const cg::thread_block block = cg::this_thread_block();
    const int left = 32 * block.group_index().x, top = 32 * block.group_index().y;
    const bool has_a = top + y < rows && left + x < columns, has_b = top + x < rows && left + y < columns;
    if (has_a) tile[y][x] = __ldg(&a[(top + y) * columns + left + x]);
    block.sync();
    if (has_b) b[(left + y) * rows + top + x] = tile[x][y];
    // ---- end ----
}
