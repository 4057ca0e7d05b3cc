// SPDX-License-Identifier: MIT

// Exercise 18: c = a b. a has m rows of k elements, b has k rows of n, c has m rows of n.

__global__ void naive(const float* a, const float* b, float* c, int m, int n, int k) {
    // ---- your code (about 6 lines) ----
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n) return;   // no barrier follows: who has no element may go
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];   // one sector of a, four of b
    c[row * n + column] = sum;
    // ---- end ----
}

__global__ void tiled(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float a_tile[16][16], b_tile[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int first = 0; first < k; first += 16) {   // columns of a, and rows of b, from `first` to first + 15
        // ---- your code (about 5 lines) ----
        __shared__ float left[16][24], right[16][24];   // rows begin at a sector
        left[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        right[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += left[y][i] * right[i][x];
        __syncthreads();
        // ---- end ----
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

// The star. A thread has 8 results, in a column; the loads and stores are given.
__global__ void registers(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float a_tile[64][16], b_tile[16][32];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * 32 + x;
    const int top = blockIdx.y * 64, left = blockIdx.x * 32;
    float sum[8] = {};   // of rows top + 8 * y to top + 8 * y + 7
    for (int first = 0; first < k; first += 16) {
        for (int e = thread; e < 64 * 16; e += 256) {
            const int row = top + e / 16, i = first + e % 16;
            a_tile[e / 16][e % 16] = row < m && i < k ? a[row * k + i] : 0;
        }
        for (int e = thread; e < 16 * 32; e += 256) {
            const int i = first + e / 32, column = left + e % 32;
            b_tile[e / 32][e % 32] = i < k && column < n ? b[i * n + column] : 0;
        }
        __syncthreads();
        // ---- your code, star (about 4 lines) ----
        // TODO: Add to each of the 8 sums 16 products: of row 8 * y + r of a_tile and column x of b_tile. In all,
        //       16 * 9 reads of the tiles for 16 * 8 products: what the 8 sums share is read once.
        // ---- end ----
        __syncthreads();
    }
    for (int r = 0; r < 8; ++r)
        if (top + 8 * y + r < m && left + x < n) c[(top + 8 * y + r) * n + left + x] = sum[r];
}
