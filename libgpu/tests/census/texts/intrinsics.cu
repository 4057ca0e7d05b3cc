// SPDX-License-Identifier: MIT
//// counting bits
__global__ void k(int* x, unsigned long long v) { x[0] = __popc(x[1]) + __clz(x[1]) + __ffs(x[1]) + __brev(x[1]) + __popcll(v) + __clzll(v) + __ffsll(v); }
//// __brevll and __byte_perm
__global__ void k(unsigned long long* x, unsigned a) { x[0] = __brevll(x[1]) + __byte_perm(a, 3, 0x3210); }
//// funnel shifts
__global__ void k(unsigned* x) { x[0] = __funnelshift_l(x[1], x[2], 3) + __funnelshift_r(x[1], x[2], 3) + __funnelshift_lc(x[1], x[2], 33) + __funnelshift_rc(x[1], x[2], 33); }
//// high words of products
__global__ void k(long long* x, int a, unsigned b) { x[0] = __mulhi(a, 3) + __umulhi(b, 3) + __mul64hi(x[1], 3) + __umul64hi(x[1], 3) + __mul24(a, 3) + __umul24(b, 3); }
//// averages and differences
__global__ void k(int* x, unsigned b) { x[0] = __hadd(x[1], x[2]) + __rhadd(x[1], x[2]) + __uhadd(b, 1) + __urhadd(b, 1) + __sad(x[1], x[2], b) + __usad(b, b, b); }
//// dot products of bytes
__global__ void k(int* x, unsigned* y) { x[0] = __dp4a(x[1], x[2], x[3]); y[0] = __dp4a(y[1], y[2], y[3]) + __dp2a_lo(y[1], y[2], y[3]) + __dp2a_hi(y[1], y[2], y[3]); }
//// casts of bits
__global__ void k(float* x, double* y, int n, long long m) { x[0] = __int_as_float(n) + __uint_as_float(3u); y[0] = __longlong_as_double(m) + __float_as_int(x[1]) + __float_as_uint(x[2]) + __double_as_longlong(y[1]) + __hiloint2double(1, 2) + __double2hiint(y[2]) + __double2loint(y[3]); }
//// conversions with rounding
__global__ void k(int* x, float f, double d) { x[0] = __float2int_rn(f) + __float2int_rz(f) + __float2int_ru(f) + __float2int_rd(f) + __float2uint_rn(f) + __double2int_rn(d) + __double2uint_rz(d); }
//// conversions to 64 bits
__global__ void k(long long* x, float f, double d) { x[0] = __float2ll_rn(f) + __float2ull_rz(f) + __double2ll_rd(d) + __double2ull_ru(d); }
//// conversions to floats
__global__ void k(float* x, int n, double d, unsigned long long m) { x[0] = __int2float_rn(n) + __uint2float_rz(3u) + __double2float_rn(d) + __ull2float_rd(m) + __ll2float_ru(3ll) + (float)__int2double_rn(n) + (float)__ull2double_rn(m); }
//// float arithmetic with rounding
__global__ void k(float* x) { x[0] = __fadd_rn(x[1], x[2]) + __fsub_rz(x[1], x[2]) + __fmul_ru(x[1], x[2]) + __fdiv_rd(x[1], x[2]) + __fsqrt_rn(x[1]) + __frcp_rn(x[1]) + __fmaf_rn(x[1], x[2], x[3]) + __frsqrt_rn(x[1]); }
//// double arithmetic with rounding
__global__ void k(double* x) { x[0] = __dadd_rn(x[1], x[2]) + __dsub_rz(x[1], x[2]) + __dmul_ru(x[1], x[2]) + __ddiv_rd(x[1], x[2]) + __dsqrt_rn(x[1]) + __drcp_rn(x[1]) + __fma_rn(x[1], x[2], x[3]); }
//// fast functions
__global__ void k(float* x) { float s, c; __sincosf(x[1], &s, &c); x[0] = __expf(x[1]) + __logf(x[1]) + __log2f(x[1]) + __log10f(x[1]) + __sinf(x[1]) + __cosf(x[1]) + __tanf(x[1]) + __powf(x[1], 2) + __fdividef(x[1], x[2]) + __exp10f(x[1]) + __saturatef(x[1]) + s + c; }
//// SIMD of halves of a word
__global__ void k(unsigned* x) { x[0] = __vadd2(x[1], x[2]) + __vsub2(x[1], x[2]) + __vmaxs2(x[1], x[2]) + __vminu2(x[1], x[2]) + __vabs2(x[1]) + __vneg2(x[1]) + __vavgu2(x[1], x[2]) + __vcmpeq2(x[1], x[2]) + __vseteq2(x[1], x[2]); }
//// SIMD of bytes
__global__ void k(unsigned* x) { x[0] = __vadd4(x[1], x[2]) + __vaddus4(x[1], x[2]) + __vabsdiffu4(x[1], x[2]) + __vsadu4(x[1], x[2]) + __vmaxu4(x[1], x[2]) + __vcmpgtu4(x[1], x[2]); }
//// DPX
__global__ void k(int* x) { x[0] = __vimax3_s32(x[1], x[2], x[3]) + __vimin3_s32(x[1], x[2], x[3]) + __viaddmax_s32(x[1], x[2], x[3]) + __vimax_s32_relu(x[1], x[2]) + __viaddmin_s32_relu(x[1], x[2], x[3]); }
//// DPX of halves of a word
__global__ void k(unsigned* x) { x[0] = __vimax3_s16x2(x[1], x[2], x[3]) + __viaddmax_u16x2(x[1], x[2], x[3]) + __vimin3_u16x2(x[1], x[2], x[3]) + __viaddmin_s16x2_relu(x[1], x[2], x[3]); }
//// DPX with a predicate
__global__ void k(int* x) { bool a, b; x[0] = __vibmax_s32(x[1], x[2], &a) + __vibmin_s32(x[1], x[2], &b) + a + b; }
//// DPX with two predicates
__global__ void k(unsigned* x) { bool a, b; x[0] = __vibmax_s16x2(x[1], x[2], &a, &b) + __vibmin_s16x2(x[1], x[2], &a, &b) + __vibmax_u16x2(x[1], x[2], &a, &b) + __vibmin_u16x2(x[1], x[2], &a, &b) + a + b; }
//// loads through caches
__global__ void k(const float* x, float* y) { y[0] = __ldg(x) + __ldcg(x + 1) + __ldca(x + 2) + __ldcs(x + 3); __stcg(y + 1, 2.0f); __stcs(y + 2, 3.0f); }
//// __ldg of vectors
__global__ void k(const float4* x, float4* y, const int2* z) { y[0] = __ldg(x); y[1].x = __ldg(z).y; }
//// clocks
__global__ void k(long long* x) { x[0] = clock64() + clock(); __nanosleep(100); }
//// __trap
__global__ void k(int* x) { if (x[0] < 0) __trap(); }
//// assert and printf
__global__ void k(int* x) { assert(x[0] >= 0); printf("%d %s %f\n", x[0], "text", 1.5); }
//// __builtin_assume and __builtin_expect
__global__ void k(int* x, int n) { __builtin_assume(n > 0); if (__builtin_expect(n > 3, 1)) x[0] = n; }
//// __builtin_unreachable
__global__ void k(int* x, int n) { switch (n) { case 0: x[0] = 1; break; default: __builtin_unreachable(); } }
//// __assume_aligned
__global__ void k(float* x) { float* y = (float*)__builtin_assume_aligned(x, 16); y[0] = 1; }
//// __isGlobal
__global__ void k(int* x) { x[0] = __isGlobal(x) + __isShared(x) + __isConstant(x) + __isLocal(x); }
//// __fns and __nv_bswap32's kin
__global__ void k(unsigned* x) { x[0] = __fns(x[1], 0, 2); }
//// __prof_trigger
__global__ void k(unsigned* x) { __prof_trigger(1); }
