// SPDX-License-Identifier: MIT
// CUDA's math functions, spelled for the C library.
#include "host/prelude/prelude.hpp"

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

}  // namespace gpu::detail::host::text
