// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // The exclusive scan with the index arithmetic of the textbooks; each place adds its own element again.
    const int mine = part[t], other = part[t + 256];
    int offset = 1;
    for (int d = 512 >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            const int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            part[bi] += part[ai];
        }
        offset *= 2;
    }
    if (t == 0) part[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            const int left = part[ai];
            part[ai] = part[bi];
            part[bi] += left;
        }
    }
    __syncthreads();
    part[t] += mine;
    part[t + 256] += other;
    __syncthreads();
    // ---- end ----
    if (first + t < n) y[first + t] = part[t];
    if (first + t + 256 < n) y[first + t + 256] = part[t + 256];
    if (t == 0) totals[blockIdx.x] = part[511];
}

__global__ void add_before(const int* totals, int* y, int n) {
    // ---- your code (about 4 lines) ----
    int before = 0;
    if (blockIdx.x != 0) before = totals[blockIdx.x - 1];
    for (int i = blockIdx.x * 512 + threadIdx.x; i < min(n, int(blockIdx.x + 1) * 512); i += blockDim.x) y[i] += before;
    // ---- end ----
}
