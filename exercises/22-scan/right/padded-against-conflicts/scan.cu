// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // An array of its own, with a free place after each 32: the places of a round lie on different banks.
    __shared__ int temp[512 + 512 / 32];
    const auto place = [](int k) { return k + (k >> 5); };
    temp[place(t)] = part[t];
    temp[place(t + 256)] = part[t + 256];
    for (int width = 1; width < 512; width *= 2) {
        __syncthreads();
        const int k = 2 * width * (t + 1) - 1;
        if (k < 512) temp[place(k)] += temp[place(k - width)];
    }
    for (int width = 128; width > 0; width /= 2) {
        __syncthreads();
        const int k = 2 * width * (t + 1) - 1;
        if (k + width < 512) temp[place(k + width)] += temp[place(k)];
    }
    __syncthreads();
    part[t] = temp[place(t)];
    part[t + 256] = temp[place(t + 256)];
    __syncthreads();
    // ---- end ----
    if (first + t < n) y[first + t] = part[t];
    if (first + t + 256 < n) y[first + t + 256] = part[t + 256];
    if (t == 0) totals[blockIdx.x] = part[511];
}

__global__ void add_before(const int* totals, int* y, int n) {
    // ---- your code (about 4 lines) ----
    __shared__ int before;  // read once for the block
    if (threadIdx.x == 0) before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;
    __syncthreads();
    const int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) y[i] += before;
    if (i + 256 < n) y[i + 256] += before;
    // ---- end ----
}
