// SPDX-License-Identifier: MIT
// Digits of the integer whose order is that of the elements: NaN comes last, and -0 equals 0.

enum { digits = 256 };

__device__ __forceinline__ unsigned digit_of(U bits, int shift) {
    U key = U(bits ^ sign);
    if (is_floating) {
        const bool is_negative = bits > sign, is_nan = U(bits & U(~sign)) > infinity;
        key = is_negative ? U(~bits) : U(bits | sign);
        key = is_nan ? U(~U(0)) : key;
    }
    return unsigned(key >> shift) & (digits - 1);
}
