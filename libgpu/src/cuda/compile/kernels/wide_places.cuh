// SPDX-License-Identifier: MIT
// Places among axes in 64 bits, and how a coordinate is cut off one.

typedef long long _Place, _Offset;
// One copy of the long 64-bit division, however many axes there are.
static __device__ __noinline__ _Place _divide(_Place a, _Place b) { return a / b; }
static __device__ __forceinline__ _Place _cut(_Place& index, const _Axis& axis) {
    const _Place rest = index >> 31 == 0 && axis.magic != 0
        ? (_Place)((__umulhi((unsigned)index, axis.magic) + (unsigned)index) >> axis.shift)
        : _divide(index, axis.length);
    const _Place coordinate = index - rest * axis.length;
    index = rest;
    return coordinate;
}
