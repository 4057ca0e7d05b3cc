// SPDX-License-Identifier: MIT
// c = a b, row-major, in blocks of 32 x 32: a has m rows of k elements, b has k rows of n. All lengths are multiples of
// 32 here, so that there is work for each thread; exercise 18 has edges.

// [naive]
__global__ void naive(const float* a, const float* b, float* c, int n, int k) {
    // who am I
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < k; ++i) {
        const float left = a[row * k + i];      // load
        const float right = b[i * n + column];  // load
        sum += left * right;                    // compute
    }
    c[row * n + column] = sum;                  // store
}
// [/naive]

__global__ void swapped(const float* a, const float* b, float* c, int n, int k) {
    const int row = blockIdx.y * 32 + threadIdx.x;     // planted mistake: x as the row
    const int column = blockIdx.x * 32 + threadIdx.y;  // planted mistake
    float sum = 0;
    for (int i = 0; i < k; ++i) {
        const float left = a[row * k + i];
        const float right = b[i * n + column];
        sum += left * right;
    }
    c[row * n + column] = sum;
}

// [tiled]
__global__ void tiled(const float* a, const float* b, float* c, int n, int k) {
    __shared__ float a_tile[32][32], b_tile[32][32];
    // who am I
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    float sum = 0;
    for (int first = 0; first < k; first += 32) {      // a step
        a_tile[y][x] = a[row * k + first + x];         // load
        b_tile[y][x] = b[(first + y) * n + column];
        __syncthreads();                               // wait: both tiles are there
        for (int i = 0; i < 32; ++i)
            sum += a_tile[y][i] * b_tile[i][x];        // compute
        __syncthreads();                               // wait: nobody reads them any more
    }
    c[row * n + column] = sum;                         // store
}
// [/tiled]
