// SPDX-License-Identifier: MIT
// Complex numbers.

struct Number { Real re, im; };
__device__ inline Real size(Number z) { return fmax(fabs(z.re), fabs(z.im)); }
__device__ inline Real square(Number z) { return z.re * z.re + z.im * z.im; }
__device__ inline Number scaled(Number z, Real by) { return Number{z.re * by, z.im * by}; }
__device__ inline Number conjugate(Number z) { return Number{z.re, -z.im}; }
__device__ inline Real magnitude(Number z) { return hypot(z.re, z.im); }
__device__ inline Number phase(Number z, Real length) { return Number{z.re / length, z.im / length}; }
__device__ inline Number product(Number x, Number y) {
    return Number{x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
__device__ inline Number sum(Number x, Number y) { return Number{x.re + y.re, x.im + y.im}; }
__device__ inline Number difference(Number x, Number y) { return Number{x.re - y.re, x.im - y.im}; }
__device__ inline Number from_lane(Number z, int by) {
    return Number{__shfl_xor_sync(0xffffffffu, z.re, by), __shfl_xor_sync(0xffffffffu, z.im, by)};
}
__device__ inline Number at_lane(Number z, int lane) {
    return Number{__shfl_sync(0xffffffffu, z.re, lane), __shfl_sync(0xffffffffu, z.im, lane)};
}
__device__ inline Number one(Real x) { return Number{x, 0}; }
// Smith, "Algorithm 116: complex division", 1962: no square overflows.
__device__ inline Number quotient(Number x, Number y) {
    const bool wide = fabs(y.re) >= fabs(y.im);
    const Real large = wide ? y.re : y.im, small = wide ? y.im : y.re;
    const Real ratio = small / large, under = large + small * ratio;
    const Number top = wide ? Number{x.re + x.im * ratio, x.im - x.re * ratio}
                            : Number{x.re * ratio + x.im, x.im * ratio - x.re};
    return Number{top.re / under, top.im / under};
}
__device__ inline Real weight(Number z) { return fabs(z.re) + fabs(z.im); }
__device__ inline Real real_part(Number z) { return z.re; }
__device__ inline bool is_finite(Number z) { return z.re - z.re == 0 && z.im - z.im == 0; }
__device__ inline Number not_a_number() { return Number{real_nan(), real_nan()}; }
