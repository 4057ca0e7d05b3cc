// SPDX-License-Identifier: MIT
// Sums of rows of 32 elements, by way of a tile in shared memory. PITCH: the columns of the tile, -DPITCH=33.

// [row_sums]
__global__ void row_sums(const float* a, float* sums, int rows) {
    __shared__ float tile[32][PITCH];
    // who am I
    const int column = threadIdx.x;
    const int row = blockIdx.x * 32 + threadIdx.y;
    // is there work; load
    tile[threadIdx.y][column] = row < rows ? a[row * 32 + column] : 0;
    // wait
    __syncthreads();
    // is there work: one thread for each row of the tile
    const int mine = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.y == 0 && mine < rows) {
        float sum = 0;
        for (int k = 0; k < 32; ++k) sum += tile[threadIdx.x][k];  // compute
        sums[mine] = sum;                                          // store
    }
}
// [/row_sums]

// [direct]
__global__ void direct(const float* a, float* sums, int rows) {
    const int mine = blockIdx.x * blockDim.x + threadIdx.x;  // a whole row for each thread
    if (mine < rows) {
        float sum = 0;
        for (int k = 0; k < 32; ++k) sum += a[mine * 32 + k];
        sums[mine] = sum;
    }
}
// [/direct]
