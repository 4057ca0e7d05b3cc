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

struct _Axis { long long length; unsigned magic, shift; };

// One copy of the long 64-bit division, however many axes there are.
static __device__ __noinline__ long long _divide(long long a, long long b) { return a / b; }

// Cuts the coordinate along an axis off a linear index. Below 2^31, a multiplication replaces the division.
static __device__ __forceinline__ long long _cut(long long& index, const _Axis& axis, bool narrow) {
    const long long rest = narrow
        ? (long long)((__umulhi((unsigned)index, axis.magic) + (unsigned)index) >> axis.shift)
        : _divide(index, axis.length);
    const long long coordinate = index - rest * axis.length;
    index = rest;
    return coordinate;
}
template <class _T> struct _Strided { _T* data; long long strides[3]; };
struct _Space { long long size, narrow; _Axis axes[3]; };

struct _Index {
    long long n;
    __device__ long long size() const { return n; }
};

static __device__ __forceinline__ void _element(const double x, const int y, const float factor, double& z, const long long i, const _Index _ind) {
#line 1 "strided_scale"
z = x * factor + y;  // no semicolon is missing
;
#line 43 "libgpu generated"
}

extern "C" __global__ void __launch_bounds__(256) libgpu_strided_scale(const _Space _space, const _Strided<const double> _arg_x, const _Strided<const int> _arg_y, const float _arg_factor, double* _arg_z) {
    const _Index _ind{_space.size};
    const long long _first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long _step = (long long)gridDim.x * blockDim.x;
    long long _i = _first;
#pragma unroll 1
    for (; _i < _space.size; _i += _step) {
        long long _rest = _i;
        const long long _c2 = _cut(_rest, _space.axes[2], _space.narrow);
        const long long _c1 = _cut(_rest, _space.axes[1], _space.narrow);
        const long long _c0 = _rest;
        _element(_arg_x.data[_c0 * _arg_x.strides[0] + _c1 * _arg_x.strides[1] + _c2 * _arg_x.strides[2]], _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1] + _c2 * _arg_y.strides[2]], _arg_factor, _arg_z[_i], _i, _ind);
    }
}
