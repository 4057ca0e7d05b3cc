// SPDX-License-Identifier: MIT
// Numbers of 64 bits.

typedef double Real;
typedef unsigned long long Bits;  // of a non-negative number: ordered like the numbers
__device__ inline Bits bits_of(Real x) { return (Bits)__double_as_longlong(x); }
__device__ inline int exponent_of(Bits bits) { return (int)(bits >> 52) - 1023; }
__device__ inline Real min_square() { return 1e-290; }
__device__ inline Real far() { return 1e8; }
__device__ inline Real epsilon() { return 0x1p-52; }
__device__ inline Real real_infinity() { return __longlong_as_double(0x7ff0000000000000ll); }
__device__ inline Real real_nan() { return __longlong_as_double(0x7ff8000000000000ll); }
