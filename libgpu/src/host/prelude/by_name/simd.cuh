// SPDX-License-Identifier: MIT
// CUDA's SIMD-in-a-word functions (2 x 16 and 4 x 8 bits) and DPX. Kernels get them only if their text names one, see
// optional_preludes().

#pragma GCC system_header
#pragma once
// Calls f with each pair of parts as ints of type L, and keeps the low bits of its results.
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
    constexpr int max_value = is_signed ? (1 << (sizeof(L) * 8 - 1)) - 1 : (1 << sizeof(L) * 8) - 1;
    constexpr int min_value = is_signed ? -max_value - 1 : 0;
    return x > max_value ? max_value : x < min_value ? min_value : x;
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

// DPX. Sums wrap around.
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
