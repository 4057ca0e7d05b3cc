// SPDX-License-Identifier: MIT
// Functions of CUDA's math API that the C library doesn't have or that few kernels use. Kernels get them only if their
// text names one, see optional_preludes().

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
    bool infinite = false;  // whatever the others are
    for (int k = 0; k < n; ++k) squares += (double)p[k] * p[k], infinite |= isinf(p[k]);
    return infinite ? __builtin_inff() : (float)sqrt(squares);
}
GPU_INLINE double rnorm(int n, const double* p) { return 1.0 / norm(n, p); }
GPU_INLINE float rnormf(int n, const float* p) { return 1.0f / normf(n, p); }
GPU_INLINE float norm(int n, const float* p) { return normf(n, p); }
GPU_INLINE float rnorm(int n, const float* p) { return rnormf(n, p); }

inline double erfcx(double x) {
    if (x < -27.0) return __builtin_inf();
    if (x < 0.0) return 2.0 * exp(x * x) * exp(fma(x, x, -(x * x))) - erfcx(-x);
    if (x < 25.0) return exp(x * x) * exp(fma(x, x, -(x * x))) * erfc(x);
    const double q = 0.5 / (x * x);
    double sum = 1.0;
    for (int odd = 13; odd > 0; odd -= 2) sum = 1.0 - odd * q * sum;
    return 0.56418958354775628695 / x * sum;
}

// Halley's method from a rational first guess; where erfc(y) has few bits left, Newton's for its logarithm.
inline double erfcinv(double z) {
    if (!(z >= 0.0 && z <= 2.0)) return __builtin_nan("");
    if (z == 0.0 || z == 2.0) return z == 0.0 ? __builtin_inf() : -__builtin_inf();
    if (z > 1.0) return -erfcinv(2.0 - z);
    const double t = sqrt(-2.0 * (log(z) - 0.69314718055994530942));
    double y = -0.70711 * ((2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)) - t);
    if (z < 1e-200) {
        for (int k = 0; k < 3; ++k) y += (log(erfcx(y)) - y * y - log(z)) * erfcx(y) * 0.88622692545275801365;
        return y;
    }
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
    if (magnitude > 720.0) return Order == 1 && x < 0.0 ? -__builtin_inf() : __builtin_inf();
    for (int k = 1; k < 40; ++k) {
        const double odd = 2 * k - 1;
        term *= -(4.0 * Order - odd * odd) / (8.0 * magnitude * k);
        sum += term;
    }
    const double half = exp(magnitude / 2.0);  // exp(x) itself may overflow when the result doesn't
    const double value = half / sqrt(6.28318530717958647693 * magnitude) * sum * half;
    return Order == 1 && x < 0.0 ? -value : value;
}
GPU_INLINE double cyl_bessel_i0(double x) { return gpu_bessel_i<0>(x); }
GPU_INLINE double cyl_bessel_i1(double x) { return gpu_bessel_i<1>(x); }
GPU_FLOAT_TOO(erfcinv, erfcinvf) GPU_FLOAT_TOO(erfinv, erfinvf) GPU_FLOAT_TOO(erfcx, erfcxf)
GPU_FLOAT_TOO(normcdfinv, normcdfinvf)
GPU_FLOAT_TOO(cyl_bessel_i0, cyl_bessel_i0f) GPU_FLOAT_TOO(cyl_bessel_i1, cyl_bessel_i1f)
#undef GPU_FLOAT_TOO
