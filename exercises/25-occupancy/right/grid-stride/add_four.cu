// SPDX-License-Identifier: MIT

// Exercise 25: four elements for each thread.

__global__ void add_four(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 9 lines) ----
    const int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 3 * stride < n) {
        const float a = x[i], b = x[i + stride], c = x[i + 2 * stride], d = x[i + 3 * stride];
        const float e = y[i], f = y[i + stride], g = y[i + 2 * stride], h = y[i + 3 * stride];
        z[i] = a + e;
        z[i + stride] = b + f;
        z[i + 2 * stride] = c + g;
        z[i + 3 * stride] = d + h;
    } else {
        for (; i < n; i += stride) z[i] = x[i] + y[i];
    }
    // ---- end ----
}
