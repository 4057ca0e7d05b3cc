// SPDX-License-Identifier: MIT
// Run-length encoding in one block: where a run begins, a scan of the beginnings gives its number.

constexpr int block_size = 256;

__global__ void encode(const int* x, int* values, int* lengths, int* count, int n) {
    __shared__ int number[2][block_size];
    __shared__ int begin[block_size + 1];
    int t = threadIdx.x, from = 0;
    bool begins = t < n && (t == 0 || x[t] != x[t - 1]);
    number[0][t] = begins;
    for (int distance = 1; distance < block_size; distance *= 2) {
        __syncthreads();
        number[1 - from][t] = number[from][t] + (t >= distance ? number[from][t - distance] : 0);
        from = 1 - from;
    }
    if (begins) begin[number[from][t] - 1] = t;
    if (t == n - 1) {
        *count = number[from][t];
        begin[number[from][t]] = n;
    }
    __syncthreads();
    if (begins) {
        int run = number[from][t] - 1;
        values[run] = x[t];
        lengths[run] = begin[run + 1] - t;
    }
}
