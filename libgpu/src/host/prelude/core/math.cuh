// SPDX-License-Identifier: MIT
// CUDA's math functions, implemented with the C library.

#pragma GCC system_header
#ifndef GPU_CHECKED  // check mode has its own
extern "C" void* memcpy(void* to, const void* from, size_t bytes) noexcept;
extern "C" void* memset(void* to, int value, size_t bytes) noexcept;
#endif
extern "C" void* gpu_memmove(void* to, const void* from, size_t bytes) noexcept __asm__("memmove");
template <class To, class From> GPU_INLINE To gpu_bit_cast(From x) {
    static_assert(sizeof(To) == sizeof(From), "sizes differ");
    To y; __builtin_memcpy(&y, &x, sizeof y); return y;
}
// f(double) and ff(float) are the C library's; the overloads are what CUDA C++ adds. In loops over elements g++ calls
// the variants for whole registers of glibc's libmvec: the first ones are in every version, the second ones from 2.35
// on.
#if GPU_VECTOR_MATH >= 1
#define GPU_VECTOR_1 __attribute__((__simd__("notinbranch")))
#else
#define GPU_VECTOR_1
#endif
#if GPU_VECTOR_MATH >= 2
#define GPU_VECTOR_2 GPU_VECTOR_1
#else
#define GPU_VECTOR_2
#endif
#if GPU_VECTOR_MATH >= 1 && defined(__FMA__) && !defined(__FAST_MATH__)
// Shorter than libmvec's, and vectorised: errors are at most 1.7 and 2.5 ulp. x = n ln 2 + r, where n is rounded by an
// addition that leaves it in the sum's last bits. exp() takes an even n, and its power of two as two equal factors.
GPU_INLINE float gpu_exp(float x) {
    const float up = 89.0f < x ? 89.0f : x, t = -104.0f > up ? -104.0f : up;  // NaN stays
    const float sum = __builtin_fmaf(t, 0.72134752f, 12582912.0f), n = sum - 12582912.0f;
    const float r = __builtin_fmaf(n, -2.85721354e-6f, __builtin_fmaf(n, -1.386291504f, t));
    float p = __builtin_fmaf(1.961180241778493e-4f, r, 1.4104304136708379e-3f);
    p = __builtin_fmaf(p, r, 8.336098864674568e-3f);
    p = __builtin_fmaf(p, r, 4.1661277413368225e-2f);
    p = __builtin_fmaf(p, r, 0.1666661500930786f);
    p = __builtin_fmaf(p, r, 0.5000003576278687f);
    const float scale = gpu_bit_cast<float>((gpu_bit_cast<unsigned>(sum) << 23) + 0x3f800000u);
    return (__builtin_fmaf(p * r, r, r) + 1.0f) * scale * scale;
}
// By e = exp(2x) - 1, which keeps its digits near 0.
GPU_INLINE float gpu_tanh(float x) {
    const float size = 2.0f * __builtin_fabsf(x), t = 20.0f < size ? 20.0f : size;
    const float sum = __builtin_fmaf(t, 1.44269504f, 12582912.0f), n = sum - 12582912.0f;
    const float r = __builtin_fmaf(n, -1.42860677e-6f, __builtin_fmaf(n, -0.693145752f, t));
    float p = __builtin_fmaf(1.3882521307095885e-3f, r, 8.366520516574383e-3f);
    p = __builtin_fmaf(p, r, 4.166720062494278e-2f);
    p = __builtin_fmaf(p, r, 0.1666654348373413f);
    p = __builtin_fmaf(p, r, 0.4999999701976776f);
    p = __builtin_fmaf(p * r, r, r);
    const float scale = gpu_bit_cast<float>((gpu_bit_cast<unsigned>(sum) << 23) + 0x3f800000u);
    const float e = __builtin_fmaf(p, scale, scale - 1.0f);
    return __builtin_copysignf(e / (e + 2.0f), x);
}
#define GPU_MATH_OWN(gpu_vector, F) \
    extern "C" gpu_vector double F(double); extern "C" GPU_INLINE float F##f(float x) { return gpu_##F(x); } \
    GPU_INLINE float F(float x) { return gpu_##F(x); } \
    template <class T> GPU_INLINE typename gpu_enable<gpu_is_integer<T>::value, double>::type F(T x) { \
        return F((double)x); \
    }
#else
#define GPU_MATH_OWN(gpu_vector, F) GPU_MATH_OF(gpu_vector, F)
#endif
#define GPU_MATH(F) GPU_MATH_OF(, F)
#define GPU_MATH_OF(gpu_vector, F) \
    extern "C" gpu_vector double F(double); extern "C" gpu_vector float F##f(float); \
    GPU_INLINE float F(float x) { return F##f(x); } \
    template <class T> GPU_INLINE typename gpu_enable<gpu_is_integer<T>::value, double>::type F(T x) { \
        return F((double)x); \
    }
#define GPU_MATH_1(F) GPU_MATH_OF(GPU_VECTOR_1, F)
#define GPU_MATH_2(F) GPU_MATH_OF(GPU_VECTOR_2, F)
GPU_MATH(sqrt) GPU_MATH_2(cbrt) GPU_MATH_OWN(GPU_VECTOR_1, exp) GPU_MATH_2(exp2) GPU_MATH_2(exp10) GPU_MATH_2(expm1)
GPU_MATH_1(log) GPU_MATH_2(log2) GPU_MATH_2(log10) GPU_MATH_2(log1p) GPU_MATH(logb)
GPU_MATH_1(sin) GPU_MATH_1(cos) GPU_MATH_2(tan) GPU_MATH_2(asin) GPU_MATH_2(acos) GPU_MATH_2(atan)
GPU_MATH_2(sinh) GPU_MATH_2(cosh) GPU_MATH_OWN(GPU_VECTOR_2, tanh) GPU_MATH_2(asinh) GPU_MATH_2(acosh) GPU_MATH_2(atanh)
GPU_MATH(floor) GPU_MATH(ceil) GPU_MATH(trunc) GPU_MATH(round) GPU_MATH(rint) GPU_MATH(nearbyint)
GPU_MATH_2(erf) GPU_MATH_2(erfc) GPU_MATH(tgamma) GPU_MATH(lgamma) GPU_MATH(j0) GPU_MATH(j1) GPU_MATH(y0) GPU_MATH(y1)
GPU_MATH(fabs)
#undef GPU_MATH
#undef GPU_MATH_1
#undef GPU_MATH_2
#undef GPU_MATH_OF
#undef GPU_MATH_OWN

template <class A, class B> struct gpu_real { typedef double type; };
template <> struct gpu_real<float, float> { typedef float type; };
#define GPU_MATH2(F) GPU_MATH2_OF(, F)
#define GPU_MATH2_OF(gpu_vector, F) \
    extern "C" gpu_vector double F(double, double); extern "C" gpu_vector float F##f(float, float); \
    GPU_INLINE float F(float x, float y) { return F##f(x, y); } \
    template <class A, class B> GPU_INLINE double F(A x, B y) { return F((double)x, (double)y); }
GPU_MATH2_OF(GPU_VECTOR_2, atan2)
GPU_MATH2_OF(GPU_VECTOR_2, hypot) GPU_MATH2(fmod) GPU_MATH2(remainder) GPU_MATH2(copysign) GPU_MATH2(nextafter)
    GPU_MATH2(fdim)
#undef GPU_MATH2
#undef GPU_MATH2_OF
// Not calls of the C library: this form vectorises. A number beats a NaN, as on a GPU.
#define GPU_SELECT(f, T, op) \
    extern "C" GPU_INLINE T f(T x, T y) { return x != x ? y : (y op x ? y : x); }
        GPU_SELECT(fmin, double, <) GPU_SELECT(fminf, float, <) GPU_SELECT(fmax, double, >) GPU_SELECT(fmaxf, float, >)
#undef GPU_SELECT
            GPU_INLINE float fmin(float x, float y) { return fminf(x, y); }
GPU_INLINE float fmax(float x, float y) { return fmaxf(x, y); }
template <class A, class B> GPU_INLINE double fmin(A x, B y) { return fmin((double)x, (double)y); }
template <class A, class B> GPU_INLINE double fmax(A x, B y) { return fmax((double)x, (double)y); }
extern "C" GPU_VECTOR_1 double pow(double, double); extern "C" GPU_VECTOR_1 float powf(float, float);
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
// The C library's functions under our own names: check mode has its own versions, which report what they store.
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
