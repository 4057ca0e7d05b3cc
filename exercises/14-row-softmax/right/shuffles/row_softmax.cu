// SPDX-License-Identifier: MIT

// Exercise 14: each block works on one row, which may be shorter than 256 elements or longer. x is the column.

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
    const int t = threadIdx.x;
    float m = -INFINITY;
    for (int i = t; i < columns; i += 256) m = fmaxf(m, row[i]);
    for (int offset = 16; offset > 0; offset /= 2) m = fmaxf(m, __shfl_down_sync(0xffffffff, m, offset));
    if (t % 32 == 0) part[t / 32] = m;   // that of a warp
    __syncthreads();
    if (t < 32) {
        m = t < 8 ? part[t] : -INFINITY;
        for (int offset = 4; offset > 0; offset /= 2) m = fmaxf(m, __shfl_down_sync(0xffffffff, m, offset));
        if (t == 0) largest[blockIdx.x] = m;
    }
    // ---- end ----
}

__global__ void softmax(const float* a, float* b, int columns) {
    __shared__ float part[256];
    extern __shared__ float kept[];               // a place for each column, as many as the launch asks for
    const float* row = a + blockIdx.x * columns;
    float* result = b + blockIdx.x * columns;
    // ---- your code (about 10 lines) ----
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float m = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += 256) m = fmaxf(m, row[i]);
    for (int mask = 16; mask > 0; mask /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, mask));
    if (lane == 0) part[warp] = m;
    __syncthreads();
    for (int w = 0; w < 8; ++w) m = fmaxf(m, part[w]);
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += 256) {
        const float e = expf(row[i] - m);
        kept[i] = e;
        sum += e;
    }
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    if (lane == 0) part[8 + warp] = sum;   // beside the maxima: no barrier before
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; ++w) sum += part[8 + w];
    for (int i = threadIdx.x; i < columns; i += 256) result[i] = kept[i] / sum;
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
