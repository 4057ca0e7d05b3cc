// SPDX-License-Identifier: MIT
// A product of matrices with tiles of b: the next tile is loaded while slower threads still read this one.
//
// array: float a[1024] = random 1
// array: float b[1024] = random 2
// array: float c[1024] = uninitialized
// launch: matmul<<<dim3(2, 2), dim3(16, 16)>>>(a, b, c, 32)
// finding: missing barrier, lines 16 19, variable tile

__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        tile[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; ++j) {
            sum += a[row * n + k + j] * tile[j][x];
        }
    }
    c[row * n + column] = sum;
}
