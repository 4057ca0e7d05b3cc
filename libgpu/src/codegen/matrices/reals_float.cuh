// SPDX-License-Identifier: MIT
// Numbers of 32 bits.

typedef float Real;
typedef unsigned Bits;
__device__ inline Bits bits_of(Real x) { return (Bits)__float_as_int(x); }
__device__ inline int exponent_of(Bits bits) { return (int)(bits >> 23) - 127; }
__device__ inline Real min_square() { return 1e-30f; }
__device__ inline Real far() { return 1e4f; }
__device__ inline Real epsilon() { return 0x1p-23f; }
__device__ inline Real real_infinity() { return __int_as_float(0x7f800000); }
__device__ inline Real real_nan() { return __int_as_float(0x7fc00000); }
