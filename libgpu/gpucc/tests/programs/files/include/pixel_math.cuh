// SPDX-License-Identifier: MIT
#ifndef PIXEL_MATH_CUH
#define PIXEL_MATH_CUH

#ifndef BRIGHT_LIMIT
#define BRIGHT_LIMIT 5
#endif

constexpr int limit = BRIGHT_LIMIT;

__host__ __device__ inline int clamped(int value, int low = 0, int high = 9) {
    return value < low ? low : value > high ? high : value;
}

#endif
