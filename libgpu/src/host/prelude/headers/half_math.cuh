// SPDX-License-Identifier: MIT
// The functions of cuda_fp16.h: arithmetic, comparisons, mathematics, shuffles and atomics of halves.

#pragma GCC system_header
GPU_INLINE bool __hisnan(__half h) { return (h.__x & 0x7fff) > 0x7c00; }
GPU_INLINE int __hisinf(__half h) { return h.__x == 0x7c00 ? 1 : h.__x == 0xfc00 ? -1 : 0; }
GPU_INLINE __half gpu_half_sat(__half h) {
    const float x = gpu_float(h);
    return x > 0.0f ? (x < 1.0f ? h : gpu_half(1.0f)) : gpu_half(0.0f);
}
GPU_INLINE __half gpu_half_relu(__half h) { return gpu_float(h) < 0.0f ? gpu_half(0.0f) : h; }
// a * b is exact in double; its sum with c is rounded to odd, so that the final rounding is the only one.
GPU_INLINE __half __hfma(__half a, __half b, __half c) {
    const double p = (double)gpu_float(a) * gpu_float(b), q = gpu_float(c), sum = p + q;
    const double part = sum - p, error = (p - (sum - part)) + (q - part);
    unsigned long long bits = gpu_bit_cast<unsigned long long>(sum);
    if (error != 0.0 && sum - sum == 0.0 && (bits & 1) == 0) bits += (error > 0.0) == (sum > 0.0) ? 1 : -1;
    return __half(gpu_bit_cast<double>(bits));
}
#define GPU_HALF_TWO(name, f) GPU_INLINE __half2 name(__half2 a, __half2 b) { return {f(a.x, b.x), f(a.y, b.y)}; }
#define GPU_HALF_BINARY(f, f2, value) \
    GPU_INLINE __half f(__half a, __half b) { return value; } \
    GPU_HALF_TWO(f2, f)
GPU_HALF_BINARY(__hadd, __hadd2, a + b) GPU_HALF_BINARY(__hsub, __hsub2, a - b)
GPU_HALF_BINARY(__hmul, __hmul2, a * b) GPU_HALF_BINARY(__hdiv, __h2div, a / b)
GPU_HALF_BINARY(__hadd_rn, __hadd2_rn, a + b) GPU_HALF_BINARY(__hsub_rn, __hsub2_rn, a - b)
GPU_HALF_BINARY(__hmul_rn, __hmul2_rn, a * b)
GPU_HALF_BINARY(__hadd_sat, __hadd2_sat, gpu_half_sat(a + b))
GPU_HALF_BINARY(__hsub_sat, __hsub2_sat, gpu_half_sat(a - b))
GPU_HALF_BINARY(__hmul_sat, __hmul2_sat, gpu_half_sat(a * b))
GPU_HALF_BINARY(__hmax, __hmax2, __hisnan(a) ? b : __hisnan(b) || gpu_float(a) > gpu_float(b) ? a : b)
GPU_HALF_BINARY(__hmin, __hmin2, __hisnan(a) ? b : __hisnan(b) || gpu_float(a) < gpu_float(b) ? a : b)
GPU_HALF_BINARY(__hmax_nan, __hmax2_nan, __hisnan(a) || __hisnan(b) ? gpu_half_of_bits(0x7fff) : __hmax(a, b))
GPU_HALF_BINARY(__hmin_nan, __hmin2_nan, __hisnan(a) || __hisnan(b) ? gpu_half_of_bits(0x7fff) : __hmin(a, b))
#define GPU_HALF_FMA(f, f2, value) \
    GPU_INLINE __half f(__half a, __half b, __half c) { return value; } \
    GPU_INLINE __half2 f2(__half2 a, __half2 b, __half2 c) { return {f(a.x, b.x, c.x), f(a.y, b.y, c.y)}; }
GPU_HALF_FMA(__hfma_sat, __hfma2_sat, gpu_half_sat(__hfma(a, b, c)))
GPU_HALF_FMA(__hfma_relu, __hfma2_relu, gpu_half_relu(__hfma(a, b, c)))
GPU_INLINE __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
GPU_INLINE __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
    return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
GPU_INLINE __half __hneg(__half h) { return -h; }
GPU_INLINE __half __habs(__half h) { return gpu_half_of_bits(h.__x & 0x7fffu); }
GPU_INLINE __half2 __hneg2(__half2 v) { return -v; }
GPU_INLINE __half2 __habs2(__half2 v) { return {__habs(v.x), __habs(v.y)}; }
GPU_INLINE __half2 __hisnan2(__half2 v) { return {gpu_half(__hisnan(v.x)), gpu_half(__hisnan(v.y))}; }

// Ordered: false with a NaN. Unordered (u): true with a NaN.
#define GPU_HALF_COMPARE(name, op) \
    GPU_INLINE bool __h##name(__half a, __half b) { \
        return gpu_float(a) op gpu_float(b) && !__hisnan(a) && !__hisnan(b); \
    } \
    GPU_INLINE bool __h##name##u(__half a, __half b) { \
        return gpu_float(a) op gpu_float(b) || __hisnan(a) || __hisnan(b); \
    } \
    GPU_HALF_COMPARE2(name, ) GPU_HALF_COMPARE2(name, u)
#define GPU_HALF_COMPARE2(name, u) \
    GPU_INLINE bool __hb##name##u##2(__half2 a, __half2 b) { \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); \
    } \
    GPU_INLINE __half2 __h##name##u##2(__half2 a, __half2 b) { \
        return {gpu_half(__h##name##u(a.x, b.x)), gpu_half(__h##name##u(a.y, b.y))}; \
    } \
    GPU_INLINE unsigned __h##name##u##2_mask(__half2 a, __half2 b) { \
        return (__h##name##u(a.x, b.x) ? 0xffffu : 0u) | (__h##name##u(a.y, b.y) ? 0xffff0000u : 0u); \
    }
GPU_HALF_COMPARE(eq, ==) GPU_HALF_COMPARE(ne, !=) GPU_HALF_COMPARE(lt, <) GPU_HALF_COMPARE(gt, >)
GPU_HALF_COMPARE(le, <=) GPU_HALF_COMPARE(ge, >=)
#undef GPU_HALF_COMPARE
#undef GPU_HALF_COMPARE2

#define GPU_HALF_MATH(name, value) \
    GPU_INLINE __half h##name(__half h) { const float x = gpu_float(h); return gpu_half(value); } \
    GPU_INLINE __half2 h2##name(__half2 v) { return {h##name(v.x), h##name(v.y)}; }
GPU_HALF_MATH(exp, expf(x)) GPU_HALF_MATH(exp2, exp2f(x)) GPU_HALF_MATH(exp10, exp10f(x)) GPU_HALF_MATH(log, logf(x))
GPU_HALF_MATH(log2, log2f(x)) GPU_HALF_MATH(log10, log10f(x)) GPU_HALF_MATH(sin, sinf(x)) GPU_HALF_MATH(cos, cosf(x))
GPU_HALF_MATH(tanh, tanhf(x)) GPU_HALF_MATH(tanh_approx, tanhf(x)) GPU_HALF_MATH(sqrt, sqrtf(x))
GPU_HALF_MATH(rsqrt, 1.0f / sqrtf(x)) GPU_HALF_MATH(rcp, 1.0f / x) GPU_HALF_MATH(floor, floorf(x))
GPU_HALF_MATH(ceil, ceilf(x)) GPU_HALF_MATH(rint, rintf(x)) GPU_HALF_MATH(trunc, truncf(x))
#undef GPU_HALF_MATH

#ifdef __global__  // not in generated kernels
GPU_INLINE __half atomicAdd(__half* p, __half value) {
    gpu_count_atomic();
    unsigned short* const bits = &p->__x;
    unsigned short old = __atomic_load_n(bits, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(bits, &old, (gpu_half_of_bits(old) + value).__x, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {}
    return gpu_half_of_bits(old);
}
// Each half is added atomically, but not both together, as on a GPU.
GPU_INLINE __half2 atomicAdd(__half2* p, __half2 value) {
    return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}
#endif
#ifdef GPU_LANE_VALUE
GPU_LANE_VALUE(__half, __half) GPU_LANE_VALUE(__half2, __half2)
#endif
