// SPDX-License-Identifier: MIT
// Inclusive scan that starts again at each flag, in one block: pairs of (flag, sum) are combined.

constexpr int block_size = 256;

__global__ void scan_segments(const int* x, const int* starts, int* y, int n) {
    __shared__ int sum[block_size], start[block_size];
    int t = threadIdx.x;
    sum[t] = t < n ? x[t] : 0;
    start[t] = t < n ? starts[t] : 1;
    __syncthreads();
    for (int distance = 1; distance < block_size; distance *= 2) {
        int new_sum = sum[t], new_start = start[t];
        if (t >= distance && start[t] == 0) {
            new_sum += sum[t - distance];
            new_start = start[t - distance];
        }
        __syncthreads();
        sum[t] = new_sum;
        start[t] = new_start;
        __syncthreads();
    }
    if (t < n) y[t] = sum[t];
}
