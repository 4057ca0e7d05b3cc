// SPDX-License-Identifier: MIT
// What the text of libgpu's cuda_fp16.h needs where it is compiled for the host's half of a program.
#pragma once

template <class To, class From>
inline To gpu_bit_cast(From x) {
    static_assert(sizeof(To) == sizeof(From), "sizes differ");
    To y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}
// As a GPU converts: values out of range become the nearest valid one, NaN what PTX says.
template <class I, class F>
inline I gpu_to_integer(F x) {
    constexpr bool is_signed = I(-1) < I(0);
    constexpr I top = I(1ULL << (sizeof(I) * 8 - 1)), min_value = is_signed ? top : I(0);
    constexpr I max_value = I(is_signed ? ~top : ~I(0));
    constexpr F end = F(1ULL << (sizeof(I) * 8 - 1)) * (is_signed ? 1 : 2);
    if (x != x) return sizeof(I) == 4 && sizeof(F) == 4 ? I(0) : top;
    return x >= end ? max_value : x <= F(min_value) ? min_value : I(x);
}
