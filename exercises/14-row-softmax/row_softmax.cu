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
    // TODO: 1. Each thread: the largest of row[t], row[t + 256], row[t + 512], ... What does a thread without any take?
    //       2. block_reduce(..., part, Larger()) makes it that of the row; one thread writes it to largest.
    // ---- end ----
}

__global__ void softmax(const float* a, float* b, int columns) {
    __shared__ float part[256];
    extern __shared__ float kept[];               // a place for each column, as many as the launch asks for
    const float* row = a + blockIdx.x * columns;
    float* result = b + blockIdx.x * columns;
    // ---- your code (about 10 lines) ----
    // TODO: 1. The row's largest element, m, as in row_max.
    //       2. The sum of all expf(row[i] - m). Keep them in `kept`: then no element is read a third time.
    //          part is used for the second time here: is the whole block done with the first?
    //       3. The quotients go to result.
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
