// SPDX-License-Identifier: MIT

// Exercise 16: an image convolved with 3 x 3 weights. Beyond its edge lies its nearest pixel.

struct Filter {
    float weight[3][3];
};

// The boundary rule as an index: of places k = -1 to n (or further out), the nearest one that is 0 to n - 1.
__device__ int nearest(int k, int n) {
    // ---- your code (1 line) ----
    if (k < 0) return 0;
    if (k > n - 1) return n - 1;
    return k;
    // ---- end ----
}

__global__ void naive(const float* image, float* result, int rows, int columns, Filter filter) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (about 5 lines) ----
    if (column < columns && row < rows) {
        const int up = nearest(row - 1, rows) * columns, here = row * columns, down = nearest(row + 1, rows) * columns;
        const int left = nearest(column - 1, columns), right = nearest(column + 1, columns);
        result[here + column] =
            filter.weight[0][0] * image[down + right] + filter.weight[0][1] * image[down + column] +
            filter.weight[0][2] * image[down + left] + filter.weight[1][0] * image[here + right] +
            filter.weight[1][1] * image[here + column] + filter.weight[1][2] * image[here + left] +
            filter.weight[2][0] * image[up + right] + filter.weight[2][1] * image[up + column] +
            filter.weight[2][2] * image[up + left];
    }
    // ---- end ----
}

__global__ void tiled(const float* image, float* result, int rows, int columns, Filter filter) {
    __shared__ float tile[18][18];   // cell (0, 0): the pixel above and to the left of the block's first one
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    // ---- your code (about 9 lines) ----
    // A thread loads its own cell and one of those that remain, 18 * 18 - 256 = 68.
    const int t = 16 * y + x;
    const auto load = [&](int cell) {
        const int r = nearest(blockIdx.y * 16 + cell / 18 - 1, rows);
        const int c = nearest(blockIdx.x * 16 + cell % 18 - 1, columns);
        tile[cell / 18][cell % 18] = __ldg(&image[r * columns + c]);
    };
    load(t);
    if (t < 68) load(256 + t);
    __syncthreads();
    if (column < columns && row < rows) {
        const float* w = &filter.weight[0][0];
        result[row * columns + column] =
            w[0] * tile[y + 2][x + 2] + w[1] * tile[y + 2][x + 1] + w[2] * tile[y + 2][x] +
            w[3] * tile[y + 1][x + 2] + w[4] * tile[y + 1][x + 1] + w[5] * tile[y + 1][x] +
            w[6] * tile[y][x + 2] + w[7] * tile[y][x + 1] + w[8] * tile[y][x];
    }
    // ---- end ----
}
