// SPDX-License-Identifier: MIT
// CUDA's rarer intrinsics: other rounding modes, conversions, integer functions, cache hints. Kernels get them only if
// their text names one, see optional_preludes().

#pragma GCC system_header
#pragma once
// Rounding uses the processor's mode. Volatile keeps the operation between the two calls, and prevents contraction.
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
// The position of the offset-th set bit, counted from `base` upwards (or downwards); all ones if there is none.
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
