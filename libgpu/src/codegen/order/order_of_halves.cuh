// SPDX-License-Identifier: MIT
// Halves are compared by their bits, as signed integers.

__device__ inline int rank_of(E bits) {
    const int size = bits & 0x7fff;
    return size > infinity ? 0x8000 : (bits & 0x8000) != 0 ? -size : size;
}
__device__ inline bool goes_before(E b, E a) { return rank_of(b) < rank_of(a); }
