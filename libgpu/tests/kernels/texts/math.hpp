// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Rare functions at infinities, at the largest and the smallest numbers, and outside what they are defined for.
inline constexpr const char* edges = R"(
__global__ void edges(double inf, double nan, double* y) {
    double both[2] = {nan, -inf};
    float floats[2] = {(float)nan, (float)inf};
    *y++ = erfcx(-inf); *y++ = erfcx(-1e200); *y++ = erfcx(-27.5); *y++ = erfcx(inf); *y++ = erfcx(nan);
    *y++ = erfcx(1e300); *y++ = erfcxf(-(float)inf); *y++ = erfcxf(-20.f);
    *y++ = erfcinv(0.0); *y++ = erfcinv(2.0); *y++ = erfcinv(2.5); *y++ = erfcinv(4.94065645841246544e-324);
    *y++ = erfinv(1.0); *y++ = erfinv(-1.0); *y++ = erfinv(-1.5); *y++ = normcdfinv(0.0); *y++ = normcdfinv(1.0);
    *y++ = cyl_bessel_i0(inf); *y++ = cyl_bessel_i0(-inf); *y++ = cyl_bessel_i1(-inf); *y++ = cyl_bessel_i1(inf);
    *y++ = cyl_bessel_i0(1e300); *y++ = cyl_bessel_i0(nan); *y++ = cyl_bessel_i0(713.0) < inf;
    *y++ = norm(2, both); *y++ = normf(2, floats); *y++ = rnorm(2, both); *y++ = hypot(nan, inf); *y++ = norm3d(1e300, inf, nan);
}
)";

/// The math API of float and double: function k of x (and y) into row k.
inline constexpr const char* math = R"(
__global__ void doubles(const double* xs, const double* ys, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = xs[i], y = ys[i], s, c;
    int e, q;
    out += i;
#define PUT(value) *out = (value); out += n;
    PUT(acos(x / 10)) PUT(acosh(1 + y)) PUT(asin(x / 10)) PUT(asinh(x)) PUT(atan(x)) PUT(atan2(x, y))
    PUT(atanh(x / 10)) PUT(cbrt(x)) PUT(ceil(x)) PUT(copysign(y, x)) PUT(cos(x)) PUT(cosh(x))
    PUT(erf(x)) PUT(erfc(x)) PUT(exp(x)) PUT(exp10(x)) PUT(exp2(x)) PUT(expm1(x))
    PUT(fabs(x)) PUT(fdim(x, y)) PUT(floor(x)) PUT(fma(x, y, 2.0)) PUT(fmax(x, y)) PUT(fmin(x, y))
    PUT(fmod(x, y)) PUT(frexp(x, &e)) PUT(e) PUT(hypot(x, y)) PUT(ilogb(y)) PUT(ldexp(x, 5))
    PUT(lgamma(y)) PUT((double)llrint(x)) PUT((double)llround(x)) PUT(log(y)) PUT(log10(y)) PUT(log1p(y))
    PUT(log2(y)) PUT(logb(y)) PUT((double)lrint(x)) PUT((double)lround(x)) PUT(modf(x, &s)) PUT(s)
    PUT(nearbyint(x)) PUT(nextafter(x, y)) PUT(pow(y, x)) PUT(remainder(x, y)) PUT(rint(x)) PUT(round(x))
    PUT(scalbn(x, -3)) PUT(scalbln(x, 4)) PUT(sin(x)) PUT(sinh(x)) PUT(sqrt(y)) PUT(tan(x))
    PUT(tanh(x)) PUT(tgamma(y)) PUT(trunc(x)) PUT(remquo(x, y, &q)) PUT(q & 7) PUT(j0(y))
    PUT(j1(y)) PUT(jn(2, y)) PUT(y0(y)) PUT(y1(y)) PUT(yn(3, y)) PUT(rsqrt(y))
    PUT(rcbrt(y)) PUT(rhypot(x, y)) PUT(norm3d(x, y, 2.0)) PUT(norm4d(x, y, 2.0, 3.0)) PUT(rnorm3d(x, y, 2.0)) PUT(rnorm4d(x, y, 2.0, 3.0))
    PUT(sinpi(x)) PUT(cospi(x))
    sincos(x, &s, &c);
    PUT(s) PUT(c)
    sincospi(x, &s, &c);
    PUT(s) PUT(c)
    double three[3] = {x, y, 1.0};
    PUT(norm(3, three)) PUT(rnorm(3, three)) PUT(normcdf(x)) PUT(isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * (signbit(x) != 0))
    PUT(min(x, y)) PUT(max(x, y)) PUT(erfcx(x)) PUT(erfinv(x / 10)) PUT(erfcinv(y / 10)) PUT(normcdfinv(y / 20))
    PUT(cyl_bessel_i0(x)) PUT(cyl_bessel_i1(x)) PUT(cyl_bessel_i0(x * 10)) PUT(nan("") != nan(""))
}
__global__ void floats(const float* xs, const float* ys, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = xs[i], y = ys[i], s, c;
    int e, q;
    out += i;
    PUT(acosf(x / 10)) PUT(acoshf(1 + y)) PUT(asinf(x / 10)) PUT(asinhf(x)) PUT(atanf(x)) PUT(atan2f(x, y))
    PUT(atanhf(x / 10)) PUT(cbrtf(x)) PUT(ceilf(x)) PUT(copysignf(y, x)) PUT(cosf(x)) PUT(coshf(x))
    PUT(erff(x)) PUT(erfcf(x)) PUT(expf(x)) PUT(exp10f(x)) PUT(exp2f(x)) PUT(expm1f(x))
    PUT(fabsf(x)) PUT(fdimf(x, y)) PUT(floorf(x)) PUT(fmaf(x, y, 2.0f)) PUT(fmaxf(x, y)) PUT(fminf(x, y))
    PUT(fmodf(x, y)) PUT(frexpf(x, &e)) PUT(e) PUT(hypotf(x, y)) PUT(ilogbf(y)) PUT(ldexpf(x, 5))
    PUT(lgammaf(y)) PUT((float)llrintf(x)) PUT((float)llroundf(x)) PUT(logf(y)) PUT(log10f(y)) PUT(log1pf(y))
    PUT(log2f(y)) PUT(logbf(y)) PUT((float)lrintf(x)) PUT((float)lroundf(x)) PUT(modff(x, &s)) PUT(s)
    PUT(nearbyintf(x)) PUT(nextafterf(x, y)) PUT(powf(y, x)) PUT(remainderf(x, y)) PUT(rintf(x)) PUT(roundf(x))
    PUT(scalbnf(x, -3)) PUT(scalblnf(x, 4)) PUT(sinf(x)) PUT(sinhf(x)) PUT(sqrtf(y)) PUT(tanf(x))
    PUT(tanhf(x)) PUT(tgammaf(y)) PUT(truncf(x)) PUT(remquof(x, y, &q)) PUT(q & 7) PUT(j0f(y))
    PUT(j1f(y)) PUT(jnf(2, y)) PUT(y0f(y)) PUT(y1f(y)) PUT(ynf(3, y)) PUT(rsqrtf(y))
    PUT(rcbrtf(y)) PUT(rhypotf(x, y)) PUT(norm3df(x, y, 2.0f)) PUT(norm4df(x, y, 2.0f, 3.0f)) PUT(rnorm3df(x, y, 2.0f)) PUT(rnorm4df(x, y, 2.0f, 3.0f))
    PUT(sinpif(x)) PUT(cospif(x))
    sincosf(x, &s, &c);
    PUT(s) PUT(c)
    sincospif(x, &s, &c);
    PUT(s) PUT(c)
    float three[3] = {x, y, 1.0f};
    PUT(normf(3, three)) PUT(rnormf(3, three)) PUT(normcdff(x)) PUT(isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * (signbit(x) != 0))
    PUT(min(x, y)) PUT(max(x, y)) PUT(erfcxf(x)) PUT(erfinvf(x / 10)) PUT(erfcinvf(y / 10)) PUT(normcdfinvf(y / 20))
    PUT(cyl_bessel_i0f(x)) PUT(cyl_bessel_i1f(x)) PUT(cyl_bessel_i0f(x * 10)) PUT(nanf("") != nanf(""))
}
#undef PUT
// The float overloads of the short names, and the fast versions, which may be less exact.
__global__ void overloads(const float* xs, float* out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float x = xs[i], s, c;
    int bad = 0;
    bad += sin(x) != sinf(x); bad += exp(x) != expf(x); bad += sqrt(x) != sqrtf(x); bad += fabs(x) != fabsf(x);
    bad += pow(x, 1.5f) != powf(x, 1.5f); bad += atan2(x, 2.0f) != atan2f(x, 2.0f); bad += floor(x) != floorf(x);
    bad += erfinv(x / 10) != erfinvf(x / 10); bad += jn(2, x) != jnf(2, x); bad += rsqrt(x) != rsqrtf(x);
    bad += sizeof(cbrt(x)) != 4; bad += sizeof(fma(x, x, x)) != 4; bad += sizeof(fmax(x, x)) != 4;
    bad += abs(-3) != 3; bad += abs(-3ll) != 3; bad += abs(-0.5f) != 0.5f; bad += labs(-4l) != 4; bad += llabs(-5ll) != 5;
    bad += min(2u, 3u) != 2; bad += max(-1, 3) != 3; bad += umin(2u, 3u) != 2; bad += llmax(2ll, 3ll) != 3;
    bad += ullmin(7ull, 3ull) != 3; bad += fdividef(x, 2.0f) != x / 2;
    __sincosf(x, &s, &c);
    float worst = fabsf(__expf(x) / expf(x) - 1);
    worst = fmaxf(worst, fabsf(__sinf(x) - sinf(x)));
    worst = fmaxf(worst, fabsf(__cosf(x) - cosf(x)));
    worst = fmaxf(worst, fabsf(__logf(x) - logf(x)));
    worst = fmaxf(worst, fabsf(__log2f(x) - log2f(x)));
    worst = fmaxf(worst, fabsf(__log10f(x) - log10f(x)));
    worst = fmaxf(worst, fabsf(__powf(x, 1.5f) / powf(x, 1.5f) - 1));
    worst = fmaxf(worst, fabsf(__fdividef(x, 3.0f) * 3.0f / x - 1));
    worst = fmaxf(worst, fabsf(__exp10f(x * 0.5f) / exp10f(x * 0.5f) - 1));
    worst = fmaxf(worst, fabsf(s - sinf(x)) + fabsf(c - cosf(x)));
    out[i] = bad + (worst < 1e-4f ? 0.0f : 0.5f);
}
)";

/// Intrinsics whose results are exact: the same bits everywhere.
inline constexpr const char* intrinsics = R"(
__device__ void put(unsigned long long*& out, unsigned long long v) { *out++ = v; }
__global__ void integers(const int* xs, unsigned long long* all, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    unsigned long long* out = all + i * 40;
    int x = xs[i], y = xs[(i + 3) % n], z = xs[(i + 5) % n];
    long long l = (long long)x << 32 | (unsigned)y, m = (long long)z << 32 | (unsigned)x;
    put(out, __popc(x)); put(out, __popcll(l)); put(out, __clz(x)); put(out, __clzll(l)); put(out, __ffs(x));
    put(out, __ffsll(l)); put(out, __brev(x)); put(out, __brevll(l)); put(out, (unsigned)__mul24(x, y));
    put(out, __umul24(x, y)); put(out, (unsigned)__mulhi(x, y)); put(out, __umulhi(x, y));
    put(out, (unsigned long long)__mul64hi(l, m)); put(out, __umul64hi(l, m)); put(out, __byte_perm(x, y, z));
    put(out, __sad(x, y, z)); put(out, __usad(x, y, z)); put(out, (unsigned)__hadd(x, y)); put(out, (unsigned)__rhadd(x, y));
    put(out, __uhadd(x, y)); put(out, __urhadd(x, y)); put(out, __funnelshift_l(x, y, z)); put(out, __funnelshift_r(x, y, z));
    put(out, __funnelshift_lc(x, y, z & 63)); put(out, __funnelshift_rc(x, y, z & 63)); put(out, __fns(x, 3, 2));
    put(out, __fns(x, 20, -3)); put(out, (unsigned)__dp4a(x, y, z)); put(out, __dp4a((unsigned)x, (unsigned)y, (unsigned)z));
    put(out, (unsigned)__dp2a_lo(x, y, z)); put(out, __dp2a_hi((unsigned)x, (unsigned)y, (unsigned)z));
    put(out, __float_as_uint(__int_as_float(x))); put(out, (unsigned)__double2hiint(__hiloint2double(x & 0x3fffffff, y)));
    put(out, (unsigned)__double2loint(__hiloint2double(x & 0x3fffffff, y)));
    put(out, (unsigned long long)__double_as_longlong(__longlong_as_double(l)));
}
__global__ void conversions(const float* fs, const double* ds, unsigned long long* all, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    unsigned long long* out = all + i * 40;
    float f = fs[i];
    double d = ds[i];
    put(out, (unsigned)__float2int_rn(f)); put(out, (unsigned)__float2int_rz(f)); put(out, (unsigned)__float2int_rd(f));
    put(out, (unsigned)__float2int_ru(f)); put(out, __float2uint_rn(f)); put(out, __float2uint_rz(f));
    put(out, __float2uint_rd(f)); put(out, __float2uint_ru(f)); put(out, (unsigned long long)__float2ll_rn(f));
    put(out, (unsigned long long)__float2ll_rz(f)); put(out, __float2ull_rd(f)); put(out, __float2ull_ru(f));
    put(out, (unsigned)__double2int_rn(d)); put(out, (unsigned)__double2int_rz(d)); put(out, (unsigned)__double2int_rd(d));
    put(out, (unsigned)__double2int_ru(d)); put(out, __double2uint_rn(d)); put(out, __double2uint_rz(d));
    put(out, (unsigned long long)__double2ll_rn(d)); put(out, (unsigned long long)__double2ll_rd(d));
    put(out, __double2ull_rz(d)); put(out, __double2ull_ru(d));
    put(out, __float_as_uint(__double2float_rn(d))); put(out, __float_as_uint(__double2float_rd(d)));
    put(out, __float_as_uint(__double2float_ru(d))); put(out, __float_as_uint(__double2float_rz(d)));
}
// Each rounding of one operation: down, up and toward zero, as bits.
__global__ void roundings(const float* as, const float* bs, const double* cs, const double* ds, unsigned* f,
                          unsigned long long* d, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float a = as[i], b = bs[i];
    double p = cs[i], q = ds[i];
    f += i * 24;
    d += i * 24;
#define PUT(value) *f++ = __float_as_uint(value);
    PUT(__fadd_rd(a, b)) PUT(__fadd_ru(a, b)) PUT(__fadd_rz(a, b)) PUT(__fsub_rd(a, b)) PUT(__fsub_ru(a, b)) PUT(__fsub_rz(a, b))
    PUT(__fmul_rd(a, b)) PUT(__fmul_ru(a, b)) PUT(__fmul_rz(a, b)) PUT(__fdiv_rd(a, b)) PUT(__fdiv_ru(a, b)) PUT(__fdiv_rz(a, b))
    PUT(__fsqrt_rd(a * a)) PUT(__fsqrt_ru(b * b)) PUT(__fsqrt_rz(3.0f)) PUT(__fmaf_rd(a, b, 1.0f)) PUT(__fmaf_ru(a, b, 1.0f)) PUT(__fmaf_rz(a, b, 1.0f))
    PUT(__int2float_rd((int)(a * 123456789.0f))) PUT(__int2float_ru((int)(a * 123456789.0f))) PUT(__uint2float_rz(4294967295u))
    PUT(__frcp_rd(b)) PUT(__fadd_rn(a, b)) PUT(__fmul_rn(a, b))
#undef PUT
#define PUT(value) *d++ = (unsigned long long)__double_as_longlong(value);
    PUT(__dadd_rd(p, q)) PUT(__dadd_ru(p, q)) PUT(__dadd_rz(p, q)) PUT(__dsub_rd(p, q)) PUT(__dsub_ru(p, q)) PUT(__dsub_rz(p, q))
    PUT(__dmul_rd(p, q)) PUT(__dmul_ru(p, q)) PUT(__dmul_rz(p, q)) PUT(__ddiv_rd(p, q)) PUT(__ddiv_ru(p, q)) PUT(__ddiv_rz(p, q))
    PUT(__dsqrt_rd(p * p)) PUT(__dsqrt_ru(q * q)) PUT(__dsqrt_rz(3.0)) PUT(__fma_rd(p, q, 1.0)) PUT(__fma_ru(p, q, 1.0)) PUT(__fma_rz(p, q, 1.0))
    PUT(__ll2double_rd(9007199254740993ll)) PUT(__ll2double_ru(9007199254740993ll)) PUT(__ull2double_rz(~0ull))
    PUT(__drcp_rd(q)) PUT(__dadd_rn(p, q)) PUT(__dmul_rn(p, q))
#undef PUT
}
)";

}  // namespace texts
