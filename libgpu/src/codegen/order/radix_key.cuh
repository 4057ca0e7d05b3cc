// SPDX-License-Identifier: MIT
// The integer whose order is that of the elements, and its digits: NaN comes last, and -0 equals 0.

enum { digits = 256 };

__device__ __forceinline__ U key_of(U bits) {
    if (!is_floating) return U(bits ^ sign);
    const U flipped = bits > sign ? U(~U(0)) : U(0);
    return U(bits & U(~sign)) > infinity ? U(~U(0)) : U(U(bits | sign) ^ flipped);
}

__device__ __forceinline__ unsigned digit_of(U bits, int shift) {
    return unsigned(key_of(bits) >> shift) & (digits - 1);
}
