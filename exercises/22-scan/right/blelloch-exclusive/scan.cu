// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // As in GPU Gems 3, chapter 39: up, clear, down with swaps. That scan is exclusive: shifted by one place, with the
    // total at the end, it becomes inclusive.
    for (int width = 1; width < 512; width *= 2) {
        __syncthreads();
        const int k = 2 * width * (t + 1) - 1;
        if (k < 512) part[k] += part[k - width];
    }
    __syncthreads();
    const int total = part[511];
    __syncthreads();
    if (t == 0) part[511] = 0;
    for (int width = 256; width > 0; width /= 2) {
        __syncthreads();
        const int k = 2 * width * (t + 1) - 1;
        if (k < 512) {
            const int left = part[k - width];
            part[k - width] = part[k];
            part[k] += left;
        }
    }
    __syncthreads();
    const int low = part[t + 1], high = t + 257 < 512 ? part[t + 257] : total;
    __syncthreads();
    part[t] = low;
    part[t + 256] = high;
    __syncthreads();
    // ---- end ----
    if (first + t < n) y[first + t] = part[t];
    if (first + t + 256 < n) y[first + t + 256] = part[t + 256];
    if (t == 0) totals[blockIdx.x] = part[511];
}

__global__ void add_before(const int* totals, int* y, int n) {
    // ---- your code (about 4 lines) ----
    if (blockIdx.x == 0) return;  // nothing comes before the first piece
    const int before = totals[blockIdx.x - 1], i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) y[i] += before;
    if (i + 256 < n) y[i + 256] += before;
    // ---- end ----
}
