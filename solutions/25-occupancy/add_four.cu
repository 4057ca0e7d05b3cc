// SPDX-License-Identifier: MIT

// Exercise 25: four elements for each thread.

__global__ void add_four(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 9 lines) ----
    const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    float a[4], b[4];
    for (int k = 0; k < 4; ++k) {  // eight loads under way: nothing is needed before the last one has begun
        const int i = first + k * stride;
        a[k] = i < n ? x[i] : 0;
        b[k] = i < n ? y[i] : 0;
    }
    for (int k = 0; k < 4; ++k)
        if (const int i = first + k * stride; i < n) z[i] = a[k] + b[k];
    // ---- end ----
}
