// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // 16 runs of 32: each warp scans two of them by shuffles, then the first half-warp the 16 totals.
    __shared__ int runs[16];
    const int lane = t % 32, warp = t / 32;
    __syncthreads();
    int low = part[t], high = part[t + 256];
    for (int hop = 1; hop < 32; hop *= 2) {
        const int a = __shfl_up_sync(0xffffffff, low, hop), b = __shfl_up_sync(0xffffffff, high, hop);
        low += lane >= hop ? a : 0;
        high += lane >= hop ? b : 0;
    }
    if (lane == 31) runs[warp] = low, runs[warp + 8] = high;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < 16 ? runs[lane] : 0;
        for (int hop = 1; hop < 16; hop *= 2) {
            const int other = __shfl_up_sync(0xffffffff, sum, hop);
            if (lane >= hop) sum += other;
        }
        if (lane < 16) runs[lane] = sum;
    }
    __syncthreads();
    part[t] = low + (warp > 0 ? runs[warp - 1] : 0);
    part[t + 256] = high + runs[warp + 7];
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
