// SPDX-License-Identifier: MIT
#include "host/prelude/prelude.hpp"

// CUDA's math functions, spelled for the C library.
namespace gpu::detail::host::text {

const char math[] = R"gpu(
#pragma GCC system_header
#ifndef GPU_CHECKED  // check mode has its own
extern "C" void* memcpy(void* to, const void* from, size_t bytes) noexcept;
extern "C" void* memset(void* to, int value, size_t bytes) noexcept;
#endif
extern "C" void* gpu_memmove(void* to, const void* from, size_t bytes) noexcept __asm__("memmove");
// f(double) and ff(float) are the C library's; the overloads are what CUDA C++ adds.
#define GPU_MATH(F) \
    extern "C" double F(double); extern "C" float F##f(float); \
    GPU_INLINE float F(float x) { return F##f(x); } \
    template <class T> GPU_INLINE typename gpu_enable<gpu_is_integer<T>::value, double>::type F(T x) { \
        return F((double)x); \
    }
GPU_MATH(sqrt) GPU_MATH(cbrt) GPU_MATH(exp) GPU_MATH(exp2) GPU_MATH(exp10) GPU_MATH(expm1)
GPU_MATH(log) GPU_MATH(log2) GPU_MATH(log10) GPU_MATH(log1p) GPU_MATH(logb)
GPU_MATH(sin) GPU_MATH(cos) GPU_MATH(tan) GPU_MATH(asin) GPU_MATH(acos) GPU_MATH(atan)
GPU_MATH(sinh) GPU_MATH(cosh) GPU_MATH(tanh) GPU_MATH(asinh) GPU_MATH(acosh) GPU_MATH(atanh)
GPU_MATH(floor) GPU_MATH(ceil) GPU_MATH(trunc) GPU_MATH(round) GPU_MATH(rint) GPU_MATH(nearbyint)
GPU_MATH(erf) GPU_MATH(erfc) GPU_MATH(tgamma) GPU_MATH(lgamma) GPU_MATH(j0) GPU_MATH(j1) GPU_MATH(y0) GPU_MATH(y1)
GPU_MATH(fabs)
#undef GPU_MATH

template <class A, class B> struct gpu_real { typedef double type; };
template <> struct gpu_real<float, float> { typedef float type; };
#define GPU_MATH2(F) \
    extern "C" double F(double, double); extern "C" float F##f(float, float); \
    GPU_INLINE float F(float x, float y) { return F##f(x, y); } \
    template <class A, class B> GPU_INLINE double F(A x, B y) { return F((double)x, (double)y); }
GPU_MATH2(atan2) GPU_MATH2(hypot) GPU_MATH2(fmod) GPU_MATH2(remainder) GPU_MATH2(copysign)
GPU_MATH2(nextafter) GPU_MATH2(fdim)
#undef GPU_MATH2
// Not the C library's calls: so written they vectorise. A NaN loses against a number, as on a GPU.
#define GPU_SELECT(f, T, op) \
    extern "C" GPU_INLINE T f(T x, T y) { return x != x ? y : (y op x ? y : x); }
GPU_SELECT(fmin, double, <) GPU_SELECT(fminf, float, <) GPU_SELECT(fmax, double, >) GPU_SELECT(fmaxf, float, >)
#undef GPU_SELECT
GPU_INLINE float fmin(float x, float y) { return fminf(x, y); }
GPU_INLINE float fmax(float x, float y) { return fmaxf(x, y); }
template <class A, class B> GPU_INLINE double fmin(A x, B y) { return fmin((double)x, (double)y); }
template <class A, class B> GPU_INLINE double fmax(A x, B y) { return fmax((double)x, (double)y); }
extern "C" double pow(double, double); extern "C" float powf(float, float);
GPU_INLINE float pow(float x, float y) { return y == 2.0f ? x * x : powf(x, y); }
GPU_INLINE float pow(float x, int n) { return n == 2 ? x * x : powf(x, (float)n); }
GPU_INLINE double pow(double x, int n) { return n == 2 ? x * x : pow(x, (double)n); }
template <class A, class B> GPU_INLINE double pow(A x, B y) { return pow((double)x, (double)y); }

extern "C" double fma(double, double, double); extern "C" float fmaf(float, float, float);
GPU_INLINE float fma(float x, float y, float z) { return fmaf(x, y, z); }
extern "C" double ldexp(double, int); extern "C" float ldexpf(float, int);
GPU_INLINE float ldexp(float x, int n) { return ldexpf(x, n); }
extern "C" double scalbn(double, int); extern "C" float scalbnf(float, int);
GPU_INLINE float scalbn(float x, int n) { return scalbnf(x, n); }
// The C library's, under names of ours: check mode has its own, which tell what they store.
#ifdef GPU_CHECKED
#define GPU_OF_LIBRARY(name) __attribute__((visibility("hidden")))
#else
#define GPU_OF_LIBRARY(name) __asm__(name)
#endif
extern "C" {
double gpu_frexp(double, int*) GPU_OF_LIBRARY("frexp"); float gpu_frexpf(float, int*) GPU_OF_LIBRARY("frexpf");
double gpu_modf(double, double*) GPU_OF_LIBRARY("modf"); float gpu_modff(float, float*) GPU_OF_LIBRARY("modff");
double gpu_remquo(double, double, int*) GPU_OF_LIBRARY("remquo");
float gpu_remquof(float, float, int*) GPU_OF_LIBRARY("remquof");
}
#undef GPU_OF_LIBRARY
GPU_INLINE double frexp(double x, int* n) { int m; x = gpu_frexp(x, &m); *n = m; return x; }
GPU_INLINE float frexpf(float x, int* n) { int m; x = gpu_frexpf(x, &m); *n = m; return x; }
GPU_INLINE float frexp(float x, int* n) { return frexpf(x, n); }
GPU_INLINE double modf(double x, double* n) { double m; x = gpu_modf(x, &m); *n = m; return x; }
GPU_INLINE float modff(float x, float* n) { float m; x = gpu_modff(x, &m); *n = m; return x; }
GPU_INLINE float modf(float x, float* n) { return modff(x, n); }
extern "C" int ilogb(double); extern "C" int ilogbf(float);
GPU_INLINE int ilogb(float x) { return ilogbf(x); }
extern "C" long lrint(double); extern "C" long lrintf(float);
extern "C" long lround(double); extern "C" long lroundf(float);
extern "C" long long llrint(double); extern "C" long long llrintf(float);
extern "C" long long llround(double); extern "C" long long llroundf(float);
GPU_INLINE long lrint(float x) { return lrintf(x); }
GPU_INLINE long lround(float x) { return lroundf(x); }
GPU_INLINE long long llrint(float x) { return llrintf(x); }
GPU_INLINE long long llround(float x) { return llroundf(x); }

template <class T> GPU_INLINE bool isnan(T x) { return __builtin_isnan((typename gpu_real<T, float>::type)x); }
template <class T> GPU_INLINE bool isinf(T x) { return __builtin_isinf((typename gpu_real<T, float>::type)x); }
template <class T> GPU_INLINE bool isfinite(T x) { return __builtin_isfinite((typename gpu_real<T, float>::type)x); }
template <class T> GPU_INLINE bool signbit(T x) { return __builtin_signbit((typename gpu_real<T, float>::type)x); }

extern "C" int abs(int); extern "C" long labs(long); extern "C" long long llabs(long long);
GPU_INLINE long abs(long x) { return __builtin_labs(x); }
GPU_INLINE long long abs(long long x) { return __builtin_llabs(x); }
GPU_INLINE float abs(float x) { return __builtin_fabsf(x); }
GPU_INLINE double abs(double x) { return __builtin_fabs(x); }

// min and max: of one type, and the mixtures that CUDA declares.
#define GPU_MINMAX(T, A, B) \
    GPU_INLINE T min(A x, B y) { return (T)y < (T)x ? (T)y : (T)x; } \
    GPU_INLINE T max(A x, B y) { return (T)x < (T)y ? (T)y : (T)x; }
#define GPU_MINMAX_INTEGER(S, U) GPU_MINMAX(S, S, S) GPU_MINMAX(U, U, U) GPU_MINMAX(U, S, U) GPU_MINMAX(U, U, S)
GPU_MINMAX_INTEGER(int, unsigned) GPU_MINMAX_INTEGER(long, unsigned long)
GPU_MINMAX_INTEGER(long long, unsigned long long)
GPU_INLINE float min(float x, float y) { return fminf(x, y); }
GPU_INLINE float max(float x, float y) { return fmaxf(x, y); }
GPU_INLINE double min(double x, double y) { return fmin(x, y); }
GPU_INLINE double max(double x, double y) { return fmax(x, y); }
GPU_INLINE double min(float x, double y) { return fmin((double)x, y); }
GPU_INLINE double min(double x, float y) { return fmin(x, (double)y); }
GPU_INLINE double max(float x, double y) { return fmax((double)x, y); }
GPU_INLINE double max(double x, float y) { return fmax(x, (double)y); }
#undef GPU_MINMAX
#undef GPU_MINMAX_INTEGER
)gpu";

const char math_more[] = R"gpu(
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

// The fast versions of a GPU are approximations; here they are the exact functions.
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
// Never contracted to a fused multiply-add, as CUDA promises.
#define GPU_EXACT(name, T, op) GPU_INLINE T name(T x, T y) { volatile T r = x op y; return r; }
GPU_EXACT(__fadd_rn, float, +) GPU_EXACT(__fsub_rn, float, -) GPU_EXACT(__fmul_rn, float, *)
GPU_EXACT(__dadd_rn, double, +) GPU_EXACT(__dsub_rn, double, -) GPU_EXACT(__dmul_rn, double, *)
GPU_EXACT(__fdiv_rn, float, /) GPU_EXACT(__ddiv_rn, double, /)
#undef GPU_EXACT

template <class To, class From> GPU_INLINE To gpu_bit_cast(From x) {
    static_assert(sizeof(To) == sizeof(From), "sizes differ");
    To y; __builtin_memcpy(&y, &x, sizeof y); return y;
}
GPU_INLINE int __float_as_int(float x) { return gpu_bit_cast<int>(x); }
GPU_INLINE unsigned __float_as_uint(float x) { return gpu_bit_cast<unsigned>(x); }
GPU_INLINE float __int_as_float(int x) { return gpu_bit_cast<float>(x); }
GPU_INLINE float __uint_as_float(unsigned x) { return gpu_bit_cast<float>(x); }
GPU_INLINE long long __double_as_longlong(double x) { return gpu_bit_cast<long long>(x); }
GPU_INLINE double __longlong_as_double(long long x) { return gpu_bit_cast<double>(x); }
// As a GPU converts, and C doesn't say: what doesn't fit becomes the nearest that does. NaN: PTX's rule.
template <class I, class F> GPU_INLINE I gpu_to_integer(F x) {
    constexpr bool is_signed = (I)-1 < (I)0;
    constexpr I top = (I)((unsigned long long)1 << (sizeof(I) * 8 - 1));
    constexpr I least = is_signed ? top : (I)0, most = (I)(is_signed ? ~top : ~(I)0);
    constexpr F end = (F)((unsigned long long)1 << (sizeof(I) * 8 - 1)) * (is_signed ? 1 : 2);
    if (x != x) return sizeof(I) == 4 && sizeof(F) == 4 ? (I)0 : top;
    return x >= end ? most : x <= (F)least ? least : (I)x;
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
)gpu";

// CUDA's rarer intrinsics: other rounding modes, conversions, integer functions, cache hints. Kernels get them only
// where their text names one, see optional_preludes().

const char intrinsics[] = R"gpu(
#pragma GCC system_header
#pragma once
// Rounding is the processor's own mode. Volatile: so the operation stays between the two calls, and none is contracted.
extern "C" int fesetround(int);
#if defined(__aarch64__)
enum { gpu_upward = 0x400000, gpu_downward = 0x800000, gpu_toward_zero = 0xc00000 };
#else
enum { gpu_upward = 0x800, gpu_downward = 0x400, gpu_toward_zero = 0xc00 };
#endif
#define GPU_ROUNDED(name, mode, To, T, value) \
    __attribute__((noinline)) inline To name(T a, T b = 0, T c = 0) { \
        volatile T x = a, y = b, z = c; \
        (void)y, (void)z; \
        fesetround(mode); \
        volatile To result = (To)(value); \
        fesetround(0); \
        return result; \
    }
#define GPU_ROUNDINGS(up, down, zero, To, T, value) \
    GPU_ROUNDED(up, gpu_upward, To, T, value) GPU_ROUNDED(down, gpu_downward, To, T, value) \
    GPU_ROUNDED(zero, gpu_toward_zero, To, T, value)
GPU_ROUNDINGS(__fadd_ru, __fadd_rd, __fadd_rz, float, float, x + y)
GPU_ROUNDINGS(__fsub_ru, __fsub_rd, __fsub_rz, float, float, x - y)
GPU_ROUNDINGS(__fmul_ru, __fmul_rd, __fmul_rz, float, float, x * y)
GPU_ROUNDINGS(__fdiv_ru, __fdiv_rd, __fdiv_rz, float, float, x / y)
GPU_ROUNDINGS(__frcp_ru, __frcp_rd, __frcp_rz, float, float, 1.0f / x)
GPU_ROUNDINGS(__fsqrt_ru, __fsqrt_rd, __fsqrt_rz, float, float, __builtin_sqrtf(x))
GPU_ROUNDINGS(__fmaf_ru, __fmaf_rd, __fmaf_rz, float, float, __builtin_fmaf(x, y, z))
GPU_ROUNDINGS(__dadd_ru, __dadd_rd, __dadd_rz, double, double, x + y)
GPU_ROUNDINGS(__dsub_ru, __dsub_rd, __dsub_rz, double, double, x - y)
GPU_ROUNDINGS(__dmul_ru, __dmul_rd, __dmul_rz, double, double, x * y)
GPU_ROUNDINGS(__ddiv_ru, __ddiv_rd, __ddiv_rz, double, double, x / y)
GPU_ROUNDINGS(__drcp_ru, __drcp_rd, __drcp_rz, double, double, 1.0 / x)
GPU_ROUNDINGS(__dsqrt_ru, __dsqrt_rd, __dsqrt_rz, double, double, __builtin_sqrt(x))
GPU_ROUNDINGS(__fma_ru, __fma_rd, __fma_rz, double, double, __builtin_fma(x, y, z))
GPU_ROUNDINGS(__int2float_ru, __int2float_rd, __int2float_rz, float, int, x)
GPU_ROUNDINGS(__uint2float_ru, __uint2float_rd, __uint2float_rz, float, unsigned, x)
GPU_ROUNDINGS(__ll2float_ru, __ll2float_rd, __ll2float_rz, float, long long, x)
GPU_ROUNDINGS(__ull2float_ru, __ull2float_rd, __ull2float_rz, float, unsigned long long, x)
GPU_ROUNDINGS(__ll2double_ru, __ll2double_rd, __ll2double_rz, double, long long, x)
GPU_ROUNDINGS(__ull2double_ru, __ull2double_rd, __ull2double_rz, double, unsigned long long, x)
GPU_ROUNDINGS(__double2float_ru, __double2float_rd, __double2float_rz, float, double, x)
#undef GPU_ROUNDINGS
#undef GPU_ROUNDED
GPU_INLINE double __drcp_rn(double x) { return 1.0 / x; }
GPU_INLINE float __ll2float_rn(long long x) { return (float)x; }
GPU_INLINE float __ull2float_rn(unsigned long long x) { return (float)x; }
GPU_INLINE double __ll2double_rn(long long x) { return (double)x; }
GPU_INLINE double __ull2double_rn(unsigned long long x) { return (double)x; }
GPU_INLINE double __uint2double_rn(unsigned x) { return (double)x; }
GPU_INLINE int __double2hiint(double x) { return (int)(gpu_bit_cast<unsigned long long>(x) >> 32); }
GPU_INLINE int __double2loint(double x) { return (int)gpu_bit_cast<unsigned long long>(x); }
GPU_INLINE double __hiloint2double(int hi, int lo) {
    return gpu_bit_cast<double>((unsigned long long)(unsigned)hi << 32 | (unsigned)lo);
}

#define GPU_TO_INTEGER(rn, rz, rd, ru, I, F, f) \
    GPU_INLINE I rn(F x) { return gpu_to_integer<I>(__builtin_rint##f(x)); } \
    GPU_INLINE I rz(F x) { return gpu_to_integer<I>(__builtin_trunc##f(x)); } \
    GPU_INLINE I rd(F x) { return gpu_to_integer<I>(__builtin_floor##f(x)); } \
    GPU_INLINE I ru(F x) { return gpu_to_integer<I>(__builtin_ceil##f(x)); }
GPU_TO_INTEGER(__float2int_rn, __float2int_rz, __float2int_rd, __float2int_ru, int, float, f)
GPU_TO_INTEGER(__float2uint_rn, __float2uint_rz, __float2uint_rd, __float2uint_ru, unsigned, float, f)
GPU_TO_INTEGER(__float2ll_rn, __float2ll_rz, __float2ll_rd, __float2ll_ru, long long, float, f)
GPU_TO_INTEGER(__float2ull_rn, __float2ull_rz, __float2ull_rd, __float2ull_ru, unsigned long long, float, f)
GPU_TO_INTEGER(__double2int_rn, __double2int_rz, __double2int_rd, __double2int_ru, int, double, )
GPU_TO_INTEGER(__double2uint_rn, __double2uint_rz, __double2uint_rd, __double2uint_ru, unsigned, double, )
GPU_TO_INTEGER(__double2ll_rn, __double2ll_rz, __double2ll_rd, __double2ll_ru, long long, double, )
GPU_TO_INTEGER(__double2ull_rn, __double2ull_rz, __double2ull_rd, __double2ull_ru, unsigned long long, double, )
#undef GPU_TO_INTEGER

GPU_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int k = 0; k < 4; ++k) result |= (unsigned)(bytes >> (selector >> 4 * k & 7) * 8 & 0xff) << 8 * k;
    return result;
}
GPU_INLINE unsigned __sad(int x, int y, unsigned z) { return (x > y ? (unsigned)x - y : (unsigned)y - x) + z; }
GPU_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
GPU_INLINE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
GPU_INLINE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
GPU_INLINE unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
GPU_INLINE unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y + 1) >> 1); }
GPU_INLINE long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
GPU_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned by) {
    return (unsigned)(((unsigned long long)hi << 32 | lo) << (by & 31) >> 32);
}
GPU_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned by) {
    return (unsigned)(((unsigned long long)hi << 32 | lo) >> (by & 31));
}
GPU_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned by) {
    return by >= 32 ? lo : __funnelshift_l(lo, hi, by);
}
GPU_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned by) {
    return by >= 32 ? hi : __funnelshift_r(lo, hi, by);
}
// The place of the offset-th set bit, counted from `base` upwards (or downwards); all ones if there is none.
GPU_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
    const int step = offset < 0 ? -1 : 1;
    int left = offset < 0 ? -offset : offset == 0 ? 1 : offset;
    for (int at = (int)(base & 31); at >= 0 && at < 32; at += step) {
        if ((mask >> at & 1) != 0 && --left == 0) return (unsigned)at;
        if (offset == 0) break;
    }
    return 0xffffffffu;
}
union gpu_signed_parts { int word; unsigned raw; signed char bytes[4]; short halves[2]; };
union gpu_unsigned_parts { unsigned word, raw; unsigned char bytes[4]; unsigned short halves[2]; };
#define GPU_OFFERED(...)
GPU_OFFERED(__dp4a, __dp2a_lo, __dp2a_hi)  // optional_preludes() doesn't look into macros
#define GPU_DOT(T, U, Parts, C4, S2) \
    GPU_INLINE T __dp4a(U a, U b, T c) { \
        Parts x, y; \
        x.word = a; y.word = b; \
        for (int k = 0; k < 4; ++k) c += (T)(x.bytes[k] * y.bytes[k]); \
        return c; \
    } \
    GPU_INLINE T gpu_dp2a(U a, U b, T c, int from) { \
        Parts x, y; \
        x.word = a; y.word = b; \
        for (int k = 0; k < 2; ++k) c += (T)x.halves[k] * (T)y.bytes[from + k]; \
        return c; \
    } \
    GPU_INLINE T __dp2a_lo(U a, U b, T c) { return gpu_dp2a(a, b, c, 0); } \
    GPU_INLINE T __dp2a_hi(U a, U b, T c) { return gpu_dp2a(a, b, c, 2); } \
    GPU_INLINE T __dp4a(C4 a, C4 b, T c) { return __dp4a(gpu_bit_cast<U>(a), gpu_bit_cast<U>(b), c); } \
    GPU_INLINE T __dp2a_lo(S2 a, C4 b, T c) { return gpu_dp2a(gpu_bit_cast<U>(a), gpu_bit_cast<U>(b), c, 0); } \
    GPU_INLINE T __dp2a_hi(S2 a, C4 b, T c) { return gpu_dp2a(gpu_bit_cast<U>(a), gpu_bit_cast<U>(b), c, 2); }
GPU_DOT(int, int, gpu_signed_parts, char4, short2)
GPU_DOT(unsigned, unsigned, gpu_unsigned_parts, uchar4, ushort2)
#undef GPU_DOT

template <class T> GPU_INLINE T __ldca(const T* p) { return *p; }
template <class T> GPU_INLINE T __ldcg(const T* p) { return *p; }
template <class T> GPU_INLINE T __ldcs(const T* p) { return *p; }
template <class T> GPU_INLINE T __ldlu(const T* p) { return *p; }
template <class T> GPU_INLINE T __ldcv(const T* p) { return *(const volatile T*)p; }
template <class T> GPU_INLINE void __stwb(T* p, T value) { *p = value; }
template <class T> GPU_INLINE void __stcg(T* p, T value) { *p = value; }
template <class T> GPU_INLINE void __stcs(T* p, T value) { *p = value; }
template <class T> GPU_INLINE void __stwt(T* p, T value) { *p = value; }
)gpu";

// CUDA's SIMD-in-a-word functions (2 x 16 and 4 x 8 bits) and DPX. Kernels get them only where their text names one,
// see optional_preludes().

const char simd[] = R"gpu(
#pragma GCC system_header
#pragma once
// f is given each pair of parts as ints of type L, and its result's low bits are kept.
template <class L, class F> GPU_INLINE unsigned gpu_each_part(unsigned a, unsigned b, F f) {
    constexpr int bits = sizeof(L) * 8;
    constexpr unsigned ones = (1u << bits) - 1;
    unsigned result = 0;
    for (int at = 0; at < 32; at += bits)
        result |= ((unsigned)f((int)(L)(a >> at & ones), (int)(L)(b >> at & ones)) & ones) << at;
    return result;
}
template <class L> GPU_INLINE int gpu_clamped(int x) {
    constexpr bool is_signed = (L)-1 < 0;
    constexpr int most = is_signed ? (1 << (sizeof(L) * 8 - 1)) - 1 : (1 << sizeof(L) * 8) - 1;
    constexpr int least = is_signed ? -most - 1 : 0;
    return x > most ? most : x < least ? least : x;
}
#define GPU_PARTS1(n2, n4, S2, S4, value) \
    GPU_INLINE unsigned n2(unsigned a) { \
        typedef S2 L; return gpu_each_part<L>(a, 0, [](int x, int) { return value; }); \
    } \
    GPU_INLINE unsigned n4(unsigned a) { \
        typedef S4 L; return gpu_each_part<L>(a, 0, [](int x, int) { return value; }); \
    }
#define GPU_PARTS(n2, n4, S2, S4, value) \
    GPU_INLINE unsigned n2(unsigned a, unsigned b) { \
        typedef S2 L; return gpu_each_part<L>(a, b, [](int x, int y) -> int { return value; }); \
    } \
    GPU_INLINE unsigned n4(unsigned a, unsigned b) { \
        typedef S4 L; return gpu_each_part<L>(a, b, [](int x, int y) -> int { return value; }); \
    }
#define GPU_SIGNED short, signed char
#define GPU_UNSIGNED unsigned short, unsigned char
#define GPU_CALL(macro, ...) macro(__VA_ARGS__)
GPU_CALL(GPU_PARTS1, __vabs2, __vabs4, GPU_SIGNED, x < 0 ? -x : x)
GPU_CALL(GPU_PARTS1, __vabsss2, __vabsss4, GPU_SIGNED, gpu_clamped<L>(x < 0 ? -x : x))
GPU_CALL(GPU_PARTS1, __vneg2, __vneg4, GPU_SIGNED, -x)
GPU_CALL(GPU_PARTS1, __vnegss2, __vnegss4, GPU_SIGNED, gpu_clamped<L>(-x))
GPU_CALL(GPU_PARTS, __vadd2, __vadd4, GPU_UNSIGNED, x + y)
GPU_CALL(GPU_PARTS, __vaddss2, __vaddss4, GPU_SIGNED, gpu_clamped<L>(x + y))
GPU_CALL(GPU_PARTS, __vaddus2, __vaddus4, GPU_UNSIGNED, gpu_clamped<L>(x + y))
GPU_CALL(GPU_PARTS, __vsub2, __vsub4, GPU_UNSIGNED, x - y)
GPU_CALL(GPU_PARTS, __vsubss2, __vsubss4, GPU_SIGNED, gpu_clamped<L>(x - y))
GPU_CALL(GPU_PARTS, __vsubus2, __vsubus4, GPU_UNSIGNED, gpu_clamped<L>(x - y))
GPU_CALL(GPU_PARTS, __vavgs2, __vavgs4, GPU_SIGNED, (x + y + (x + y >= 0)) >> 1)
GPU_CALL(GPU_PARTS, __vavgu2, __vavgu4, GPU_UNSIGNED, (x + y + 1) >> 1)
GPU_CALL(GPU_PARTS, __vhaddu2, __vhaddu4, GPU_UNSIGNED, (x + y) >> 1)
GPU_CALL(GPU_PARTS, __vabsdiffs2, __vabsdiffs4, GPU_SIGNED, x > y ? x - y : y - x)
GPU_CALL(GPU_PARTS, __vabsdiffu2, __vabsdiffu4, GPU_UNSIGNED, x > y ? x - y : y - x)
GPU_CALL(GPU_PARTS, __vmaxs2, __vmaxs4, GPU_SIGNED, x > y ? x : y)
GPU_CALL(GPU_PARTS, __vmaxu2, __vmaxu4, GPU_UNSIGNED, x > y ? x : y)
GPU_CALL(GPU_PARTS, __vmins2, __vmins4, GPU_SIGNED, x < y ? x : y)
GPU_CALL(GPU_PARTS, __vminu2, __vminu4, GPU_UNSIGNED, x < y ? x : y)
#define GPU_COMPARE(c2, c4, s2, s4, L2, L4, op) \
    GPU_PARTS(c2, c4, L2, L4, x op y ? -1 : 0) GPU_PARTS(s2, s4, L2, L4, x op y ? 1 : 0)
GPU_CALL(GPU_COMPARE, __vcmpeq2, __vcmpeq4, __vseteq2, __vseteq4, GPU_UNSIGNED, ==)
GPU_CALL(GPU_COMPARE, __vcmpne2, __vcmpne4, __vsetne2, __vsetne4, GPU_UNSIGNED, !=)
GPU_CALL(GPU_COMPARE, __vcmpges2, __vcmpges4, __vsetges2, __vsetges4, GPU_SIGNED, >=)
GPU_CALL(GPU_COMPARE, __vcmpgeu2, __vcmpgeu4, __vsetgeu2, __vsetgeu4, GPU_UNSIGNED, >=)
GPU_CALL(GPU_COMPARE, __vcmpgts2, __vcmpgts4, __vsetgts2, __vsetgts4, GPU_SIGNED, >)
GPU_CALL(GPU_COMPARE, __vcmpgtu2, __vcmpgtu4, __vsetgtu2, __vsetgtu4, GPU_UNSIGNED, >)
GPU_CALL(GPU_COMPARE, __vcmples2, __vcmples4, __vsetles2, __vsetles4, GPU_SIGNED, <=)
GPU_CALL(GPU_COMPARE, __vcmpleu2, __vcmpleu4, __vsetleu2, __vsetleu4, GPU_UNSIGNED, <=)
GPU_CALL(GPU_COMPARE, __vcmplts2, __vcmplts4, __vsetlts2, __vsetlts4, GPU_SIGNED, <)
GPU_CALL(GPU_COMPARE, __vcmpltu2, __vcmpltu4, __vsetltu2, __vsetltu4, GPU_UNSIGNED, <)
template <class L> GPU_INLINE unsigned gpu_differences(unsigned a, unsigned b) {
    unsigned sum = 0;
    (void)gpu_each_part<L>(a, b, [&sum](int x, int y) { sum += (unsigned)(x > y ? x - y : y - x); return 0; });
    return sum;
}
GPU_INLINE unsigned __vsads2(unsigned a, unsigned b) { return gpu_differences<short>(a, b); }
GPU_INLINE unsigned __vsads4(unsigned a, unsigned b) { return gpu_differences<signed char>(a, b); }
GPU_INLINE unsigned __vsadu2(unsigned a, unsigned b) { return gpu_differences<unsigned short>(a, b); }
GPU_INLINE unsigned __vsadu4(unsigned a, unsigned b) { return gpu_differences<unsigned char>(a, b); }

// DPX. Sums wrap.
GPU_INLINE int __vimax3_s32(int a, int b, int c) { return max(max(a, b), c); }
GPU_INLINE int __vimin3_s32(int a, int b, int c) { return min(min(a, b), c); }
GPU_INLINE unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) { return max(max(a, b), c); }
GPU_INLINE unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) { return min(min(a, b), c); }
GPU_INLINE int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
GPU_INLINE int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
GPU_INLINE int __vimax3_s32_relu(int a, int b, int c) { return max(max(max(a, b), c), 0); }
GPU_INLINE int __vimin3_s32_relu(int a, int b, int c) { return max(min(min(a, b), c), 0); }
GPU_INLINE int gpu_wrapped_sum(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
GPU_INLINE int __viaddmax_s32(int a, int b, int c) { return max(gpu_wrapped_sum(a, b), c); }
GPU_INLINE int __viaddmin_s32(int a, int b, int c) { return min(gpu_wrapped_sum(a, b), c); }
GPU_INLINE int __viaddmax_s32_relu(int a, int b, int c) { return max(max(gpu_wrapped_sum(a, b), c), 0); }
GPU_INLINE int __viaddmin_s32_relu(int a, int b, int c) { return max(min(gpu_wrapped_sum(a, b), c), 0); }
GPU_INLINE unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c) { return max(a + b, c); }
GPU_INLINE unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) { return min(a + b, c); }
GPU_INLINE int __vibmax_s32(int a, int b, bool* first) { *first = a >= b; return a >= b ? a : b; }
GPU_INLINE int __vibmin_s32(int a, int b, bool* first) { *first = a <= b; return a <= b ? a : b; }
GPU_INLINE unsigned __vibmax_u32(unsigned a, unsigned b, bool* first) { *first = a >= b; return a >= b ? a : b; }
GPU_INLINE unsigned __vibmin_u32(unsigned a, unsigned b, bool* first) { *first = a <= b; return a <= b ? a : b; }
#define GPU_WITH_PREDICATES(name, S, op) \
    GPU_INLINE unsigned name(unsigned a, unsigned b, bool* high, bool* low) { \
        *high = (S)(a >> 16) op (S)(b >> 16); \
        *low = (S)a op (S)b; \
        return (*high ? a & 0xffff0000u : b & 0xffff0000u) | (*low ? a & 0xffffu : b & 0xffffu); \
    }
GPU_WITH_PREDICATES(__vibmax_s16x2, short, >=) GPU_WITH_PREDICATES(__vibmin_s16x2, short, <=)
GPU_WITH_PREDICATES(__vibmax_u16x2, unsigned short, >=) GPU_WITH_PREDICATES(__vibmin_u16x2, unsigned short, <=)
#undef GPU_WITH_PREDICATES
GPU_INLINE unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vmaxs2(a, b), c); }
GPU_INLINE unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c) { return __vmins2(__vmins2(a, b), c); }
GPU_INLINE unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2(__vmaxu2(a, b), c); }
GPU_INLINE unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2(__vminu2(a, b), c); }
GPU_INLINE unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmaxs2(a, b), 0); }
GPU_INLINE unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
GPU_INLINE unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __vmaxs2(__vimax3_s16x2(a, b, c), 0);
}
GPU_INLINE unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __vmaxs2(__vimin3_s16x2(a, b, c), 0);
}
GPU_INLINE unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vadd2(a, b), c); }
GPU_INLINE unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) { return __vmins2(__vadd2(a, b), c); }
GPU_INLINE unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2(__vadd2(a, b), c); }
GPU_INLINE unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2(__vadd2(a, b), c); }
GPU_INLINE unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __vmaxs2(__viaddmax_s16x2(a, b, c), 0);
}
GPU_INLINE unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __vmaxs2(__viaddmin_s16x2(a, b, c), 0);
}
)gpu";

// The functions of CUDA's math API that the C library doesn't have, and those that few kernels use. Kernels get them
// only where their text names one, see optional_preludes().

const char special[] = R"gpu(
#pragma GCC system_header
#pragma once
#define GPU_FLOAT_TOO(f, ff) \
    GPU_INLINE float ff(float x) { return (float)f((double)x); } \
    GPU_INLINE float f(float x) { return ff(x); }

extern "C" double jn(int, double); extern "C" float jnf(int, float);
extern "C" double yn(int, double); extern "C" float ynf(int, float);
GPU_INLINE float jn(int n, float x) { return jnf(n, x); }
GPU_INLINE float yn(int n, float x) { return ynf(n, x); }
extern "C" double scalbln(double, long); extern "C" float scalblnf(float, long);
GPU_INLINE float scalbln(float x, long n) { return scalblnf(x, n); }
GPU_INLINE double remquo(double x, double y, int* n) { int m; x = gpu_remquo(x, y, &m); *n = m; return x; }
GPU_INLINE float remquof(float x, float y, int* n) { int m; x = gpu_remquof(x, y, &m); *n = m; return x; }
GPU_INLINE float remquo(float x, float y, int* n) { return remquof(x, y, n); }
GPU_INLINE double nan(const char*) { return __builtin_nan(""); }
GPU_INLINE float nanf(const char*) { return __builtin_nanf(""); }
GPU_INLINE float fdividef(float x, float y) { return x / y; }
GPU_INLINE double fdivide(double x, double y) { return x / y; }
GPU_INLINE float fdivide(float x, float y) { return x / y; }
GPU_INLINE unsigned umin(unsigned x, unsigned y) { return y < x ? y : x; }
GPU_INLINE unsigned umax(unsigned x, unsigned y) { return x < y ? y : x; }
GPU_INLINE long long llmin(long long x, long long y) { return y < x ? y : x; }
GPU_INLINE long long llmax(long long x, long long y) { return x < y ? y : x; }
GPU_INLINE unsigned long long ullmin(unsigned long long x, unsigned long long y) { return y < x ? y : x; }
GPU_INLINE unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x < y ? y : x; }

GPU_INLINE void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
GPU_INLINE void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
GPU_INLINE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }

GPU_INLINE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
GPU_INLINE double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
GPU_INLINE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
GPU_INLINE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
GPU_INLINE double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
GPU_INLINE float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
GPU_INLINE float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
GPU_INLINE float rhypotf(float x, float y) { return (float)rhypot((double)x, (double)y); }
GPU_INLINE float rhypot(float x, float y) { return rhypotf(x, y); }
GPU_INLINE float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
GPU_INLINE float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
inline double norm(int n, const double* p) {
    double length = 0;
    for (int k = 0; k < n; ++k) length = hypot(length, p[k]);
    return length;
}
inline float normf(int n, const float* p) {
    double squares = 0;
    for (int k = 0; k < n; ++k) squares += (double)p[k] * p[k];
    return (float)sqrt(squares);
}
GPU_INLINE double rnorm(int n, const double* p) { return 1.0 / norm(n, p); }
GPU_INLINE float rnormf(int n, const float* p) { return 1.0f / normf(n, p); }
GPU_INLINE float norm(int n, const float* p) { return normf(n, p); }
GPU_INLINE float rnorm(int n, const float* p) { return rnormf(n, p); }

// Halley's method from a rational first guess.
inline double erfcinv(double z) {
    if (!(z >= 0.0 && z <= 2.0)) return __builtin_nan("");
    if (z == 0.0 || z == 2.0) return z == 0.0 ? __builtin_inf() : -__builtin_inf();
    if (z > 1.0) return -erfcinv(2.0 - z);
    const double t = sqrt(-2.0 * log(z / 2.0));
    double y = -0.70711 * ((2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)) - t);
    for (int k = 0; k < 3; ++k) {
        const double error = erfc(y) - z, slope = 1.12837916709551257390 * exp(-y * y);
        if (slope == 0.0) break;
        y += error / (slope - y * error);
    }
    return y;
}
inline double erfinv(double x) {
    if (x >= 0.5 || x <= -0.5 || x != x) return x < 0.0 ? -erfcinv(1.0 + x) : erfcinv(1.0 - x);
    double y = x * 0.88622692545275801365;
    for (int k = 0; k < 4; ++k) {
        const double error = erf(y) - x;
        y -= error / (1.12837916709551257390 * exp(-y * y) + y * error);
    }
    return y;
}
inline double erfcx(double x) {
    if (x < 0.0) return 2.0 * exp(x * x) * exp(fma(x, x, -(x * x))) - erfcx(-x);
    if (x < 25.0) return exp(x * x) * exp(fma(x, x, -(x * x))) * erfc(x);
    const double q = 0.5 / (x * x);
    return 0.56418958354775628695 / x * (1.0 - q * (1.0 - 3.0 * q * (1.0 - 5.0 * q * (1.0 - 7.0 * q))));
}
GPU_INLINE double normcdfinv(double x) { return -1.41421356237309504880 * erfcinv(2.0 * x); }
// I0 (Order 0) and I1: the power series, or for large x the asymptotic one.
template <int Order> inline double gpu_bessel_i(double x) {
    const double magnitude = fabs(x);
    double term = 1.0, sum = 1.0;
    if (magnitude <= 30.0) {
        const double q = x * x / 4.0;
        for (int k = 1; k < 100 && term > sum * 1e-18; ++k) sum += term *= q / ((double)k * (k + Order));
        return Order == 0 ? sum : sum * x / 2.0;
    }
    for (int k = 1; k < 40; ++k) {
        const double odd = 2 * k - 1;
        term *= -(4.0 * Order - odd * odd) / (8.0 * magnitude * k);
        sum += term;
    }
    const double half = exp(magnitude / 2.0);  // exp(x) itself may overflow where the result doesn't
    const double value = half / sqrt(6.28318530717958647693 * magnitude) * sum * half;
    return Order == 1 && x < 0.0 ? -value : value;
}
GPU_INLINE double cyl_bessel_i0(double x) { return gpu_bessel_i<0>(x); }
GPU_INLINE double cyl_bessel_i1(double x) { return gpu_bessel_i<1>(x); }
GPU_FLOAT_TOO(erfcinv, erfcinvf) GPU_FLOAT_TOO(erfinv, erfinvf) GPU_FLOAT_TOO(erfcx, erfcxf)
GPU_FLOAT_TOO(normcdfinv, normcdfinvf)
GPU_FLOAT_TOO(cyl_bessel_i0, cyl_bessel_i0f) GPU_FLOAT_TOO(cyl_bessel_i1, cyl_bessel_i1f)
#undef GPU_FLOAT_TOO
)gpu";

}  // namespace gpu::detail::host::text
