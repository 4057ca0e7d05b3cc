// SPDX-License-Identifier: MIT
// The slope of an image from top to bottom: half the difference of the pixels below and above. In blocks of 32 x 8.

__device__ int nearest(int k, int n) { return min(max(k, 0), n - 1); }

// [slope]
__global__ void slope(const float* image, float* result, int rows, int columns) {
    __shared__ float tile[8 + 2][32];  // cell (0, 0): the pixel above the block's first one
    // who am I
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * 32 + x, row = blockIdx.y * 8 + y;
    // load: row y of the cells, and for threads with y = 0 and 1 also row y + 8
    for (int cell = y; cell < 8 + 2; cell += 8) {
        const int from_row = nearest(blockIdx.y * 8 + cell - 1, rows), from_column = nearest(column, columns);
        tile[cell][x] = image[from_row * columns + from_column];
    }
    // wait
    __syncthreads();
    // is there work
    if (row < rows && column < columns) {
        const float difference = tile[y + 2][x] - tile[y][x];  // compute
        result[row * columns + column] = difference / 2;       // store
    }
}
// [/slope]

__global__ void direct(const float* image, float* result, int rows, int columns) {
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float above = image[nearest(row - 1, rows) * columns + column];
    result[row * columns + column] = (image[nearest(row + 1, rows) * columns + column] - above) / 2;
}
