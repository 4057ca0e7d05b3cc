// SPDX-License-Identifier: MIT
// Places below 2^31 among axes, and how far apart elements lie: a multiplication cuts a coordinate off.

typedef unsigned _Place;
typedef int _Offset;
static __device__ __forceinline__ _Place _cut(_Place& index, const _Axis& axis) {
    const _Place rest = (__umulhi(index, axis.magic) + index) >> axis.shift;
    const _Place coordinate = index - rest * (unsigned)axis.length;
    index = rest;
    return coordinate;
}
