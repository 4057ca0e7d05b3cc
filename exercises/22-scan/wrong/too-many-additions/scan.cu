// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // wrong: log2(512) additions for each element, not 2
    for (int width = 1; width < 512; width *= 2) {
        __syncthreads();
        const int low = t >= width ? part[t - width] : 0, high = t + 256 >= width ? part[t + 256 - width] : 0;
        __syncthreads();
        part[t] += low;
        part[t + 256] += high;
    }
    __syncthreads();      // the last round
    // ---- end ----
    if (first + t < n) y[first + t] = part[t];
    if (first + t + 256 < n) y[first + t + 256] = part[t + 256];
    if (t == 0) totals[blockIdx.x] = part[511];
}

__global__ void add_before(const int* totals, int* y, int n) {
    // ---- your code (about 4 lines) ----
    const int before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;  // inclusive: the piece before is the last in it
    const int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) y[i] += before;
    if (i + 256 < n) y[i + 256] += before;
    // ---- end ----
}
