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
__device__ inline Number one(Real x) { return Number{x, 0}; }
