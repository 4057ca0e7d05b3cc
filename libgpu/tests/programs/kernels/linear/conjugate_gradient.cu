// SPDX-License-Identifier: MIT
// Conjugate gradients for a small dense system, the whole iteration in one block: two dot products a step, each by a
// tree in shared memory.

constexpr int block_size = 64;  // n may not be larger

__device__ float dot(float a, float b, float* part) {
    int t = threadIdx.x;
    part[t] = a * b;
    for (int half = block_size / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    __syncthreads();
    float sum = part[0];
    __syncthreads();
    return sum;
}

__global__ void solve(const float* a, const float* b, float* x, int n, int steps) {
    __shared__ float part[block_size], direction[block_size];
    int t = threadIdx.x;
    float own_x = 0.0f, residual = t < n ? b[t] : 0.0f;
    direction[t] = residual;
    float size = dot(residual, residual, part);
    for (int step = 0; step < steps; ++step) {
        float product = 0.0f;
        if (t < n)
            for (int k = 0; k < n; ++k) product += a[t * n + k] * direction[k];
        float length = size / dot(direction[t], product, part);
        own_x += length * direction[t];
        residual -= length * product;
        float new_size = dot(residual, residual, part);
        direction[t] = residual + new_size / size * direction[t];
        size = new_size;
        __syncthreads();
    }
    if (t < n) x[t] = own_x;
}
