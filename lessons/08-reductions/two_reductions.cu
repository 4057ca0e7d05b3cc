// SPDX-License-Identifier: MIT
// How far the peak of each row stands above its mean, in absolute values: two reductions through one buffer.

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

// [peak]
__global__ void peak_over_mean(const float* a, float* result, int columns) {
    __shared__ float part[256];
    const int t = threadIdx.x, row = blockIdx.x;
    float peak = 0, sum = 0;  // no absolute value is less than 0
    for (int i = t; i < columns; i += 256) {
        const float size = fabsf(a[row * columns + i]);
        peak = fmaxf(peak, size);
        sum += size;
    }
    peak = reduce(peak, part, [](float x, float y) { return fmaxf(x, y); });
#ifdef BARRIER
    __syncthreads();  // all threads have read part[0]: now it may be written again
#endif
    sum = reduce(sum, part, [](float x, float y) { return x + y; });
    if (t == 0) result[row] = peak * columns / sum;
}
// [/peak]
