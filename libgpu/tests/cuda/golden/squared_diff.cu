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

enum { _axes = 1, _block = 256, _pack = 4 };
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

static __device__ __forceinline__ void _element(const T x, const T y, T& z, const long long i, const _Index _ind) {
#line 1 "squared_diff"
z = (x - y) * (x - y)
;
#line 34 "libgpu generated"
}
template <class _T> struct alignas(sizeof(_T) * _pack) _Pack { _T at[_pack]; };

struct _Arrays {
    const _Space& _space;
    const T* _arg_x;
    const T* _arg_y;
    T* _arg_z;
    struct _Packs {
        _Pack<T> _arg_x;
        _Pack<T> _arg_y;
        _Pack<T> _arg_z;
        _Pack<T>* _arg_z_to;
    };
    __device__ __forceinline__ void _load(_Packs& _v, const unsigned _e) const {
        _v._arg_x = *(const _Pack<T>*)&_arg_x[_space._begin + _e];
        _v._arg_y = *(const _Pack<T>*)&_arg_y[_space._begin + _e];
        _v._arg_z_to = (_Pack<T>*)&_arg_z[_space._begin + _e];
        _v._arg_z = *_v._arg_z_to;
    }
    __device__ __forceinline__ void _call(_Packs& _v, const unsigned _e, const int _k) const {
        const _Index _ind{_space.size};
        _element(_v._arg_x.at[_k], _v._arg_y.at[_k], _v._arg_z.at[_k], _space._first + _e + _k, _ind);
    }
    __device__ __forceinline__ void _store(const _Packs& _v) const {
        *_v._arg_z_to = _v._arg_z;
    }
    __device__ __forceinline__ size_t _first_output() const {
        return (size_t)(_arg_z + _space._begin) / sizeof(T);
    }
    __device__ __forceinline__ void _call(const unsigned _e) const {
        const _Index _ind{_space.size};
        _element(_arg_x[_space._begin + _e], _arg_y[_space._begin + _e], _arg_z[_space._begin + _e], _space._first + _e, _ind);
    }
};
#define _arrays _space, _arg_x, _arg_y, _arg_z
#define _kernel libgpu_squared_diff
#define _parameters const _Space _space, const T* _arg_x, const T* _arg_y, T* _arg_z

// The same where one axis is all. Arrays begin anywhere: packs begin where the first output's do.
extern "C" __global__ void __launch_bounds__(_block) _kernel(_parameters) {
    const _Arrays _in{_arrays};
    const unsigned _thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned _head = (unsigned)((0 - _in._first_output()) % _pack);
    if (_head > _space._total) _head = _space._total;
    const unsigned _packs = (_space._total - _head) / _pack;
    if (_thread < _packs) {
        const unsigned _e = _head + _thread * _pack;
        _Arrays::_Packs _v;
        _in._load(_v, _e);
#pragma unroll
        for (int _k = 0; _k < _pack; ++_k) _in._call(_v, _e, _k);
        _in._store(_v);
    }
    const unsigned _left = _space._total - _packs * _pack;  // fewer than two packs
    if (_thread < _left) _in._call(_thread < _head ? _thread : _thread + _packs * _pack);
}
