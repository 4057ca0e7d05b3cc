// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // TODO: 1. Up, for width = 1, 2, 4, ..., 256: part[k] += part[k - width] for each last place k of 2 * width places,
    //          k = 2 * width - 1, 4 * width - 1, ... A thread has at most one k. Then part[511] is the total.
    //       2. Down, for width = 128, 64, ..., 1: part[k + width] += part[k] for the same k, as long as there is a
    //          place k + width. Then each place holds the sum up to it.
    //       Who writes what another thread reads in the next round?
    // ---- end ----
    if (first + t < n) y[first + t] = part[t];
    if (first + t + 256 < n) y[first + t + 256] = part[t + 256];
    if (t == 0) totals[blockIdx.x] = part[511];
}

__global__ void add_before(const int* totals, int* y, int n) {
    // ---- your code (about 4 lines) ----
    // TODO: totals is scanned: totals[k] is the sum of the pieces 0 to k. Add to each of this piece's 512 elements, as
    //       far as they are there, what comes before the piece. Two elements for each thread.
    // ---- end ----
}
