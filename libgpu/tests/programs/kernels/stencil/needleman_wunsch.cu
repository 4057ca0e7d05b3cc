// SPDX-License-Identifier: MIT
// Alignment of two sequences: tiles along an antidiagonal are independent, and so are the cells along one in a tile.
// The matrix has a first row and column of gaps.

constexpr int tile_size = 8;

__global__ void align(const int* a, const int* b, int* scores, int rows, int columns, int diagonal, int first) {
    __shared__ int tile[tile_size + 1][tile_size + 1];
    int tile_row = first + blockIdx.x, tile_column = diagonal - tile_row, t = threadIdx.x, width = columns + 1;
    int top = tile_row * tile_size, left = tile_column * tile_size;
    if (top + t < rows) tile[t + 1][0] = scores[(top + t + 1) * width + left];
    if (left + t < columns) tile[0][t + 1] = scores[top * width + left + t + 1];
    if (t == 0) tile[0][0] = scores[top * width + left];
    for (int step = 0; step < 2 * tile_size - 1; ++step) {
        __syncthreads();
        int r = t, c = step - t;
        if (c < 0 || c >= tile_size || top + r >= rows || left + c >= columns) continue;
        int match = tile[r][c] + (a[top + r] == b[left + c] ? 3 : -2);
        int best = max(match, max(tile[r][c + 1], tile[r + 1][c]) - 1);
        tile[r + 1][c + 1] = best;
        scores[(top + r + 1) * width + left + c + 1] = best;
    }
}
