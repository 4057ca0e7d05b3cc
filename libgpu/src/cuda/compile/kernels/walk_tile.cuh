// SPDX-License-Identifier: MIT

struct alignas(16) _Bytes { unsigned char at[16]; };

// A tile's length along an axis, which may end within it.
static __device__ __forceinline__ unsigned _side(const unsigned _max, const unsigned _length, const unsigned _at) {
    return _length - _at < _max ? _length - _at : _max;
}
