// SPDX-License-Identifier: MIT

// Exercise 18: c = a b. a has m rows of k elements, b has k rows of n, c has m rows of n.

__global__ void naive(const float* a, const float* b, float* c, int m, int n, int k) {
    // ---- your code (about 6 lines) ----
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row >= m || column >= n) return;
    float sum = 0;
    int i = 0;
    if (k % 4 == 0) {   // a's rows begin at 16 bytes
        for (; i < k; i += 4) {
            const float4 v = *reinterpret_cast<const float4*>(&a[row * k + i]);
            sum += v.x * b[i * n + column] + v.y * b[(i + 1) * n + column] + v.z * b[(i + 2) * n + column] +
                   v.w * b[(i + 3) * n + column];
        }
    }
    for (; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
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
        // Where all is aligned, a quarter of the threads load four elements each: the first two warps of the block.
        __shared__ float4 left[16][4], right[16][4];
        const int t = 16 * y + x, i = t / 4, j = t % 4;
        const float4 zeros = make_float4(0, 0, 0, 0);
        if (k % 4 == 0 && n % 4 == 0) {
            if (t < 64) {
                const int from_row = blockIdx.y * 16 + i, from_column = blockIdx.x * 16 + 4 * j;
                const bool in_a = from_row < m && first + 4 * j < k, in_b = first + i < k && from_column < n;
                left[i][j] = in_a ? *reinterpret_cast<const float4*>(a + from_row * k + first + 4 * j) : zeros;
                right[i][j] = in_b ? *reinterpret_cast<const float4*>(b + (first + i) * n + from_column) : zeros;
            }
        } else {
            float* one = &left[0][0].x;
            float* other = &right[0][0].x;
            one[t] = row < m && first + x < k ? a[row * k + first + x] : 0;
            other[t] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
        }
        __syncthreads();
        const float* of_b = &right[0][0].x + x;
        for (int q = 0; q < 4; ++q) {
            const float4 v = left[y][q];
            sum += v.x * of_b[64 * q] + v.y * of_b[64 * q + 16] + v.z * of_b[64 * q + 32] + v.w * of_b[64 * q + 48];
        }
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
        for (int i = 0; i < 16; i += 4) {
            const float right[4] = {b_tile[i][x], b_tile[i + 1][x], b_tile[i + 2][x], b_tile[i + 3][x]};
            for (int r = 0; r < 8; ++r) {
                const float4 v = *reinterpret_cast<const float4*>(&a_tile[8 * y + r][i]);
                sum[r] += v.x * right[0] + v.y * right[1] + v.z * right[2] + v.w * right[3];
            }
        }
        // ---- end ----
        __syncthreads();
    }
    for (int r = 0; r < 8; ++r)
        if (top + 8 * y + r < m && left + x < n) c[(top + 8 * y + r) * n + left + x] = sum[r];
}
