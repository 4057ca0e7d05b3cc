// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // Each thread adds up a pair; Hillis and Steele's scan (Kogge and Stone's adder) runs over the 256 pair sums, from
    // one buffer into the other; each thread then completes its pair.
    __shared__ int sums[2][256];
    __syncthreads();
    const int low = part[2 * t], high = part[2 * t + 1];
    int from = 0;
    sums[0][t] = low + high;
    for (int hop = 1; hop < 256; hop *= 2) {
        __syncthreads();
        sums[1 - from][t] = sums[from][t] + (t >= hop ? sums[from][t - hop] : 0);
        from = 1 - from;
    }
    part[2 * t + 1] = sums[from][t];
    part[2 * t] = sums[from][t] - high;
    __syncthreads();
    // ---- end ----
    if (first + t < n) y[first + t] = part[t];
    if (first + t + 256 < n) y[first + t + 256] = part[t + 256];
    if (t == 0) totals[blockIdx.x] = part[511];
}

__global__ void add_before(const int* totals, int* y, int n) {
    // ---- your code (about 4 lines) ----
    // blockIdx.x + 1 is the piece: nothing comes before the first one.
    const int piece = blockIdx.x + 1, before = __ldg(totals + blockIdx.x);
    for (int k = threadIdx.x; k < 512; k += blockDim.x)
        if (piece * 512 + k < n) y[piece * 512 + k] += before;
    // ---- end ----
}
