// SPDX-License-Identifier: MIT
#include "codegen/random_functions.hpp"

namespace gpu::detail {

// Philox4x32 with 10 rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
const char* const philox_text = R"(
static __device__ __forceinline__ unsigned long long gpu_wide(unsigned a, unsigned b) {
#ifdef __GNUC__  // the host's compiler
    return (unsigned long long)a * b;
#else  // NVRTC makes one instruction of this, and two of the other where b is a constant above 2^31
    return (unsigned long long)__umulhi(a, b) << 32 | a * b;
#endif
}
static __device__ __forceinline__ void gpu_philox(unsigned long long seed, unsigned long long block, unsigned stream,
                                                  unsigned* w) {
    unsigned a = (unsigned)seed, b = (unsigned)(seed >> 32);
    w[0] = (unsigned)block; w[1] = (unsigned)(block >> 32); w[2] = stream; w[3] = 0;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const unsigned long long x = gpu_wide(w[0], 0xD2511F53u), y = gpu_wide(w[2], 0xCD9E8D57u);
        w[0] = (unsigned)(y >> 32) ^ w[1] ^ a; w[1] = (unsigned)y;
        w[2] = (unsigned)(x >> 32) ^ w[3] ^ b; w[3] = (unsigned)x;
        a += 0x9E3779B9u; b += 0xBB67AE85u;
    }
}
static __device__ __forceinline__ unsigned long long gpu_64(const unsigned* w, int k) {
    return (unsigned long long)w[2 * k + 1] << 32 | w[2 * k];
}
)";

// Of floats: log(x) for x in [2^-33, 1]: x = 2^e m with m in [2/3, 4/3), and a polynomial of log(1 + f), f = m - 1: no
// quotient, which would take longer than all the rest. gpu_turn: cosine and sine of 2 pi (turn / 2^32) by polynomials
// within pi / 4 of the nearest quarter turn. The polynomials have the least largest relative error among those with
// float coefficients: 2^-25 (log), 2^-27 (sine), 2^-32 (cosine).
const char* const float_functions = R"(
static __device__ __forceinline__ float gpu_log(float x) {
    union { float number; int bits; } m = {x};
    const int e = (m.bits - 0x3F2AAAAB) & -0x800000;  // times 2^23
    m.bits -= e;
    const float f = m.number - 1.0f, z = f * f;
    float p = fmaf(f, 0x1.1f243cp-3f, -0x1.3b0e5cp-3f);
    p = fmaf(p, f, 0x1.1ea94cp-3f);
    p = fmaf(p, f, -0x1.503884p-3f);
    p = fmaf(p, f, 0x1.99d3a8p-3f);
    p = fmaf(p, f, -0x1.00145p-2f);
    p = fmaf(p, f, 0x1.5554fcp-2f);
    p = fmaf(p, f, -0x1.ffffd6p-2f);
    return fmaf((float)e, 0x1.62e43p-24f, fmaf(z, p, f));
}
static __device__ __forceinline__ float gpu_fraction(unsigned w) { return fmaf((float)w, 0x1p-32f, 0x1p-33f); }
static __device__ __forceinline__ void gpu_turn(unsigned turn, float& cosine, float& sine) {
    const unsigned place = turn + 0x20000000u;  // the nearest quarter turn is in the first two bits
    const float r = (float)((int)(place & 0x3FFFFFFFu) - 0x20000000);
    const float y = fmaf(r, 0x1.921fb6p-30f, r * -0x1.777a5cp-55f), z = y * y;
    float s = fmaf(z, -0x1.995408p-13f, 0x1.110778p-7f);
    s = fmaf(s, z, -0x1.555546p-3f);
    s = fmaf(y * z, s, y);
    float c = fmaf(z, 0x1.99e80cp-16f, -0x1.6c0c28p-10f);
    c = fmaf(c, z, 0x1.55554ap-5f);
    c = fmaf(c, z, -0.5f);
    c = fmaf(c, z, 1.0f);
    const bool odd = place & 0x40000000u;
    union { float number; unsigned bits; } a = {odd ? s : c}, b = {odd ? c : s};
    a.bits ^= (place + 0x40000000u) & 0x80000000u;
    b.bits ^= place & 0x80000000u;
    cosine = a.number; sine = b.number;
}
static __device__ __forceinline__ void gpu_pair(const unsigned* w, float mean, float stddev, float mean_b,
                                                float& a, float& b) {
    const float r = sqrtf(-2.0f * gpu_log(gpu_fraction(w[0])));
    float c, s;
    gpu_turn(w[1], c, s);
    a = fmaf(r * c, stddev, mean);
    b = fmaf(r * s, stddev, mean_b);
}
)";

// Of doubles: log(x) for x in [2^-65, 1]: m in [sqrt(1/2), sqrt(2)), log m = 2 atanh(s), s = (m - 1) / (m + 1), by
// atanh's series; |s| < 0.172. gpu_turn by the series of cosine and sine.
const char* const double_functions = R"(
static __device__ __forceinline__ double gpu_log(double x) {
    union { double number; long long bits; } m = {x};
    const long long e = (m.bits - 0x3FE6A09E667F3BCDll) >> 52;
    m.bits -= e << 52;
    const double f = m.number - 1.0, s = f / (f + 2.0), z = s * s;
    double p = fma(z, 2.0 / 21, 2.0 / 19);
    p = fma(p, z, 2.0 / 17);
    p = fma(p, z, 2.0 / 15);
    p = fma(p, z, 2.0 / 13);
    p = fma(p, z, 2.0 / 11);
    p = fma(p, z, 2.0 / 9);
    p = fma(p, z, 2.0 / 7);
    p = fma(p, z, 2.0 / 5);
    p = fma(p, z, 2.0 / 3);
    return fma((double)e, 0x1.62e42fefap-1, fma((double)e, 0x1.cf79abc9e3b3ap-40, fma(s * z, p, s + s)));
}
static __device__ __forceinline__ double gpu_fraction(unsigned long long w) {
    return fma((double)w, 0x1p-64, 0x1p-65);
}
static __device__ __forceinline__ void gpu_turn(unsigned long long turn, double& cosine, double& sine) {
    const unsigned quarter = (unsigned)((turn + (1ull << 61)) >> 62);
    const double r = (double)(long long)(turn - ((unsigned long long)quarter << 62));
    const double y = fma(r, 0x1.921fb54442d18p-62, r * 0x1.1a62633145c07p-116), z = y * y;
    double s = fma(z, 1 / 355687428096000.0, -1 / 1307674368000.0);
    s = fma(s, z, 1 / 6227020800.0);
    s = fma(s, z, -1 / 39916800.0);
    s = fma(s, z, 1 / 362880.0);
    s = fma(s, z, -1 / 5040.0);
    s = fma(s, z, 1 / 120.0);
    s = fma(s, z, -1 / 6.0);
    s = fma(y * z, s, y);
    double c = fma(z, -1 / 6402373705728000.0, 1 / 20922789888000.0);
    c = fma(c, z, -1 / 87178291200.0);
    c = fma(c, z, 1 / 479001600.0);
    c = fma(c, z, -1 / 3628800.0);
    c = fma(c, z, 1 / 40320.0);
    c = fma(c, z, -1 / 720.0);
    c = fma(c, z, 1 / 24.0);
    c = fma(c, z, -0.5);
    c = fma(c, z, 1.0);
    cosine = quarter & 1 ? s : c; sine = quarter & 1 ? c : s;
    if (quarter == 1 || quarter == 2) cosine = -cosine;
    if (quarter & 2) sine = -sine;
}
static __device__ __forceinline__ void gpu_pair(const unsigned* w, double mean, double stddev, double mean_b,
                                                double& a, double& b) {
    const double r = sqrt(-2.0 * gpu_log(gpu_fraction(gpu_64(w, 0))));
    double c, s;
    gpu_turn(gpu_64(w, 1), c, s);
    a = fma(r * c, stddev, mean);
    b = fma(r * s, stddev, mean_b);
}
)";

const char* const wide_product = R"(
// The high half of a product of 64 bits each.
static __device__ __forceinline__ unsigned long long gpu_high(unsigned long long a, unsigned long long b) {
    const unsigned long long a0 = (unsigned)a, a1 = a >> 32, b0 = (unsigned)b, b1 = b >> 32;
    const unsigned long long low = a0 * b1 + (a0 * b0 >> 32), middle = a1 * b0 + (unsigned)low;
    return a1 * b1 + (low >> 32) + (middle >> 32);
}
)";

}  // namespace gpu::detail
