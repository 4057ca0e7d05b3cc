// SPDX-License-Identifier: MIT
// Exclusive scan within each block after Blelloch: a tree of sums upwards, then the offsets downwards.

constexpr int block_size = 64;
constexpr int elements = 2 * block_size;

__global__ void scan_blocks(const int* x, int* y, int n) {
    __shared__ int part[elements];
    int t = threadIdx.x, first = blockIdx.x * elements;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + block_size] = first + t + block_size < n ? x[first + t + block_size] : 0;
    for (int stride = 1; stride < elements; stride *= 2) {
        __syncthreads();
        int right = 2 * stride * (t + 1) - 1;
        if (right < elements) part[right] += part[right - stride];
    }
    if (t == 0) part[elements - 1] = 0;  // it has just written the total there
    for (int stride = block_size; stride > 0; stride /= 2) {
        __syncthreads();
        int right = 2 * stride * (t + 1) - 1;
        if (right < elements) {
            int sum = part[right - stride];
            part[right - stride] = part[right];
            part[right] += sum;
        }
    }
    __syncthreads();
    if (first + t < n) y[first + t] = part[t];
    if (first + t + block_size < n) y[first + t + block_size] = part[t + block_size];
}
