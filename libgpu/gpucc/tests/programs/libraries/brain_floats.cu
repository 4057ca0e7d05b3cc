// SPDX-License-Identifier: MIT
// bfloat16 and half on both sides: conversions, operators, pairs, comparisons, mathematics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

__global__ void scale(const __nv_bfloat16* x, __nv_bfloat16* y, float by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma(x[i], __float2bfloat16(by), __float2bfloat16(0.5f));
}
__global__ void pairs(const __nv_bfloat162* x, __nv_bfloat162* y, int n) {
    const int i = threadIdx.x;
    if (i < n) y[i] = __hadd2(__hmul2(x[i], __floats2bfloat162_rn(2.0f, 3.0f)), __bfloat162bfloat162(x[i].x));
}
__global__ void functions(const half* x, half* y, int n) {
    const int i = threadIdx.x;
    if (i < n) y[i] = __hfma(__hmax(x[i], __float2half(2.0f)), hrcp(__float2half(4.0f)), hsqrt(x[i]));
}
template <typename T>
__global__ void sum(const T* x, float* out, int n) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += (float)x[i];
    *out = total;
}

__host__ __device__ inline float twice(__nv_bfloat16 x) { return 2.0f * __bfloat162float(x); }
__global__ void twice_of(const __nv_bfloat16* x, float* out) { out[0] = twice(x[0]); }

int main() {
    const int n = 8;
    std::vector<__nv_bfloat16> host(n), result(n);
    for (int i = 0; i < n; ++i) host[i] = __float2bfloat16(0.3f * i);
    __nv_bfloat16 *x, *y;
    float *out, value;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&y, n * sizeof *y);
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(x, host.data(), n * sizeof *x, cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(x, y, 3.0f, n);
    cudaMemcpy(result.data(), y, n * sizeof *y, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += !__heq(result[i], __float2bfloat16(3.0f * __bfloat162float(host[i]) + 0.5f));
    printf("%d wrong, %g %g\n", wrong, __bfloat162float(result[1]), (float)result[7]);
    pairs<<<1, 4>>>((const __nv_bfloat162*)x, (__nv_bfloat162*)y, n / 2);
    cudaMemcpy(result.data(), y, n * sizeof *y, cudaMemcpyDeviceToHost);
    printf("pairs %g %g, %zu bytes\n", __bfloat162float(result[6]), __bfloat162float(result[7]),
           sizeof(__nv_bfloat162));
    sum<<<1, 1>>>(x, out, n);
    cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
    printf("sum %g, ", value);
    twice_of<<<1, 1>>>(x + 3, out);
    cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
    printf("twice %g %g\n", value, twice(host[3]));

    // The host's own arithmetic: rounded after each operation.
    const __nv_bfloat16 third = __float2bfloat16(1.0f / 3), seven = 7.0f;
    __nv_bfloat16 total = third + seven;
    total += third * seven;
    total = total / __float2bfloat16(3.0f);
    printf("%.8g %.8g %d %d %d\n", __bfloat162float(third), __bfloat162float(total), int(third < seven),
           int(__hgt(third, seven)), int(__hisnan(__float2bfloat16(0.0f) / __float2bfloat16(0.0f))));
    printf("%04x %04x %04x %g\n", __bfloat16_as_ushort(__float2bfloat16(1.00390625f)),
           __bfloat16_as_ushort(__float2bfloat16(-3.4e38f)), __bfloat16_as_ushort(__float2bfloat16_rz(1.999f)),
           __bfloat162float(__ushort_as_bfloat16(0x4049)));
    const __nv_bfloat162 two = __floats2bfloat162_rn(1.5f, -2.5f);
    const float2 both = __bfloat1622float2(two);
    printf("%g %g %g %g\n", both.x, both.y, __low2float(two), __high2float(two));

    std::vector<half> halves(n);
    for (int i = 0; i < n; ++i) halves[i] = __float2half(float(i));
    half *h, *g;
    cudaMalloc(&h, n * sizeof *h);
    cudaMalloc(&g, n * sizeof *g);
    cudaMemcpy(h, halves.data(), n * sizeof *h, cudaMemcpyHostToDevice);
    functions<<<1, 32>>>(h, g, n);
    cudaMemcpy(halves.data(), g, n * sizeof *g, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", __half2float(halves[0]), __half2float(halves[4]), __half2float(halves[7]));
    half sum_of_halves = __float2half(0.0f);
    for (int i = 0; i < 3000; ++i) sum_of_halves = __hadd(sum_of_halves, __float2half(1.0f));
    printf("%g, %04x %04x, %d\n", __half2float(sum_of_halves), __half_as_ushort(__float2half_rd(0.1f)),
           __half_as_ushort(__float2half_ru(0.1f)), __half2int_rz(__float2half(-2.75f)));
    const half2 product = __hmul2(__floats2half2_rn(1.5f, 2.0f), __float2half2_rn(3.0f));
    printf("%g %g\n", __low2float(product), __high2float(product));
    cudaFree(h);
    cudaFree(g);
    cudaFree(x);
    cudaFree(y);
    cudaFree(out);
    return 0;
}
