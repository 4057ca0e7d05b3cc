// SPDX-License-Identifier: MIT
// A tiled product of matrices: the next tile is loaded while slower threads still read this one.
//
// array: float a[1024] = random 1
// array: float b[1024] = random 2
// array: float c[1024] = uninitialized
// launch: matmul<<<dim3(2, 2), dim3(16, 16)>>>(a, b, c, 32)
// finding: missing barrier, lines 17 20, variable tile_b

__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[16][16], tile_b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; ++j) {
            sum += tile_a[y][j] * tile_b[j][x];
        }
    }
    c[row * n + column] = sum;
}
