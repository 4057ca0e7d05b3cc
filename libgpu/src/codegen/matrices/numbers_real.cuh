// SPDX-License-Identifier: MIT
// Real numbers.

typedef Real Number;
__device__ inline Real size(Number x) { return fabs(x); }       // the larger component's
__device__ inline Real square(Number x) { return x * x; }
__device__ inline Number scaled(Number x, Real by) { return x * by; }
__device__ inline Number conjugate(Number x) { return x; }
__device__ inline Real magnitude(Number x) { return fabs(x); }
__device__ inline Number phase(Number x, Real) { return x < 0 ? -1 : 1; }  // x / |x|
__device__ inline Number product(Number x, Number y) { return x * y; }
__device__ inline Number sum(Number x, Number y) { return x + y; }
__device__ inline Number difference(Number x, Number y) { return x - y; }
__device__ inline Number from_lane(Number x, int by) { return __shfl_xor_sync(0xffffffffu, x, by); }
__device__ inline Number at_lane(Number x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }
__device__ inline Number one(Real x) { return x; }
__device__ inline Number quotient(Number x, Number y) { return x / y; }
__device__ inline Real weight(Number x) { return fabs(x); }  // what pivots are chosen by
__device__ inline Real real_part(Number x) { return x; }
__device__ inline bool is_finite(Number x) { return x - x == 0; }
__device__ inline Number not_a_number() { return real_nan(); }
