// SPDX-License-Identifier: MIT
// For doubles. log(x) for x in [2^-65, 1]: m in [sqrt(1/2), sqrt(2)), log m = 2 atanh(s), s = (m - 1) / (m + 1), by
// atanh's series; |s| < 0.172. gpu_turn uses the series of cosine and sine.

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
