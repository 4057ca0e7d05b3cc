// SPDX-License-Identifier: MIT
#ifndef LINKED_HEADERS_CUH
#define LINKED_HEADERS_CUH

#include <device_launch_parameters.h>
#include <vector>

#define N 16
#define LAUNCH_1D(kernel, count, ...) kernel<<<((count) + 7) / 8, 8>>>(__VA_ARGS__)
#define KERNEL_LOOP(i, n) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

namespace filters {

constexpr float side = 0.25f;
__constant__ float kernel_weights[3] = {side, 1.f - 2 * side, side};
namespace {
__device__ int clamped(int i) { return i < 0 ? 0 : i >= N ? N - 1 : i; }
}  // namespace

__global__ void smooth(const float* in, float* out, int n) {
    KERNEL_LOOP(i, n) {
        float sum = 0.f;
        for (int k = -1; k <= 1; k++) sum += kernel_weights[k + 1] * in[clamped(i + k)];
        out[i] = sum * sum;
    }
}

inline std::vector<float> smoothed(float* host) {
    float *in, *out;
    cudaMalloc(&in, N * sizeof(float));
    cudaMalloc(&out, N * sizeof(float));
    cudaMemcpy(in, host, N * sizeof(float), cudaMemcpyDefault);
    LAUNCH_1D(smooth, N, in, out, N);
    std::vector<float> result(N);
    cudaMemcpy(result.data(), out, N * sizeof(float), cudaMemcpyDefault);
    host[0] = result[0];
    cudaFree(in);
    cudaFree(out);
    return result;
}

}  // namespace filters

#endif
