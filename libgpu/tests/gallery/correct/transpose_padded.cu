// SPDX-License-Identifier: MIT
// A transpose through a tile with one column too many, so that a column's elements lie in different banks.
//
// array: float a[2048] = random 9
// array: float b[2048] = uninitialized
// launch: transpose<<<dim3(2, 1), dim3(32, 32)>>>(a, b, 64, 32)
// check: b = transpose(a, 32, 64)
// counts: shared_wavefronts / shared_requests = 1
// counts: global_sectors / global_requests = 4

__global__ void transpose(const float* a, float* b, int columns, int rows) {
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    tile[y][x] = a[row * columns + column];
    __syncthreads();
    column = blockIdx.y * 32 + x;
    row = blockIdx.x * 32 + y;
    b[row * rows + column] = tile[x][y];
}
