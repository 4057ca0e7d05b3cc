// SPDX-License-Identifier: MIT
// The spread of each row, its largest element less its smallest: two reductions through one buffer.

template <class Combine>
__device__ float reduce(float value, float* part, Combine combine) {
    const int t = threadIdx.x;
    part[t] = value;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] = combine(part[t], part[t + half]);
        __syncthreads();
    }
    return part[0];
}

// [spread]
__global__ void spread(const float* a, float* result, int columns) {
    __shared__ float part[256];
    const int t = threadIdx.x, row = blockIdx.x;
    float high = -INFINITY, low = INFINITY;
    for (int i = t; i < columns; i += 256) {
        high = fmaxf(high, a[row * columns + i]);
        low = fminf(low, a[row * columns + i]);
    }
    high = reduce(high, part, [](float x, float y) { return fmaxf(x, y); });
#ifdef BARRIER
    __syncthreads();  // all threads have read part[0]: now it may be written again
#endif
    low = reduce(low, part, [](float x, float y) { return fminf(x, y); });
    if (t == 0) result[row] = high - low;
}
// [/spread]
