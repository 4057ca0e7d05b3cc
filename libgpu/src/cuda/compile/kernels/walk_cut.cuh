// SPDX-License-Identifier: MIT

// Cuts the coordinate along an axis off an index below 2^31: a multiplication replaces the division.
static __device__ __forceinline__ unsigned _cut(unsigned& index, const _Extent& axis) {
    const unsigned rest = (__umulhi(index, axis.magic) + index) >> axis.shift, coordinate = index - rest * axis.length;
    index = rest;
    return coordinate;
}
