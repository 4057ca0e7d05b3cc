// SPDX-License-Identifier: MIT
// The tiled product of matrices whose sides are no multiples of the tile's: zeros fill the rest of a tile.
//
// array: float a[1160] = random 29
// array: float b[1120] = random 30
// array: float c[812] = uninitialized
// launch: matmul<<<dim3(2, 2), dim3(16, 16)>>>(a, b, c, 29, 40, 28)
// check: c = matmul(a, b, 29, 40, 28) within 16 eps

__global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    __shared__ float tile_a[16][16], tile_b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int k = 0; k < inner; k += 16) {
        tile_a[y][x] = row < rows && k + x < inner ? a[row * inner + k + x] : 0.0f;
        tile_b[y][x] = k + y < inner && column < columns ? b[(k + y) * columns + column] : 0.0f;
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += tile_a[y][j] * tile_b[j][x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}
