// SPDX-License-Identifier: MIT
#include "host/prelude/prelude.hpp"

// cuda_fp16.h of the host backend: __half, __half2, their conversions and operators. Arithmetic is done in float and
// rounded once more, which gives the correctly rounded half for + - * / and sqrt.
namespace gpu::detail::host::text {

const char half_bits[] = R"gpu(
#pragma GCC system_header
#pragma once
// A half's bits and floats, to the nearest, ties to even: by the compiler's type, an instruction, or by hand. On arm64
// g++ has _Float16 since version 13.
#if !defined(__clang__) && defined(__aarch64__)
typedef __fp16 gpu_compilers_half;
#elif !defined(__clang__) || defined(__aarch64__)
typedef _Float16 gpu_compilers_half;
#endif
GPU_INLINE unsigned short gpu_half_from_float(float value) {
#if !defined(GPU_SOFT_HALF) && (!defined(__clang__) || defined(__aarch64__))
    return gpu_bit_cast<unsigned short>((gpu_compilers_half)value);
#elif !defined(GPU_SOFT_HALF) && defined(__F16C__)
    typedef float Four __attribute__((vector_size(16)));
    const Four four = {value, 0.0f, 0.0f, 0.0f};
    return (unsigned short)__builtin_ia32_vcvtps2ph(four, 0)[0];
#else
    const unsigned bits = gpu_bit_cast<unsigned>(value), sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u) return (unsigned short)(sign | 0x7e00u | (rest >> 13 & 0x3ffu));
    if (rest >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
    // The sum's last bit is the half's: the processor rounds. Below 2^-14 a half's step is 2^-24.
    if (rest < 0x38800000u) {
        const float sum = gpu_bit_cast<float>(rest) + 0.5f;
        return (unsigned short)(sign | (gpu_bit_cast<unsigned>(sum) - 0x3f000000u));
    }
    const unsigned rounded = rest + 0xfffu + (rest >> 13 & 1u);
    return (unsigned short)(sign | ((rounded - 0x38000000u) >> 13));
#endif
}
GPU_INLINE float gpu_half_to_float(unsigned short half) {
#if !defined(GPU_SOFT_HALF) && (!defined(__clang__) || defined(__aarch64__))
    return (float)gpu_bit_cast<gpu_compilers_half>(half);
#elif !defined(GPU_SOFT_HALF) && defined(__F16C__)
    typedef short Eight __attribute__((vector_size(16)));
    const Eight eight = {(short)half};
    return __builtin_ia32_vcvtph2ps(eight)[0];
#else
    const unsigned sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
    if (rest >= 0x7c00u)
        return gpu_bit_cast<float>(sign | 0x7f800000u | (rest > 0x7c00u ? 0x400000u : 0u) | (rest & 0x3ffu) << 13);
    const float value = gpu_bit_cast<float>((rest << 13) + 0x38000000u);
    const float exact = rest >= 0x400u ? value : (float)rest * 0x1p-24f;
    return gpu_bit_cast<float>(gpu_bit_cast<unsigned>(exact) | sign);
#endif
}
// Rounded to odd: what is then rounded to a half is rounded as if it had been the double.
GPU_INLINE float gpu_odd_float(double value) {
    const float nearest = (float)value;
    if ((double)nearest == value || value != value) return nearest;
    unsigned bits = gpu_bit_cast<unsigned>(nearest);
    if (__builtin_fabs((double)nearest) > __builtin_fabs(value)) --bits;
    return gpu_bit_cast<float>(bits | 1u);
}
enum gpu_rounding { gpu_nearest, gpu_zero, gpu_down, gpu_up };
GPU_INLINE float gpu_to_integral(float x, gpu_rounding mode) {
    return mode == gpu_nearest ? __builtin_rintf(x) : mode == gpu_zero ? __builtin_truncf(x)
         : mode == gpu_down ? __builtin_floorf(x) : __builtin_ceilf(x);
}
GPU_INLINE unsigned short gpu_half_from_double(double value) { return gpu_half_from_float(gpu_odd_float(value)); }
)gpu";

const char half[] = R"gpu(
#pragma GCC system_header
#ifndef GPU_HALF
#define GPU_HALF
#include "libgpu/half_bits.hpp"
#include "libgpu/intrinsics.hpp"

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
struct __attribute__((aligned(2))) __half {
    __half() = default;
    __half(__half_raw raw) : __x(raw.x) {}
    __half(float value) : __x(gpu_half_from_float(value)) {}
    __half(double value) : __x(gpu_half_from_double(value)) {}
#define GPU_HALF_INTEGER(I) \
    __half(I value) : __x(gpu_half_from_float((float)value)) {} \
    operator I() const { return (I)gpu_to_integer<I>(__builtin_truncf(gpu_half_to_float(__x))); }
    GPU_HALF_INTEGER(short) GPU_HALF_INTEGER(unsigned short) GPU_HALF_INTEGER(int) GPU_HALF_INTEGER(unsigned)
    GPU_HALF_INTEGER(long) GPU_HALF_INTEGER(unsigned long) GPU_HALF_INTEGER(long long)
    GPU_HALF_INTEGER(unsigned long long)
#undef GPU_HALF_INTEGER
    operator char() const { return gpu_to_integer<char>(__builtin_truncf(gpu_half_to_float(__x))); }
    operator signed char() const { return gpu_to_integer<signed char>(__builtin_truncf(gpu_half_to_float(__x))); }
    operator unsigned char() const { return gpu_to_integer<unsigned char>(__builtin_truncf(gpu_half_to_float(__x))); }
    operator bool() const { return (__x & 0x7fff) != 0; }
    operator float() const { return gpu_half_to_float(__x); }
    operator __half_raw() const { return {__x}; }
    unsigned short __x;
};
typedef __half half, __nv_half, nv_half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    __half2(__half a, __half b) : x(a), y(b) {}
    __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    operator __half2_raw() const { return {x.__x, y.__x}; }
};
typedef __half2 half2, __nv_half2, nv_half2;
GPU_INLINE __half gpu_half(float value) { return __half(value); }
GPU_INLINE float gpu_float(__half value) { return gpu_half_to_float(value.__x); }
GPU_INLINE __half gpu_half_of_bits(unsigned bits) { return __half(__half_raw{(unsigned short)bits}); }
GPU_INLINE __half2 make_half2(__half x, __half y) { return __half2(x, y); }

// Directed rounding: the nearest, or its neighbour on the wanted side.
GPU_INLINE __half gpu_half_rounded(float value, gpu_rounding mode) {
    unsigned bits = gpu_half_from_float(value);
    const float nearest = gpu_half_to_float((unsigned short)bits);
    const bool negative = (gpu_bit_cast<unsigned>(value) >> 31) != 0;
    const bool above = nearest > value, below = nearest < value;
    const bool lower = above && (mode == gpu_down || (mode == gpu_zero && !negative));
    const bool raise = below && (mode == gpu_up || (mode == gpu_zero && negative));
    if (lower) bits = negative ? bits + 1 : bits - 1;
    if (raise) bits = negative ? bits - 1 : bits + 1;
    return gpu_half_of_bits(bits);
}
GPU_INLINE __half __float2half(float x) { return gpu_half(x); }
GPU_INLINE __half __float2half_rn(float x) { return gpu_half(x); }
GPU_INLINE __half __float2half_rz(float x) { return gpu_half_rounded(x, gpu_zero); }
GPU_INLINE __half __float2half_rd(float x) { return gpu_half_rounded(x, gpu_down); }
GPU_INLINE __half __float2half_ru(float x) { return gpu_half_rounded(x, gpu_up); }
GPU_INLINE __half __double2half(double x) { return __half(x); }
GPU_INLINE float __half2float(__half x) { return gpu_float(x); }
#define GPU_HALF_FROM(name, I) \
    GPU_INLINE __half __##name##2half_rn(I x) { return gpu_half((float)x); } \
    GPU_INLINE __half __##name##2half_rz(I x) { return gpu_half_rounded((float)x, gpu_zero); } \
    GPU_INLINE __half __##name##2half_rd(I x) { return gpu_half_rounded((float)x, gpu_down); } \
    GPU_INLINE __half __##name##2half_ru(I x) { return gpu_half_rounded((float)x, gpu_up); } \
    GPU_INLINE I __half2##name##_rn(__half h) { \
        return gpu_to_integer<I>(gpu_to_integral(gpu_float(h), gpu_nearest)); \
    } \
    GPU_INLINE I __half2##name##_rz(__half h) { return gpu_to_integer<I>(gpu_to_integral(gpu_float(h), gpu_zero)); } \
    GPU_INLINE I __half2##name##_rd(__half h) { return gpu_to_integer<I>(gpu_to_integral(gpu_float(h), gpu_down)); } \
    GPU_INLINE I __half2##name##_ru(__half h) { return gpu_to_integer<I>(gpu_to_integral(gpu_float(h), gpu_up)); }
GPU_HALF_FROM(int, int) GPU_HALF_FROM(uint, unsigned) GPU_HALF_FROM(short, short) GPU_HALF_FROM(ushort, unsigned short)
GPU_HALF_FROM(ll, long long) GPU_HALF_FROM(ull, unsigned long long)
#undef GPU_HALF_FROM
GPU_INLINE signed char __half2char_rz(__half h) { return gpu_to_integer<signed char>(__builtin_truncf(gpu_float(h))); }
GPU_INLINE unsigned char __half2uchar_rz(__half h) {
    return gpu_to_integer<unsigned char>(__builtin_truncf(gpu_float(h)));
}
GPU_INLINE short __half_as_short(__half h) { return (short)h.__x; }
GPU_INLINE unsigned short __half_as_ushort(__half h) { return h.__x; }
GPU_INLINE __half __short_as_half(short x) { return gpu_half_of_bits((unsigned short)x); }
GPU_INLINE __half __ushort_as_half(unsigned short x) { return gpu_half_of_bits(x); }

GPU_INLINE __half2 __float2half2_rn(float x) { return {gpu_half(x), gpu_half(x)}; }
GPU_INLINE __half2 __floats2half2_rn(float x, float y) { return {gpu_half(x), gpu_half(y)}; }
GPU_INLINE __half2 __float22half2_rn(float2 v) { return {gpu_half(v.x), gpu_half(v.y)}; }
GPU_INLINE float2 __half22float2(__half2 v) { return {gpu_float(v.x), gpu_float(v.y)}; }
GPU_INLINE __half2 __half2half2(__half x) { return {x, x}; }
GPU_INLINE __half2 __halves2half2(__half x, __half y) { return {x, y}; }
GPU_INLINE __half __low2half(__half2 v) { return v.x; }
GPU_INLINE __half __high2half(__half2 v) { return v.y; }
GPU_INLINE float __low2float(__half2 v) { return gpu_float(v.x); }
GPU_INLINE float __high2float(__half2 v) { return gpu_float(v.y); }
GPU_INLINE __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
GPU_INLINE __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
GPU_INLINE __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
GPU_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
GPU_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#define GPU_HALF_OPERATOR(op) \
    GPU_INLINE __half operator op(const __half& a, const __half& b) { return gpu_half(gpu_float(a) op gpu_float(b)); } \
    GPU_INLINE __half& operator op##=(__half& a, const __half& b) { return a = a op b; } \
    GPU_INLINE __half2 operator op(const __half2& a, const __half2& b) { return {a.x op b.x, a.y op b.y}; } \
    GPU_INLINE __half2& operator op##=(__half2& a, const __half2& b) { return a = a op b; }
GPU_HALF_OPERATOR(+) GPU_HALF_OPERATOR(-) GPU_HALF_OPERATOR(*) GPU_HALF_OPERATOR(/)
#undef GPU_HALF_OPERATOR
#define GPU_HALF_COMPARISON(op) \
    GPU_INLINE bool operator op(const __half& a, const __half& b) { return gpu_float(a) op gpu_float(b); } \
    GPU_INLINE bool operator op(const __half2& a, const __half2& b) { return a.x op b.x && a.y op b.y; }
GPU_HALF_COMPARISON(==) GPU_HALF_COMPARISON(<) GPU_HALF_COMPARISON(>) GPU_HALF_COMPARISON(<=) GPU_HALF_COMPARISON(>=)
#undef GPU_HALF_COMPARISON
GPU_INLINE bool operator!=(const __half& a, const __half& b) { return gpu_float(a) != gpu_float(b); }
GPU_INLINE bool operator!=(const __half2& a, const __half2& b) { return a.x != b.x && a.y != b.y; }
GPU_INLINE __half operator+(const __half& h) { return h; }
GPU_INLINE __half operator-(const __half& h) { return gpu_half_of_bits(h.__x ^ 0x8000u); }
GPU_INLINE __half2 operator+(const __half2& v) { return v; }
GPU_INLINE __half2 operator-(const __half2& v) { return {-v.x, -v.y}; }
GPU_INLINE __half& operator++(__half& h) { return h = gpu_half(gpu_float(h) + 1.0f); }
GPU_INLINE __half& operator--(__half& h) { return h = gpu_half(gpu_float(h) - 1.0f); }
GPU_INLINE __half operator++(__half& h, int) { const __half old = h; ++h; return old; }
GPU_INLINE __half operator--(__half& h, int) { const __half old = h; --h; return old; }
GPU_INLINE __half2& operator++(__half2& v) { ++v.x; ++v.y; return v; }
GPU_INLINE __half2& operator--(__half2& v) { --v.x; --v.y; return v; }
#include "libgpu/half_math.hpp"
#endif
)gpu";

// The functions of cuda_fp16.h: arithmetic, comparisons, mathematics, shuffles and atomics of halves.

const char half_math[] = R"gpu(
#pragma GCC system_header
GPU_INLINE bool __hisnan(__half h) { return (h.__x & 0x7fff) > 0x7c00; }
GPU_INLINE int __hisinf(__half h) { return h.__x == 0x7c00 ? 1 : h.__x == 0xfc00 ? -1 : 0; }
GPU_INLINE __half gpu_half_sat(__half h) {
    const float x = gpu_float(h);
    return x > 0.0f ? (x < 1.0f ? h : gpu_half(1.0f)) : gpu_half(0.0f);
}
GPU_INLINE __half gpu_half_relu(__half h) { return gpu_float(h) < 0.0f ? gpu_half(0.0f) : h; }
// a * b is exact in double; their sum with c is rounded to odd, so that the last rounding is the only one.
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

// Ordered: false with a NaN. Unordered (u): true with one.
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
// Each half is added atomically, not both together: as on a GPU.
GPU_INLINE __half2 atomicAdd(__half2* p, __half2 value) {
    return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}
#endif
#ifdef GPU_LANE_VALUE
GPU_LANE_VALUE(__half, __half) GPU_LANE_VALUE(__half2, __half2)
#endif
)gpu";

}  // namespace gpu::detail::host::text

// cuda_bf16.h of the host backend: the texts of cuda_fp16.h with other names and other bits.
namespace gpu::detail::host {

namespace {

struct Renamed {
    std::string_view half, bfloat16;
};
constexpr Renamed renamed[] = {
    {"__half", "__nv_bfloat16"},
    {"__half2", "__nv_bfloat162"},
    {"__half_raw", "__nv_bfloat16_raw"},
    {"__half2_raw", "__nv_bfloat162_raw"},
    {"half", "nv_bfloat16"},
    {"half2", "nv_bfloat162"},
    {"0x7c00", "0x7f80"},
    {"0xfc00", "0xff80"},
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

}  // namespace

std::string bfloat16_of_half(std::string_view text) {
    const std::vector<Token> tokens = tokens_of(text);
    std::string result;
    std::size_t copied = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        std::string word = replaced(replaced(std::string(token.text), "half", "bfloat16"), "HALF", "BFLOAT16");
        const bool is_pasted = k + 2 < tokens.size() && tokens[k + 1].text == "#" && tokens[k + 2].text == "#";
        for (const Renamed& one : renamed)
            if (token.text == one.half && !is_pasted) word = one.bfloat16;
        result += text.substr(copied, token.offset - copied);
        result += word;
        copied = token.end();
    }
    return result += text.substr(copied);
}

namespace text {

const char bfloat16_bits[] = R"gpu(
#pragma GCC system_header
#pragma once
#include "libgpu/half_bits.hpp"
// A bfloat16 is a float's upper half, rounded to the nearest, ties to even.
GPU_INLINE unsigned short gpu_bfloat16_from_float(float value) {
    const unsigned bits = gpu_bit_cast<unsigned>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
GPU_INLINE float gpu_bfloat16_to_float(unsigned short bits) { return gpu_bit_cast<float>((unsigned)bits << 16); }
GPU_INLINE unsigned short gpu_bfloat16_from_double(double value) {
    return gpu_bfloat16_from_float(gpu_odd_float(value));
}
)gpu";

// For classes with virtual functions: what a compiler calls without being asked.
const char classes[] = R"gpu(
#pragma GCC system_header
#pragma once
extern "C" __attribute__((visibility("hidden"), noreturn)) void __cxa_pure_virtual() { __builtin_trap(); }
#ifndef GPU_HEAP  // which has them
void operator delete(void*) noexcept { __builtin_trap(); }
void operator delete(void*, size_t) noexcept { __builtin_trap(); }
#endif
)gpu";

}  // namespace text

}  // namespace gpu::detail::host
