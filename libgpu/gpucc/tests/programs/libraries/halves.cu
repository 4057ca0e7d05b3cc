// SPDX-License-Identifier: MIT
// Halves on both sides: conversions, operators, pairs.
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

__global__ void scale(const __half* x, __half* y, float by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hadd(__hmul(x[i], __float2half(by)), __float2half(0.5f));
}
__global__ void pairs(const half2* x, half2* y, int n) {
    const int i = threadIdx.x;
    if (i < n) y[i] = __hfma2(x[i], __float2half2_rn(2.0f), x[i]);
}

int main() {
    const int n = 8;
    std::vector<__half> host(n), result(n);
    for (int i = 0; i < n; ++i) host[i] = __float2half(0.25f * i);
    __half *x, *y;
    cudaMalloc(&x, n * sizeof(__half));
    cudaMalloc(&y, n * sizeof(__half));
    cudaMemcpy(x, host.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(x, y, 3.0f, n);
    cudaMemcpy(result.data(), y, n * sizeof(__half), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        const __half expected = host[i] * __float2half(3.0f) + __float2half(0.5f);
        wrong += __half2float(result[i]) != __half2float(expected);
    }
    pairs<<<1, 4>>>((const half2*)x, (half2*)y, n / 2);
    cudaMemcpy(result.data(), y, n * sizeof(__half), cudaMemcpyDeviceToHost);
    printf("%d wrong, %g %g, %zu bytes, %g\n", wrong, __half2float(result[3]), float(result[7]), sizeof(half2),
           __half2float(__float2half(65519.0f)));
    return wrong;
}
