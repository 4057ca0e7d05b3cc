// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// cuda_fp16.h: halves travel as 16-bit words.
inline constexpr const char* half = R"(
#include <cuda_fp16.h>
__global__ void to_float(float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __half2float(__ushort_as_half((unsigned short)i));
}
__global__ void from_float(const float* x, unsigned short* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i * 4] = __half_as_ushort(__float2half(x[i]));
    out[i * 4 + 1] = __half_as_ushort(__float2half_rd(x[i]));
    out[i * 4 + 2] = __half_as_ushort(__float2half_ru(x[i]));
    out[i * 4 + 3] = __half_as_ushort(__float2half_rz(x[i]));
}
__global__ void from_double(const double* x, unsigned short* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __half_as_ushort(__double2half(x[i]));
}
__global__ void arithmetic(const unsigned short* x, const unsigned short* y, const unsigned short* z,
                           unsigned short* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    half a = __ushort_as_half(x[i]), b = __ushort_as_half(y[i]), c = __ushort_as_half(z[i]);
    half* mine = (half*)(out + i * 16);
    mine[0] = a + b;
    mine[1] = a - b;
    mine[2] = a * b;
    mine[3] = a / b;
    mine[4] = __hfma(a, b, c);
    mine[5] = hsqrt(__habs(a));
    mine[6] = __hadd(a, b);
    mine[7] = __hmul(a, b);
    mine[8] = __hdiv(a, b);
    mine[9] = -a;
    mine[10] = __hadd_sat(a, b);
    mine[11] = __hmax(a, b);
    mine[12] = __hmin(a, b);
    half s = a;
    s += b;
    s *= c;
    mine[13] = s;
    half2 two = __hfma2(__halves2half2(a, b), __half2half2(c), __halves2half2(b, a));
    mine[14] = __low2half(two);
    mine[15] = __high2half(two);
}
__global__ void functions(const float* x, float* out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    half h = __float2half(x[i]);
    float* mine = out + i * 16;
    int k = 0;
    mine[k++] = __half2float(hexp(h)); mine[k++] = __half2float(hexp2(h)); mine[k++] = __half2float(hlog(h));
    mine[k++] = __half2float(hlog2(h)); mine[k++] = __half2float(hlog10(h)); mine[k++] = __half2float(hsin(h));
    mine[k++] = __half2float(hcos(h)); mine[k++] = __half2float(hrsqrt(h)); mine[k++] = __half2float(hrcp(h));
    mine[k++] = __half2float(hfloor(h)); mine[k++] = __half2float(hceil(h)); mine[k++] = __half2float(hrint(h));
    mine[k++] = __half2float(htrunc(h)); mine[k++] = __low2float(h2exp(__half2half2(h)));
    mine[k++] = __half2float(hexp10(h)); mine[k++] = __high2float(h2sqrt(__floats2half2_rn(1.0f, x[i])));
}
__global__ void comparisons(int* out) {
    half one = __float2half(1.0f), two = 2.0f, nan = __ushort_as_half(0x7e00), inf = __ushort_as_half(0x7c00);
    half2 a = __floats2half2_rn(1.0f, 5.0f), b = make_half2(two, __float2half(5.0f));
    int k = 0;
    out[k++] = (one < two) + 2 * (one > two) + 4 * (one == one) + 8 * (one != two) + 16 * (two <= two) + 32 * (one >= two);
    out[k++] = __hlt(one, two) + 2 * __hgt(one, two) + 4 * __heq(one, one) + 8 * __hne(one, two) + 16 * __hle(two, two);
    out[k++] = __hlt(one, nan) + 2 * __hltu(one, nan) + 4 * __heq(nan, nan) + 8 * __hequ(nan, nan) + 16 * __hne(one, nan);
    out[k++] = __hisnan(nan) + 2 * (__hisinf(inf) == 1) + 4 * (__hisinf(-inf) == -1) + 8 * __hisnan(inf);
    float2 less = __half22float2(__hlt2(a, b)), equal = __half22float2(__heq2(a, b));
    out[k++] = (int)(less.x + 2 * less.y + 4 * equal.x + 8 * equal.y) + 16 * __hble2(a, b) + 32 * __hblt2(a, b);
    out[k++] = (int)__heq2_mask(a, b);
    out[k++] = __half2int_rn(__float2half(2.5f)) + 10 * __half2int_rz(__float2half(-2.5f)) + 100 * __half2int_ru(__float2half(2.5f)) + 1000 * __half2int_rd(__float2half(-2.5f));
    out[k++] = __half2int_rn(inf) == 2147483647 && __half2int_rz(nan) == 0 && __half2uint_rn(-one) == 0 && __half2short_rz(inf) == 32767;
    out[k++] = __half_as_ushort(__int2half_rn(2049)) | __half_as_ushort(__int2half_ru(2049)) << 16;
    out[k++] = __half_as_ushort(__uint2half_rz(70000u)) | __half_as_ushort(__ll2half_rn(-70000ll)) << 16;
    out[k++] = (int)(short)two + (int)(unsigned)two * 10 + (two ? 100 : 0) + (int)((float)two * 500);
    out[k++] = (int)__half2float(__hmax(one, nan)) + 10 * __hisnan(__hmax_nan(one, nan)) + 100 * (int)__half2float(__hmin(two, one));
    half2 sum = a + b * a - b / b;
    sum += a;
    out[k++] = (int)(__low2float(sum) * 100 + __high2float(sum));
    half2 turned = __lowhigh2highlow(a);
    out[k++] = (int)(__low2float(turned) * 10 + __high2float(__low2half2(turned)) * 100 + __low2float(__highs2half2(a, b)));
    out[k++] = sizeof(half) + 10 * sizeof(half2) + 100 * alignof(half2) + 1000 * alignof(half);
    half counter = 3.0f;
    ++counter; counter--; counter++;
    out[k++] = (int)counter + (a == a) * 10 + (a == b) * 100 + (int)__half2float(-one) * 1000;
}
__global__ void in_warps(unsigned short* sums, unsigned short* pairs) {
    half v = __int2half_rn(threadIdx.x % 32);
    half2 w = __floats2half2_rn(1.0f, threadIdx.x % 32);
    for (int by = 16; by > 0; by /= 2) {
        v += __shfl_xor_sync(0xffffffffu, v, by);
        w += __shfl_down_sync(0xffffffffu, w, by);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd((half*)sums, v);
        atomicAdd((half2*)pairs, w);
    }
}
)";

}  // namespace texts
