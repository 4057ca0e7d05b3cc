// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // Two neighbours for each thread: 256 pair sums, scanned by warps, then added.
    __syncthreads();
    const int low = part[2 * t], high = part[2 * t + 1];
    int sum = low + high;
    for (int width = 1; width < 32; width *= 2) {
        const int other = __shfl_up_sync(0xffffffff, sum, width);
        if (t % 32 >= width) sum += other;
    }
    __shared__ int warps[8];
    if (t % 32 == 31) warps[t / 32] = sum;
    __syncthreads();
    for (int w = 0; w < t / 32; ++w) sum += warps[w];
    part[2 * t] = sum - high;
    part[2 * t + 1] = sum;
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
