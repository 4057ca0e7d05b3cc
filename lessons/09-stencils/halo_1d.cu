// SPDX-License-Identifier: MIT
// The mean of each element and its two neighbours, through a tile of 256 + 2 cells, in blocks of 256.

// [nearest]
__device__ int nearest(int k, int n) { return min(max(k, 0), n - 1); }
// [/nearest]

// [mean]
__global__ void mean(const float* x, float* y, int n) {
    __shared__ float tile[256 + 2];  // cell c: the element at first + c - 1
    // who am I
    const int t = threadIdx.x, first = blockIdx.x * 256, i = first + t;
    // load: cell t, and for threads 0 and 1 also cell t + 256
    for (int cell = t; cell < 256 + 2; cell += 256) tile[cell] = x[nearest(first + cell - 1, n)];
    // wait
    __syncthreads();
    // is there work
    if (i < n) {
        const float sum = tile[t] + tile[t + 1] + tile[t + 2];  // compute
        y[i] = sum / 3;                                         // store
    }
}
// [/mean]

__global__ void direct(const float* x, float* y, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = (x[nearest(i - 1, n)] + x[i] + x[nearest(i + 1, n)]) / 3;
}
