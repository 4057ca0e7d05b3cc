// SPDX-License-Identifier: MIT

// Exercise 14: each block works on one row, which may be shorter than 256 elements or longer. x is the column.

#include <cooperative_groups.h>

struct Larger { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
struct Sum { __device__ float operator()(float a, float b) const { return a + b; } };

// Given: the tree of exercise 12. It combines the 256 threads' values and returns the result to all. Each thread
// of the block must call it, since it has barriers. Then all of them read part[0]: part must stay as it is until then.
template <class Combine>
__device__ float block_reduce(float value, float* part, Combine combine) {
    const int t = threadIdx.x;
    part[t] = value;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] = combine(part[t], part[t + half]);
        __syncthreads();
    }
    return part[0];
}

__global__ void row_max(const float* a, float* largest, int columns) {
    __shared__ float part[256];
    const float* row = a + blockIdx.x * columns;  // this block's row
    // ---- your code (about 4 lines) ----
    const auto block = cooperative_groups::this_thread_block();
    const auto warp = cooperative_groups::tiled_partition<32>(block);
    float m = -INFINITY;
    for (int i = block.thread_rank(); i < columns; i += block.size()) m = fmaxf(m, row[i]);
    for (int offset = warp.size() / 2; offset > 0; offset /= 2) m = fmaxf(m, warp.shfl_down(m, offset));
    if (warp.thread_rank() == 0) part[block.thread_rank() / 32] = m;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int w = 1; w < 8; ++w) m = fmaxf(m, part[w]);
        largest[blockIdx.x] = m;
    }
    // ---- end ----
}

__global__ void softmax(const float* a, float* b, int columns) {
    __shared__ float part[256];
    extern __shared__ float kept[];               // a place for each column, as many as the launch asks for
    const float* row = a + blockIdx.x * columns;
    float* result = b + blockIdx.x * columns;
    // ---- your code (about 10 lines) ----
    const auto block = cooperative_groups::this_thread_block();
    const auto warp = cooperative_groups::tiled_partition<32>(block);
    const int t = block.thread_rank();
    float m = -INFINITY, sum = 0;
    for (int i = t; i < columns; i += block.size()) m = fmaxf(m, row[i]);
    for (int mask = 16; mask > 0; mask /= 2) m = fmaxf(m, warp.shfl_xor(m, mask));
    if (warp.thread_rank() == 0) part[t / 32] = m;
    block.sync();
    m = part[0];
    for (int w = 1; w < 8; ++w) m = fmaxf(m, part[w]);
    for (int i = t; i < columns; i += block.size()) sum += kept[i] = expf(row[i] - m);
    for (int mask = 16; mask > 0; mask /= 2) sum += warp.shfl_xor(sum, mask);
    block.sync();
    if (warp.thread_rank() == 0) part[t / 32] = sum;
    block.sync();
    sum = part[0];
    for (int w = 1; w < 8; ++w) sum += part[w];
    for (int i = t; i < columns; i += block.size()) result[i] = kept[i] / sum;
    // ---- end ----
}

__global__ void softmax_once(const float* a, float* b, int columns) {
    __shared__ float part[256];
    extern __shared__ float kept[];
    const float* row = a + blockIdx.x * columns;
    float* result = b + blockIdx.x * columns;
    // ---- your code, star (about 13 lines) ----
    // TODO: The same once more, and each element of a is read once.
    // ---- end ----
}
