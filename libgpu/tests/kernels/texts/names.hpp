// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Names that C has in headers, and kernels have without one on both backends.
/// Names that nothing declares stand in templates that nobody instantiates.
inline constexpr const char* names = R"(
template <class T> __device__ T most() { return std::numeric_limits<T>::max(); }
template <class T> struct Table {
    T first;
    __device__ Table() : first(nothing) {}
    __device__ T at(int k) { std::vector<T> rows; return rows[k] + most<T>(); }
};
template <class T> __device__ void unused(T* out) { Table<T> table; out[0] = table.at(1); }
__global__ void sizes(int* out) {
    int8_t a = -1; int16_t b = -1; int32_t c = -1; int64_t d = -1;
    uint8_t e = 255; uint16_t f = 65535; uint32_t g = 4294967295u; uint64_t h = ULLONG_MAX;
    uchar i = 255; ushort j = 65535; uint k = UINT_MAX;
    out[0] = sizeof a + 10 * sizeof b + 100 * sizeof c + 1000 * sizeof d + 10000 * sizeof(intptr_t);
    out[1] = (int)(e + f + i + j) + (g == k) + (h + 1 == 0) + (a + b + c + (int)d == -4);
    out[2] = (INFINITY > FLT_MAX) + 2 * (NAN != NAN) + 4 * (FLT_MIN > 0) + 8 * (1 + FLT_EPSILON > 1) + 16 * (DBL_MAX > 1e308);
    out[3] = (INT_MAX == 2147483647) + 2 * (INT_MIN < 0) + 4 * (LLONG_MAX + LLONG_MIN == -1) + 8 * (CHAR_BIT == 8) +
             16 * (M_PI > 3.14159 && M_PI < 3.1416) + 32 * (DBL_EPSILON < 1e-15 && DBL_MIN > 0);
}
)";

}  // namespace texts
