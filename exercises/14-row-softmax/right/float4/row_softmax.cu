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
    float m = -INFINITY;
    if (columns % 4 == 0) {   // then each row begins at 16 bytes
        const float4* quads = reinterpret_cast<const float4*>(row);
        for (int i = threadIdx.x; i < columns / 4; i += blockDim.x) {
            const float4 v = quads[i];
            m = fmaxf(m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        }
    } else {
        for (int i = threadIdx.x; i < columns; i += blockDim.x) m = fmaxf(m, row[i]);
    }
    m = block_reduce(m, part, Larger());
    if (threadIdx.x == 0) largest[blockIdx.x] = m;
    // ---- end ----
}

__global__ void softmax(const float* a, float* b, int columns) {
    __shared__ float part[256];
    extern __shared__ float kept[];               // a place for each column, as many as the launch asks for
    const float* row = a + blockIdx.x * columns;
    float* result = b + blockIdx.x * columns;
    // ---- your code (about 10 lines) ----
    const int t = threadIdx.x, quads = columns % 4 == 0 ? columns / 4 : 0;
    const float4* from = reinterpret_cast<const float4*>(row);
    float m = -INFINITY, sum = 0;
    for (int i = t; i < quads; i += 256) {
        const float4 v = from[i];
        m = fmaxf(m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    for (int i = 4 * quads + t; i < columns; i += 256) m = fmaxf(m, row[i]);   // all of it, if rows aren't aligned
    m = block_reduce(m, part, Larger());
    for (int i = t; i < quads; i += 256) {
        const float4 v = from[i];
        const float4 e = make_float4(expf(v.x - m), expf(v.y - m), expf(v.z - m), expf(v.w - m));
        reinterpret_cast<float4*>(kept)[i] = e;
        sum += e.x + e.y + e.z + e.w;
    }
    for (int i = 4 * quads + t; i < columns; i += 256) {
        kept[i] = expf(row[i] - m);
        sum += kept[i];
    }
    __syncthreads();
    sum = block_reduce(sum, part, Sum());
    for (int i = t; i < columns; i += 256) result[i] = kept[i] / sum;
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
