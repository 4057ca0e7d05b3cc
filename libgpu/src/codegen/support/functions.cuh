// SPDX-License-Identifier: MIT
// Functions that CUDA C++ lacks, for generated kernels: a kernel gets those it names. Empty lines separate functions;
// each is named by the first name that it defines. Integers: dividing by 0 gives 0, and overflow wraps around.
// Floating-point numbers: NaN propagates unless stated otherwise.

// Out-of-range values become the nearest valid one, NaN 0.
template <class To, class From> __device__ inline To gpu_cast(From x) {
    constexpr unsigned long long top = 1ull << (sizeof(To) * 8 - 1);
    constexpr bool is_signed = (To)-1 < (To)0;
    constexpr To min_value = is_signed ? (To)top : (To)0, max_value = (To)(is_signed ? top - 1 : top - 1 + top);
    constexpr From end = (From)top * (is_signed ? 1 : 2);
    return x != x ? (To)0 : x >= end ? max_value : x <= (From)min_value ? min_value : (To)x;
}

template <class Z> __device__ inline bool gpu_truth(const Z& z) {
    return z.real() != 0 || z.imag() != 0;
}

template <class T> __device__ inline T gpu_minimum(T a, T b) { return a < b || a != a ? a : b; }

template <class T> __device__ inline T gpu_maximum(T a, T b) { return a > b || a != a ? a : b; }

template <class T> __device__ inline T gpu_fmin(T a, T b) { return b < a || a != a ? b : a; }

template <class T> __device__ inline T gpu_fmax(T a, T b) { return b > a || a != a ? b : a; }

template <class T> __device__ inline T gpu_abs(T a) {
    return a < T(0) ? (T)(0ull - (unsigned long long)a) : a;
}
__device__ inline float gpu_abs(float a) { return fabsf(a); }
__device__ inline double gpu_abs(double a) { return fabs(a); }

template <class T> __device__ inline T gpu_sign(T a) {
    return a > T(0) ? T(1) : a < T(0) ? T(-1) : a == T(0) ? T(0) : a;  // of -0 it is 0
}

template <class T> __device__ inline T gpu_square(T a) { return T(a * a); }

template <class T> __device__ inline T gpu_reciprocal(T a) { return T(1) / a; }

template <class T> __device__ inline T gpu_integer_reciprocal(T a) {
    return a == T(1) || (T(-1) < T(0) && a == T(-1)) ? a : T(0);
}

template <class T> __device__ inline bool gpu_is_minus_one(T a) {
    return (T)-1 < (T)0 && a == (T)-1;
}

template <class T> __device__ inline T gpu_divide(T a, T b) {
    if (gpu_is_minus_one(b)) return (T)(0ull - (unsigned long long)a);
    return b == T(0) ? T(0) : T(a / b);
}

template <class T> __device__ inline T gpu_modulo(T a, T b) {
    return b == T(0) || gpu_is_minus_one(b) ? T(0) : T(a % b);
}
__device__ inline float gpu_modulo(float a, float b) { return fmodf(a, b); }
__device__ inline double gpu_modulo(double a, double b) { return fmod(a, b); }

// The result has b's sign.
template <class T> __device__ inline T gpu_remainder(T a, T b) {
    if (b == T(0) || gpu_is_minus_one(b)) return T(0);
    const T rest = T(a % b);
    return rest != T(0) && (rest < T(0)) != (b < T(0)) ? T(rest + b) : rest;
}
template <class F> __device__ inline F gpu_real_remainder(F a, F b) {
    const F rest = fmod(a, b);
    if (rest == F(0)) return copysign(F(0), b);
    return (rest < F(0)) != (b < F(0)) ? rest + b : rest;
}
__device__ inline float gpu_remainder(float a, float b) { return gpu_real_remainder(a, b); }
__device__ inline double gpu_remainder(double a, double b) { return gpu_real_remainder(a, b); }

template <class T> __device__ inline T gpu_floor_divide(T a, T b) {
    if (b == T(0)) return T(0);
    if (gpu_is_minus_one(b)) return (T)(0ull - (unsigned long long)a);
    const T quotient = T(a / b);
    return a % b != 0 && (a < T(0)) != (b < T(0)) ? T(quotient - T(1)) : quotient;
}
// The quotient that belongs to gpu_remainder's remainder.
template <class F> __device__ inline F gpu_real_floor_divide(F a, F b) {
    if (b == F(0)) return a / b;
    const F rest = fmod(a, b);
    F quotient = (a - rest) / b;
    if (rest != F(0) && (rest < F(0)) != (b < F(0))) quotient -= F(1);
    if (quotient == F(0)) return copysign(F(0), a / b);
    const F whole = floor(quotient);
    return quotient - whole > F(0.5) ? whole + F(1) : whole;
}
__device__ inline float gpu_floor_divide(float a, float b) { return gpu_real_floor_divide(a, b); }
__device__ inline double gpu_floor_divide(double a, double b) { return gpu_real_floor_divide(a, b); }

// Shifts by more than the width leave 0, or the sign; so do negative ones.
template <class T> __device__ inline T gpu_left_shift(T a, T n) {
    return (unsigned long long)n < sizeof(T) * 8 ? (T)((unsigned long long)a << (int)n) : T(0);
}

template <class T> __device__ inline T gpu_right_shift(T a, T n) {
    if ((unsigned long long)n < sizeof(T) * 8) return T(a >> (int)n);
    return a < T(0) ? T(-1) : T(0);
}

// Negative powers are truncated to integers.
template <class T> __device__ inline T gpu_power(T a, T n) {
    if (n < T(0)) return a == T(1) ? a : gpu_is_minus_one(a) ? (n & 1 ? a : T(1)) : T(0);
    unsigned long long result = 1, factor = (unsigned long long)a;
    for (; n != T(0); n = T(n >> 1)) {
        if (n & 1) result *= factor;
        factor *= factor;
    }
    return (T)result;
}

template <class T> __device__ inline bool gpu_isnan(T a) { return a != a; }

template <class T> __device__ inline bool gpu_isinf(T a) { return a == a && !(a - a == T(0)); }

template <class T> __device__ inline bool gpu_isfinite(T a) { return a - a == T(0); }

__device__ inline bool gpu_signbit(float a) { return __float_as_int(a) < 0; }
__device__ inline bool gpu_signbit(double a) { return __double_as_longlong(a) < 0; }

__device__ inline float gpu_degrees(float a) { return a * 57.2957795130823209f; }
__device__ inline double gpu_degrees(double a) { return a * 57.2957795130823209; }

__device__ inline float gpu_radians(float a) { return a * 0.0174532925199432958f; }
__device__ inline double gpu_radians(double a) { return a * 0.0174532925199432958; }
