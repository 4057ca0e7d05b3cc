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
    float largest_of_mine = -INFINITY;  // what a thread without an element takes: it changes no maximum
    for (int i = threadIdx.x; i < columns; i += 256) largest_of_mine = fmaxf(largest_of_mine, row[i]);
    const float m = block_reduce(largest_of_mine, part, Larger());  // outside of any if: all 256 threads come here
    if (threadIdx.x == 0) largest[blockIdx.x] = m;
    // ---- end ----
}

__global__ void softmax(const float* a, float* b, int columns) {
    __shared__ float part[256];
    extern __shared__ float kept[];               // a place for each column, as many as the launch asks for
    const float* row = a + blockIdx.x * columns;
    float* result = b + blockIdx.x * columns;
    // ---- your code (about 10 lines) ----
    float m = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < columns; i += 256) m = fmaxf(m, row[i]);
    m = block_reduce(m, part, Larger());
    for (int i = threadIdx.x; i < columns; i += 256) {
        kept[i] = expf(row[i] - m);
        sum += kept[i];
    }
    __syncthreads();
    sum = 0;
    for (int i = 0; i < columns; ++i) sum += kept[i];  // wrong: each thread adds up the whole row
    for (int i = threadIdx.x; i < columns; i += 256) result[i] = kept[i] / sum;
    // ---- end ----
}

__global__ void softmax_once(const float* a, float* b, int columns) {
    __shared__ float part[256];
    extern __shared__ float kept[];
    const float* row = a + blockIdx.x * columns;
    float* result = b + blockIdx.x * columns;
    // ---- your code, star (about 13 lines) ----
    float m = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < columns; i += 256) {
        kept[i] = row[i];  // read once: from here on it comes from shared memory
        m = fmaxf(m, kept[i]);
    }
    m = block_reduce(m, part, Larger());
    for (int i = threadIdx.x; i < columns; i += 256) {
        kept[i] = expf(kept[i] - m);
        sum += kept[i];
    }
    __syncthreads();
    sum = block_reduce(sum, part, Sum());
    for (int i = threadIdx.x; i < columns; i += 256) result[i] = kept[i] / sum;
    // ---- end ----
}
