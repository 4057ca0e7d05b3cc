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

enum { _axes = 3, _block = 256, _each = 4 };
template <class _T> struct _Strided { _T* data; long long strides[_axes]; };
struct _Extent { long long _start, _step; unsigned length, magic, shift, spare; };
struct _Space {
    long long size, _begin, _first;
    unsigned _total, group_log2;
    _Extent tiles[3], axes[_axes];
};
struct _Index {
    long long n;
    __device__ long long size() const { return n; }
};

static __device__ __forceinline__ void _element(const double x, const int y, const float factor, double& z, const long long i, const _Index _ind) {
#line 1 "strided_scale"
z = x * factor + y;  // no semicolon is missing
;
#line 34 "libgpu generated"
}

// Cuts the coordinate along an axis off an index below 2^31: a multiplication replaces the division.
static __device__ __forceinline__ unsigned _cut(unsigned& index, const _Extent& axis) {
    const unsigned rest = (__umulhi(index, axis.magic) + index) >> axis.shift, coordinate = index - rest * axis.length;
    index = rest;
    return coordinate;
}

struct _Arrays {
    const _Space& _space;
    const _Strided<const double>& _arg_x;
    const _Strided<const int>& _arg_y;
    const float _arg_factor;
    double* _arg_z;
    struct _Staged {
        double _arg_x;
        int _arg_y;
        double _arg_z;
        double* _arg_z_to;
    };
    __device__ __forceinline__ void _load(_Staged& _v, const unsigned _e) const {
        unsigned _rest = _e;
        const unsigned _c2 = _cut(_rest, _space.axes[2]);
        const unsigned _c1 = _cut(_rest, _space.axes[1]);
        const unsigned _c0 = _rest;
        _v._arg_x = _arg_x.data[_c0 * _arg_x.strides[0] + _c1 * _arg_x.strides[1] + _c2 * _arg_x.strides[2]];
        _v._arg_y = _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1] + _c2 * _arg_y.strides[2]];
        _v._arg_z = *(_v._arg_z_to = &_arg_z[_space._begin + _e]);
    }
    __device__ __forceinline__ void _call(_Staged& _v, const unsigned _e) const {
        const _Index _ind{_space.size};
        _element(_v._arg_x, _v._arg_y, _arg_factor, _v._arg_z, _space._first + _e, _ind);
        *_v._arg_z_to = _v._arg_z;
    }
    __device__ __forceinline__ void _call(const unsigned _e) const {
        unsigned _rest = _e;
        const unsigned _c2 = _cut(_rest, _space.axes[2]);
        const unsigned _c1 = _cut(_rest, _space.axes[1]);
        const unsigned _c0 = _rest;
        const _Index _ind{_space.size};
        _element(_arg_x.data[_c0 * _arg_x.strides[0] + _c1 * _arg_x.strides[1] + _c2 * _arg_x.strides[2]], _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1] + _c2 * _arg_y.strides[2]], _arg_factor, _arg_z[_space._begin + _e], _space._first + _e, _ind);
    }
};
#define _arrays _space, _arg_x, _arg_y, _arg_factor, _arg_z
#define _kernel libgpu_strided_scale
#define _parameters const _Space _space, const _Strided<const double> _arg_x, const _Strided<const int> _arg_y, const float _arg_factor, double* _arg_z

// A thread takes a few elements that are a block apart. Where a block has all of its elements, a thread loads its own
// before it stores any.
extern "C" __global__ void __launch_bounds__(_block) _kernel(_parameters) {
    const _Arrays _in{_arrays};
    const unsigned _begin = blockIdx.x * blockDim.x * _each + threadIdx.x;
    if (_begin - threadIdx.x + blockDim.x * _each <= _space._total) {
        _Arrays::_Staged _v[_each];
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) _in._load(_v[_k], _begin + _k * blockDim.x);
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) _in._call(_v[_k], _begin + _k * blockDim.x);
        return;
    }
#pragma unroll 1
    for (unsigned _e = _begin; _e < _space._total; _e += blockDim.x) _in._call(_e);
}
