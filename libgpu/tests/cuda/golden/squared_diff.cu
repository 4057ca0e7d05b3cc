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

struct _Extent { long long _start, _step; unsigned length, magic, shift, spare; };
struct _Space {
    long long size, _begin, _first;
    unsigned _total, group_log2;
    _Extent tiles[3], axes[1];
};
struct _Index {
    long long n;
    __device__ long long size() const { return n; }
};

static __device__ __forceinline__ void _element(const T x, const T y, T& z, const long long i, const _Index _ind) {
#line 1 "squared_diff"
z = (x - y) * (x - y)
;
#line 33 "libgpu generated"
}

enum { _width = 4 };
template <class _T> struct alignas(sizeof(_T) * _width) _Pack { _T at[_width]; };

extern "C" __global__ void __launch_bounds__(256) libgpu_squared_diff(const _Space _space, const T* _arg_x, const T* _arg_y, T* _arg_z) {
    const _Index _ind{_space.size};
    const unsigned _thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned _head = (unsigned)((0 - (size_t)(_arg_z + _space._begin) / sizeof(T)) % _width);
    if (_head > _space._total) _head = _space._total;
    const unsigned _packs = (_space._total - _head) / _width;
    if (_thread < _packs) {
        const unsigned _e = _head + _thread * _width;
        const _Pack<T> _arg_x_pack = *(const _Pack<T>*)&_arg_x[_space._begin + _e];
        const _Pack<T> _arg_y_pack = *(const _Pack<T>*)&_arg_y[_space._begin + _e];
        _Pack<T> _arg_z_pack = *(const _Pack<T>*)&_arg_z[_space._begin + _e];
#pragma unroll
        for (int _k = 0; _k < _width; ++_k) {
            _element(_arg_x_pack.at[_k], _arg_y_pack.at[_k], _arg_z_pack.at[_k], _space._first + _e + _k, _ind);
        }
        *(_Pack<T>*)&_arg_z[_space._begin + _e] = _arg_z_pack;
    }
    const unsigned _left = _space._total - _packs * _width;  // fewer than two packs
    if (_thread < _left) {
        const unsigned _e = _thread < _head ? _thread : _thread + _packs * _width;
        _element(_arg_x[_space._begin + _e], _arg_y[_space._begin + _e], _arg_z[_space._begin + _e], _space._first + _e, _ind);
    }
}
