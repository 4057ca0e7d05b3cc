// SPDX-License-Identifier: MIT
// Inclusive scan within each block after Hillis and Steele: log2(n) steps, in two buffers that take turns.

constexpr int block_size = 128;

__global__ void scan_blocks(const int* x, int* y, int n) {
    __shared__ int buffer[2][block_size];
    int t = threadIdx.x, i = blockIdx.x * block_size + t, from = 0;
    buffer[0][t] = i < n ? x[i] : 0;
    for (int distance = 1; distance < block_size; distance *= 2) {
        __syncthreads();
        buffer[1 - from][t] = buffer[from][t] + (t >= distance ? buffer[from][t - distance] : 0);
        from = 1 - from;
    }
    if (i < n) y[i] = buffer[from][t];
}
