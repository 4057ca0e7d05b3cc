// SPDX-License-Identifier: MIT
// Digits of the integer whose order is that of the elements: NaN comes last, and -0 equals 0.

enum { digits = 256 };

__device__ __forceinline__ unsigned digit_of(U bits, int shift) {
    U key = U(bits ^ sign);
    if (is_floating) {
        const U flipped = bits > sign ? U(~U(0)) : U(0);
        key = U(bits & U(~sign)) > infinity ? U(~U(0)) : U(U(bits | sign) ^ flipped);
    }
    return unsigned(key >> shift) & (digits - 1);
}
