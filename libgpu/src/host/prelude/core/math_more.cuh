// SPDX-License-Identifier: MIT
// CUDA's math functions that the C library doesn't have.

#pragma GCC system_header
GPU_INLINE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
GPU_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
GPU_INLINE float rsqrt(float x) { return rsqrtf(x); }
GPU_INLINE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
GPU_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
GPU_INLINE float sinpif(float x) { x = fmodf(x, 2.0f); return (float)sin(3.14159265358979323846 * x); }
GPU_INLINE float cospif(float x) { x = fmodf(x, 2.0f); return (float)cos(3.14159265358979323846 * x); }
GPU_INLINE double sinpi(double x) { return sin(3.14159265358979323846 * fmod(x, 2.0)); }
GPU_INLINE double cospi(double x) { return cos(3.14159265358979323846 * fmod(x, 2.0)); }
GPU_INLINE void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
GPU_INLINE void sincos(double x, double* s, double* c) { *s = sin(x); *c = cos(x); }
GPU_INLINE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
GPU_INLINE float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678118654752440f); }
GPU_INLINE double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
GPU_INLINE void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
GPU_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// A GPU's fast versions are approximations; here they are the exact functions.
GPU_INLINE float __expf(float x) { return expf(x); }
GPU_INLINE float __exp10f(float x) { return exp10f(x); }
GPU_INLINE float __logf(float x) { return logf(x); }
GPU_INLINE float __log2f(float x) { return log2f(x); }
GPU_INLINE float __log10f(float x) { return log10f(x); }
GPU_INLINE float __sinf(float x) { return sinf(x); }
GPU_INLINE float __cosf(float x) { return cosf(x); }
GPU_INLINE float __tanf(float x) { return tanf(x); }
GPU_INLINE float __tanhf(float x) { return tanhf(x); }
GPU_INLINE float __powf(float x, float y) { return powf(x, y); }
GPU_INLINE float __fdividef(float x, float y) { return x / y; }
GPU_INLINE float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
GPU_INLINE float __frcp_rn(float x) { return 1.0f / x; }
GPU_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }
GPU_INLINE double __dsqrt_rn(double x) { return sqrt(x); }
GPU_INLINE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
GPU_INLINE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
// Never contracted to a fused multiply-add, as CUDA guarantees.
#define GPU_EXACT(name, T, op) GPU_INLINE T name(T x, T y) { volatile T r = x op y; return r; }
GPU_EXACT(__fadd_rn, float, +) GPU_EXACT(__fsub_rn, float, -) GPU_EXACT(__fmul_rn, float, *)
GPU_EXACT(__dadd_rn, double, +) GPU_EXACT(__dsub_rn, double, -) GPU_EXACT(__dmul_rn, double, *)
GPU_EXACT(__fdiv_rn, float, /) GPU_EXACT(__ddiv_rn, double, /)
#undef GPU_EXACT

GPU_INLINE int __float_as_int(float x) { return gpu_bit_cast<int>(x); }
GPU_INLINE unsigned __float_as_uint(float x) { return gpu_bit_cast<unsigned>(x); }
GPU_INLINE float __int_as_float(int x) { return gpu_bit_cast<float>(x); }
GPU_INLINE float __uint_as_float(unsigned x) { return gpu_bit_cast<float>(x); }
GPU_INLINE long long __double_as_longlong(double x) { return gpu_bit_cast<long long>(x); }
GPU_INLINE double __longlong_as_double(long long x) { return gpu_bit_cast<double>(x); }
// Converts as a GPU does, where C leaves it undefined: out-of-range values become the nearest valid one. NaN: PTX's
// rule.
template <class I, class F> GPU_INLINE I gpu_to_integer(F x) {
    constexpr bool is_signed = (I)-1 < (I)0;
    constexpr I top = (I)((unsigned long long)1 << (sizeof(I) * 8 - 1));
    constexpr I min_value = is_signed ? top : (I)0, max_value = (I)(is_signed ? ~top : ~(I)0);
    constexpr F end = (F)((unsigned long long)1 << (sizeof(I) * 8 - 1)) * (is_signed ? 1 : 2);
    if (x != x) return sizeof(I) == 4 && sizeof(F) == 4 ? (I)0 : top;
    return x >= end ? max_value : x <= (F)min_value ? min_value : (I)x;
}
GPU_INLINE float __int2float_rn(int x) { return (float)x; }
GPU_INLINE float __uint2float_rn(unsigned x) { return (float)x; }
GPU_INLINE double __int2double_rn(int x) { return (double)x; }
GPU_INLINE float __double2float_rn(double x) { return (float)x; }

GPU_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
GPU_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
GPU_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
GPU_INLINE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
GPU_INLINE int __ffs(int x) { return __builtin_ffs(x); }
GPU_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
GPU_INLINE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
GPU_INLINE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
GPU_INLINE int __mul24(int x, int y) { return ((int)((unsigned)x << 8) >> 8) * ((int)((unsigned)y << 8) >> 8); }
GPU_INLINE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
GPU_INLINE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
GPU_INLINE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
GPU_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
