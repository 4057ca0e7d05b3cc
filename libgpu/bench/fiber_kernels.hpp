// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/gpu.hpp>

// The kernels of the table; each allocates and fills once, and can be run again.
namespace bench {

using Sum = gpu::RawKernel<void(const float*, float*)>;
using Add = gpu::RawKernel<void(const float*, const float*, float*, int)>;
using Matmul = gpu::RawKernel<void(const float*, const float*, float*, int)>;
using Barriers = gpu::RawKernel<void(int*, int)>;
using Saxpy = gpu::RawKernel<void(float, const float*, float*, int)>;
using Shuffles = gpu::RawKernel<void(int*, int, int)>;

inline const char* const barriers_text = R"(
__global__ void barriers(int* out, int count) {
    for (int k = 0; k < count; ++k) __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = count;
}
)";

// The usual tree from behind, which does the same work: that one is exercise 12's.
inline const char* const tree_text = R"(
__global__ void tree(const float* x, float* sums) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t >= 256 - half) part[t] += part[t - half];
        __syncthreads();
    }
    if (t == 255) sums[blockIdx.x] = part[t];
}
)";

inline const char* const shuffle_text = R"(
__global__ void shuffle(const float* x, float* sums) {
    __shared__ float part[8];
    int t = threadIdx.x, lane = t % 32;
    float sum = x[blockIdx.x * 256 + t];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0) part[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = lane < 8 ? part[lane] : 0.0f;
        for (int d = 4; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (t == 0) sums[blockIdx.x] = sum;
    }
}
)";

inline const char* const matmul_text = R"(
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[16][16], tile_b[16][16];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += tile_a[y][j] * tile_b[j][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
)";

// vadd as the other three see it: with a barrier, so that it runs on fibers in both of the modes that are compared.
inline const char* const vadd_text = R"(
__global__ void vadd(const float* x, const float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    if (i < n) z[i] = x[i] + y[i];
}
)";

// Without a barrier: outside of check mode a loop over all threads.
inline const char* const saxpy_text = R"(
__global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

// Sums over 32 or 16 neighbours, again and again: that many threads shuffle among themselves.
inline const char* const shuffles_text = R"(
__global__ void shuffles(int* out, int rounds, int width) {
    int t = threadIdx.x, total = 0;
    unsigned mask = width == 32 ? 0xffffffffu : 0xffffu << t % 32 / 16 * 16;
    for (int k = 0; k < rounds; ++k) {
        int sum = t + k;
        for (int d = width / 2; d > 0; d /= 2) sum += __shfl_xor_sync(mask, sum, d);
        total += sum & 1023;
    }
    out[t] = total;
}
)";

}  // namespace bench
