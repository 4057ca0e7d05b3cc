// SPDX-License-Identifier: MIT
// For floats. log(x) for x in [2^-33, 1]: x = 2^e m with m in [2/3, 4/3), and a polynomial for log(1 + f), f = m - 1.
// There is no division, which would take longer than everything else. gpu_turn: cosine and sine of 2 pi (turn / 2^32)
// by polynomials within pi / 4 of the nearest quarter turn. The polynomials are minimax in relative error among those
// with float coefficients: 2^-25 (log), 2^-27 (sine), 2^-32 (cosine).

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
    const unsigned place = turn + 0x20000000u;  // its first two bits are the nearest quarter turn
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
