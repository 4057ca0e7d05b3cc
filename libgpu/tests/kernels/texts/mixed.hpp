// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Math functions of whole numbers and of numbers of two types: double, as in C++.
inline constexpr const char* mixed = R"(
template <class T> __device__ T round(T x, int digits) { return digits == 0 ? x : 0; }

__global__ void mixed(int n, unsigned char c, float f, double d, double* out) {
    const double all[] = {
        sqrt(n), cbrt(c), exp(1), log(n), sin(2ull), floor(n), fabs(-n), lgamma(n), pow(n, n), pow(f, d), pow(n, d),
        pow(f, 2), pow(d, 2), atan2(n, f), hypot(3l, 4), fmod(n, f), copysign(n, -1), fmin(n, d), fmax(c, 2ll),
        (double)isnan(n), (double)isfinite(c), (double)round(7, 1), sqrt(f) - sqrtf(f), n + sizeof(sqrt(f)),
        n + sizeof(sqrt(n)), n + sizeof(pow(f, 2)), n + sizeof(pow(f, f)), n + sizeof(pow(f, d)), 100 * signbit(-n)};
    for (int k = 0; k < (int)(sizeof all / sizeof all[0]); ++k) out[k] = all[k];
}
)";

}  // namespace texts
