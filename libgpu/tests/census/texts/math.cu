// SPDX-License-Identifier: MIT
//// float functions
__global__ void k(float* x) { x[0] = sqrtf(x[1]) + expf(x[1]) + logf(x[1]) + sinf(x[1]) + cosf(x[1]) + tanf(x[1]) + powf(x[1], x[2]) + fabsf(x[1]) + floorf(x[1]) + ceilf(x[1]) + fmaxf(x[1], x[2]) + fminf(x[1], x[2]) + fmaf(x[1], x[2], x[3]); }
//// double functions
__global__ void k(double* x) { x[0] = sqrt(x[1]) + exp(x[1]) + log(x[1]) + sin(x[1]) + pow(x[1], x[2]) + fabs(x[1]) + floor(x[1]) + fmax(x[1], x[2]) + fma(x[1], x[2], x[3]) + hypot(x[1], x[2]); }
//// overloads of float
__global__ void k(float* x) { float y = sqrt(x[1]) + exp(x[1]) + abs(x[2]) + max(x[1], x[2]) + min(x[1], 2.0f) + round(x[1]); x[0] = y; }
//// of whole numbers
__global__ void k(double* x, int n) { x[0] = sqrt(n) + pow(2, n) + exp(n) + log2(n) + floor(n); }
//// of two types
__global__ void k(double* x, float f, double d) { x[0] = pow(f, d) + fmax(f, d) + atan2(d, f) + pow(f, 2); }
//// reciprocal and cube roots
__global__ void k(float* x) { x[0] = rsqrtf(x[1]) + cbrtf(x[1]) + rcbrtf(x[1]) + rsqrt(x[1]) + rhypotf(x[1], x[2]); }
//// norms
__global__ void k(float* x) { x[0] = norm3df(x[1], x[2], x[3]) + rnorm3df(x[1], x[2], x[3]) + norm4df(x[1], x[2], x[3], x[4]) + normf(3, x + 1) + hypotf(x[1], x[2]); }
//// trigonometry in multiples of pi
__global__ void k(float* x) { float s, c; sincospif(x[1], &s, &c); sincosf(x[1], &s, &c); x[0] = sinpif(x[1]) + cospif(x[1]) + s + c; }
//// special functions
__global__ void k(double* x) { x[0] = erf(x[1]) + erfc(x[1]) + erfinv(x[1]) + erfcx(x[1]) + tgamma(x[1]) + lgamma(x[1]) + j0(x[1]) + y1(x[1]) + jn(2, x[1]) + normcdf(x[1]) + cyl_bessel_i0(x[1]); }
//// parts of a number
__global__ void k(float* x) { int e; float w; float m = frexpf(x[1], &e); x[0] = m + modff(x[2], &w) + w + ldexpf(x[3], e) + scalbnf(x[4], 2) + logbf(x[5]) + ilogbf(x[5]); }
//// remainders
__global__ void k(float* x) { int q; x[0] = fmodf(x[1], x[2]) + remainderf(x[1], x[2]) + remquof(x[1], x[2], &q) + fdimf(x[1], x[2]) + q; }
//// classification
__global__ void k(int* x, float f, double d) { x[0] = isnan(f) + isinf(d) + isfinite(f) + signbit(d); }
//// copysign and nextafter
__global__ void k(float* x) { x[0] = copysignf(x[1], x[2]) + nextafterf(x[1], x[2]) + nanf(""); }
//// rounding
__global__ void k(long long* x, float f) { x[0] = lrintf(f) + llrintf(f) + lroundf(f) + llroundf(f) + (long long)rintf(f) + (long long)nearbyintf(f) + (long long)truncf(f); }
//// hyperbolic
__global__ void k(float* x) { x[0] = sinhf(x[1]) + coshf(x[1]) + tanhf(x[1]) + asinhf(x[1]) + acoshf(x[1]) + atanhf(x[1]); }
//// exponentials
__global__ void k(float* x) { x[0] = exp2f(x[1]) + exp10f(x[1]) + expm1f(x[1]) + log1pf(x[1]) + log2f(x[1]) + log10f(x[1]); }
//// min and max of whole numbers
__global__ void k(int* x, unsigned u, long long l) { x[0] = min(x[1], x[2]) + max(u, 3u) + (int)min(l, 5ll) + max(x[1], 0) + abs(x[1]) + (int)llabs(l) + (int)labs(3l); }
//// min of int and unsigned
__global__ void k(unsigned* x, int n) { x[0] = min(n, x[1]) + max(x[2], n); }
//// min of float and double
__global__ void k(double* x, float f) { x[0] = min(f, x[1]) + max(x[2], f); }
//// min of size_t
__global__ void k(size_t* x, size_t n) { x[0] = min(n, x[1]); }
//// INFINITY and NAN
__global__ void k(float* x) { x[0] = x[1] > 0 ? INFINITY : NAN; }
//// M_PI
__global__ void k(double* x) { x[0] = M_PI + M_E + M_SQRT2; }
//// FLT_MAX and INT_MAX
__global__ void k(float* x) { x[0] = FLT_MAX + INT_MAX + DBL_EPSILON; }
//// shifts and modulo
__global__ void k(int* x) { x[0] = x[1] << 3 >> 2 ^ x[2] % 7 | x[3] & ~x[4]; }
//// modulo of floats
__global__ void k(float* x) { x[0] = x[1] % 2.0f; }
//// vector types
__global__ void k(float4* x, int3* y) { float4 a = make_float4(1, 2, 3, 4); x[0] = a; x[1].x = a.w; y[0] = make_int3(1, 2, 3); uchar4 c = make_uchar4(1, 2, 3, 4); y[1].x = c.z; double2 d = {1, 2}; x[2].y = d.y; }
//// long vector types
__global__ void k(longlong2* x, ulonglong4* y, short2* z) { x[0] = make_longlong2(1, 2); y[0].w = x[0].y; z[0] = make_short2(1, 2); }
//// vector arithmetic that CUDA doesn't have
__global__ void k(float4* x) { x[0] = x[1] + x[2]; }
//// vector arithmetic of one's own
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__global__ void k(float4* x) { x[0] = x[1] + x[2]; }
//// dim3
__global__ void k(int* x) { dim3 d(2, 3); uint3 t = threadIdx; x[0] = d.x + d.z + t.x + gridDim.x + blockDim.y; }
//// a function called round of one's own
template <class T> __device__ T round(T x, int n) { return x + n; }
__global__ void k(float* x) { x[0] = round(x[1], 2); }
//// too few arguments
__global__ void k(float* x) { x[0] = powf(x[1]); }
//// a string for a number
__global__ void k(float* x) { x[0] = sqrtf("2"); }
