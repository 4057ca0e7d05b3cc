typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif

template <class _T> struct _Strided { _T* data; long long strides[3]; };
struct _Extent { long long _start, _step; unsigned length, magic, shift, spare; };
struct _Space {
    long long size, _begin, _first;
    unsigned _total, group_log2;
    _Extent tiles[3], axes[3];
};
struct _Index {
    long long n;
    __device__ long long size() const { return n; }
};

static __device__ __forceinline__ void _element(const double x, const int y, const float factor, double& z, const long long i, const _Index _ind) {
#line 1 "strided_scale"
z = x * factor + y;  // no semicolon is missing
;
#line 33 "libgpu generated"
}

// Cuts the coordinate along an axis off an index below 2^31: a multiplication replaces the division.
static __device__ __forceinline__ unsigned _cut(unsigned& index, const _Extent& axis) {
    const unsigned rest = (__umulhi(index, axis.magic) + index) >> axis.shift, coordinate = index - rest * axis.length;
    index = rest;
    return coordinate;
}

extern "C" __global__ void __launch_bounds__(256) libgpu_strided_scale(const _Space _space, const _Strided<const double> _arg_x, const _Strided<const int> _arg_y, const float _arg_factor, double* _arg_z) {
    const _Index _ind{_space.size};
    enum { _each = 4 };
    const unsigned _begin = blockIdx.x * blockDim.x * _each + threadIdx.x;
    if (_begin - threadIdx.x + blockDim.x * _each <= _space._total) {
        double _arg_x_at[_each];
        int _arg_y_at[_each];
        double _arg_z_at[_each];
        double* _arg_z_to[_each];
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) {
            const unsigned _e = _begin + _k * blockDim.x;
            unsigned _rest = _e;
            const unsigned _c2 = _cut(_rest, _space.axes[2]);
            const unsigned _c1 = _cut(_rest, _space.axes[1]);
            const unsigned _c0 = _rest;
            _arg_x_at[_k] = _arg_x.data[_c0 * _arg_x.strides[0] + _c1 * _arg_x.strides[1] + _c2 * _arg_x.strides[2]];
            _arg_y_at[_k] = _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1] + _c2 * _arg_y.strides[2]];
            _arg_z_at[_k] = *(_arg_z_to[_k] = &_arg_z[_space._begin + _e]);
        }
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) {
            const unsigned _e = _begin + _k * blockDim.x;
            _element(_arg_x_at[_k], _arg_y_at[_k], _arg_factor, _arg_z_at[_k], _space._first + _e, _ind);
            *_arg_z_to[_k] = _arg_z_at[_k];
        }
        return;
    }
#pragma unroll 1
    for (unsigned _e = _begin; _e < _space._total; _e += blockDim.x) {
        unsigned _rest = _e;
        const unsigned _c2 = _cut(_rest, _space.axes[2]);
        const unsigned _c1 = _cut(_rest, _space.axes[1]);
        const unsigned _c0 = _rest;
        _element(_arg_x.data[_c0 * _arg_x.strides[0] + _c1 * _arg_x.strides[1] + _c2 * _arg_x.strides[2]], _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1] + _c2 * _arg_y.strides[2]], _arg_factor, _arg_z[_space._begin + _e], _space._first + _e, _ind);
    }
}
