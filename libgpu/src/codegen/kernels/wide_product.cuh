// SPDX-License-Identifier: MIT
// For integers from a 64-bit range.

// The high half of a product of two 64-bit numbers.
static __device__ __forceinline__ unsigned long long gpu_high(unsigned long long a, unsigned long long b) {
    const unsigned long long a0 = (unsigned)a, a1 = a >> 32, b0 = (unsigned)b, b1 = b >> 32;
    const unsigned long long low = a0 * b1 + (a0 * b0 >> 32), middle = a1 * b0 + (unsigned)low;
    return a1 * b1 + (low >> 32) + (middle >> 32);
}
