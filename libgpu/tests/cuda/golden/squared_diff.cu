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
typedef float T;

struct _Axis { long long length; unsigned magic, shift; };
struct _Space { long long size, narrow; _Axis axes[1]; };

struct _Index {
    long long n;
    __device__ long long size() const { return n; }
};

static __device__ __forceinline__ void _element(const T x, const T y, T& z, const long long i, const _Index _ind) {
#line 1 "squared_diff"
z = (x - y) * (x - y)
;
#line 30 "libgpu generated"
}

// Elements of a pack: 16 bytes of the widest type, but no more than 8.
union _Any { T _arg_x; T _arg_y; T _arg_z; };
enum { _widest = sizeof(_Any), _width = _widest >= 16 ? 1 : _widest <= 2 ? 8 : 16 / _widest };
template <class _T> struct alignas(sizeof(_T) * _width) _Pack { _T at[_width]; };

extern "C" __global__ void __launch_bounds__(256) libgpu_squared_diff(const _Space _space, const T* _arg_x, const T* _arg_y, T* _arg_z) {
    const _Index _ind{_space.size};
    const long long _first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long _step = (long long)gridDim.x * blockDim.x;
    long long _i = _first;
    if (((size_t)_arg_x | (size_t)_arg_y | (size_t)_arg_z) % 16 == 0) {
#pragma unroll 1
        for (const long long _packs = _space.size / _width; _i < _packs; _i += _step) {
            const _Pack<T> _arg_x_pack = ((const _Pack<T>*)_arg_x)[_i];
            const _Pack<T> _arg_y_pack = ((const _Pack<T>*)_arg_y)[_i];
            _Pack<T> _arg_z_pack = ((const _Pack<T>*)_arg_z)[_i];
#pragma unroll
            for (int _k = 0; _k < _width; ++_k) {
                _element(_arg_x_pack.at[_k], _arg_y_pack.at[_k], _arg_z_pack.at[_k], _i * _width + _k, _ind);
            }
            ((_Pack<T>*)_arg_z)[_i] = _arg_z_pack;
        }
        _i = _space.size / _width * _width + _first;  // what is left
    }
#pragma unroll 1
    for (; _i < _space.size; _i += _step) {
        _element(_arg_x[_i], _arg_y[_i], _arg_z[_i], _i, _ind);
    }
}
