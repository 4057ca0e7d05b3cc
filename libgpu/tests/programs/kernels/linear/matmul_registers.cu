// SPDX-License-Identifier: MIT
// Product of two matrices in which each thread keeps 4 x 4 results in registers: two reads of shared memory serve
// four products each.

constexpr int per_thread = 4;
constexpr int threads = 8;  // along each axis of the block
constexpr int tile_size = per_thread * threads;
constexpr int depth = 8;

__global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    __shared__ float tile_a[depth][tile_size], tile_b[depth][tile_size];
    int t = threadIdx.y * threads + threadIdx.x, top = blockIdx.y * tile_size, left = blockIdx.x * tile_size;
    float sum[per_thread][per_thread] = {};
    for (int first = 0; first < inner; first += depth) {
        for (int k = t; k < depth * tile_size; k += threads * threads) {
            int row = top + k / depth, column = first + k % depth;
            tile_a[k % depth][k / depth] = row < rows && column < inner ? a[row * inner + column] : 0.0f;
            row = first + k / tile_size;
            column = left + k % tile_size;
            tile_b[k / tile_size][k % tile_size] = row < inner && column < columns ? b[row * columns + column] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < depth; ++k) {
            float from_a[per_thread], from_b[per_thread];
            for (int i = 0; i < per_thread; ++i) {
                from_a[i] = tile_a[k][threadIdx.y * per_thread + i];
                from_b[i] = tile_b[k][i * threads + threadIdx.x];
            }
            for (int i = 0; i < per_thread; ++i)
                for (int j = 0; j < per_thread; ++j) sum[i][j] += from_a[i] * from_b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < per_thread; ++i) {
        for (int j = 0; j < per_thread; ++j) {
            int row = top + threadIdx.y * per_thread + i, column = left + j * threads + threadIdx.x;
            if (row < rows && column < columns) c[row * columns + column] = sum[i][j];
        }
    }
}
