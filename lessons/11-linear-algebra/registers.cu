// SPDX-License-Identifier: MIT
// c = a b as in products.cu, with 4 x 4 results for each thread: blocks of 16 x 16 threads for 64 x 64 results. Lengths
// are multiples of 64.

__global__ void registers(const float* a, const float* b, float* c, int n, int k) {
    __shared__ float a_tile[16][65], b_tile[16][64];  // a's is transposed
    const int x = threadIdx.x, y = threadIdx.y;
    const int top = blockIdx.y * 64, left = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int first = 0; first < k; first += 16) {
        for (int e = 16 * y + x; e < 16 * 64; e += 256) {
            a_tile[e % 16][e / 16] = a[(top + e / 16) * k + first + e % 16];
            b_tile[e / 64][e % 64] = b[(first + e / 64) * n + left + e % 64];
        }
        __syncthreads();
        for (int i = 0; i < 16; ++i) {
            float of_a[4], of_b[4];  // 8 reads of shared memory for 16 products
            for (int p = 0; p < 4; ++p) {
                of_a[p] = a_tile[i][y + 16 * p];
                of_b[p] = b_tile[i][x + 16 * p];
            }
            for (int p = 0; p < 4; ++p)
                for (int q = 0; q < 4; ++q) sum[p][q] += of_a[p] * of_b[q];
        }
        __syncthreads();
    }
    for (int p = 0; p < 4; ++p)
        for (int q = 0; q < 4; ++q) c[(top + y + 16 * p) * n + left + x + 16 * q] = sum[p][q];
}
