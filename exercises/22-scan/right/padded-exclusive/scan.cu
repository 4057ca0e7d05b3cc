// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // As in GPU Gems 3 with all that it has: padded places, an exclusive scan, and the input added at the end.
    __shared__ int temp[512 + 512 / 32];
    const int ai = t, bi = t + 256;
    temp[ai + (ai >> 5)] = part[ai];
    temp[bi + (bi >> 5)] = part[bi];
    int offset = 1;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            a += a >> 5;
            b += b >> 5;
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) temp[511 + (511 >> 5)] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            a += a >> 5;
            b += b >> 5;
            const int left = temp[a];
            temp[a] = temp[b];
            temp[b] += left;
        }
    }
    __syncthreads();
    part[ai] += temp[ai + (ai >> 5)];
    part[bi] += temp[bi + (bi >> 5)];
    __syncthreads();
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
