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
    part[t] = m;
    __syncthreads();
    if (t < 128) part[t] = m = fmaxf(m, part[t + 128]);
    __syncthreads();
    if (t < 64) part[t] = m = fmaxf(m, part[t + 64]);
    __syncthreads();
    if (t < 32) {
        m = fmaxf(m, part[t + 32]);
        for (int offset = 16; offset > 0; offset >>= 1) m = fmaxf(m, __shfl_down_sync(0xffffffffu, m, offset));
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
    float m = -INFINITY;
    int i = threadIdx.x;
    while (i < columns) {
        kept[i] = row[i];
        m = fmaxf(m, kept[i]);
        i += 256;
    }
    m = block_reduce(m, part, Larger());
    __syncthreads();
    float sum = 0;
    for (i = threadIdx.x; i < columns; i += 256) {
        kept[i] = expf(kept[i] - m);
        sum = sum + kept[i];
    }
    sum = block_reduce(sum, part, Sum());
    __syncthreads();
    for (i = threadIdx.x; i < columns; i += 256) result[i] = kept[i] / sum;
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
