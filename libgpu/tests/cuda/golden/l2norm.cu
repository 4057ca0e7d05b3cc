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
template <class _T> struct _Whole {};
template <> struct _Whole<bool> { typedef double type; typedef bool answer; };
template <> struct _Whole<char> : _Whole<bool> {};
template <> struct _Whole<signed char> : _Whole<bool> {};
template <> struct _Whole<unsigned char> : _Whole<bool> {};
template <> struct _Whole<short> : _Whole<bool> {};
template <> struct _Whole<unsigned short> : _Whole<bool> {};
template <> struct _Whole<int> : _Whole<bool> {};
template <> struct _Whole<unsigned int> : _Whole<bool> {};
template <> struct _Whole<long> : _Whole<bool> {};
template <> struct _Whole<unsigned long> : _Whole<bool> {};
template <> struct _Whole<long long> : _Whole<bool> {};
template <> struct _Whole<unsigned long long> : _Whole<bool> {};
template <class _T> struct _Number : _Whole<_T> {};
template <> struct _Number<float> : _Whole<bool> {};
template <> struct _Number<double> : _Whole<bool> {};
template <class _T> static __device__ __forceinline__ typename _Whole<_T>::type sqrt(_T _x) { return sqrt((double)_x); }
typedef float T;

struct _Axis { long long length; unsigned magic, shift; };
struct _Reduction {
    long long outputs, reduced, elements, output_step, split_step;
    int chunk, width_log2, is_split;
    _Axis axes[1];
};
typedef double _accumulator;
static_assert(sizeof(_accumulator) <= 64, "the accumulator of a reduction has at most 64 bytes");
struct _Size {
    long long n;
    __device__ long long size() const { return n; }
};

static __device__ __forceinline__ _accumulator _map(const T x, const _Size _in_ind, const _Size _out_ind, const long long _J) {
    return (_accumulator)(
#line 1 "l2norm (map)"
x * x
#line 52 "libgpu generated"
    );
}

static __device__ __forceinline__ _accumulator _reduce(const _accumulator a, const _accumulator b) {
    return (_accumulator)(
#line 1 "l2norm (reduce)"
a + b
#line 60 "libgpu generated"
    );
}

static __device__ __forceinline__ _accumulator _identity() {
    return (_accumulator)(
#line 1 "l2norm (identity)"
0
#line 68 "libgpu generated"
    );
}

static __device__ __forceinline__ void _post(const _accumulator a, T& y, const _Size _in_ind, const _Size _out_ind) {
#line 1 "l2norm (post)"
y = sqrt(a)
;
#line 76 "libgpu generated"
}

// Room for an accumulator, which may have no default constructor.
union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };
enum { _pack = 4 };
template <class _T> struct alignas(sizeof(_T) * _pack) _Pack { _T at[_pack]; };

extern "C" __global__ void __launch_bounds__(256) libgpu_l2norm(const _Reduction _r, _accumulator* const _partials, const T* _arg_x, T* _arg_y) {
    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _lane = _thread & (_width - 1);
    const long long _output = ((long long)blockIdx.x << (8 - _r.width_log2)) + (_thread >> _r.width_log2);
    // Threads without an output read a valid one and are left out at the end.
    const long long _o = _output < _r.outputs ? _output : _r.outputs - 1;
#if __CUDA_ARCH__ >= 900
    if (_r.is_split) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    const long long _begin = (long long)blockIdx.y * _r.chunk;
    const int _count = _r.reduced - _begin < _r.chunk ? (int)(_r.reduced - _begin) : _r.chunk;
    int _whole = 0;  // of them in packs
    _Slot _a;
    bool _any = false;
    {
        const T* _arg_x_at;
        {
            _arg_x_at = _arg_x + _o * _r.reduced + _begin;
        }
        _whole = _count & -_pack;
#pragma unroll 1
        for (int _i = _lane * _pack; _i < _whole; _i += 4 * (_pack << _r.width_log2)) {
            _Pack<T> _arg_x_v[4];
#pragma unroll
            for (int _u = 0; _u < 4; ++_u) {
                const int _at = _i + _u * (_pack << _r.width_log2);
                if (_at < _whole) {
                    _arg_x_v[_u] = *(const _Pack<T>*)(_arg_x_at + _at);
                }
            }
#pragma unroll
            for (int _u = 0; _u < 4; ++_u) {
                const int _at = _i + _u * (_pack << _r.width_log2);
                if (_at >= _whole) break;
#pragma unroll
                for (int _k = 0; _k < _pack; ++_k) {
                    const _accumulator _v = _map(_arg_x_v[_u].at[_k], {_r.elements}, {_r.outputs}, _begin + (_at + _k));
                    _a.value = _k == 0 && _u == 0 && !_any ? _v : _reduce(_a.value, _v);
                }
            }
            _any = true;
        }
#pragma unroll 1
        for (int _i = _whole + _lane; _i < _count; _i += 4 * _width) {
            T _arg_x_v[4];
#pragma unroll
            for (int _u = 0; _u < 4; ++_u) {
                const int _at = _i + _u * _width;
                if (_at < _count) {
                    _arg_x_v[_u] = _arg_x_at[_at];
                }
            }
#pragma unroll
            for (int _u = 0; _u < 4; ++_u) {
                const int _at = _i + _u * _width;
                if (_at >= _count) break;
                const _accumulator _v = _map(_arg_x_v[_u], {_r.elements}, {_r.outputs}, _begin + _at);
                _a.value = _u == 0 && !_any ? _v : _reduce(_a.value, _v);
            }
            _any = true;
        }
    }
    // The lanes that have a value are the first ones: those of packs, or of the elements behind them.
    const int _packs = _whole / _pack, _left = _count - _whole;
    const int _used = _packs > _left ? _packs : _left;

    alignas(_accumulator) __shared__ unsigned char _bytes[256 * sizeof(_accumulator)];
    _accumulator* const _lanes = (_accumulator*)_bytes;
    if (_any) _lanes[_thread] = _a.value;
#pragma unroll 1
    for (int _half = _width / 2; _half > 0; _half /= 2) {
        if (_half < 32) __syncwarp(); else __syncthreads();
        if (_lane < _half && _lane + _half < _used) {
            _a.value = _reduce(_a.value, _lanes[_thread + _half]);
            _lanes[_thread] = _a.value;
        }
    }
    if (_lane != 0 || _output >= _r.outputs) return;
    const _accumulator& _v = _a.value;
    if (_r.is_split) {
        _partials[_o * _r.output_step + blockIdx.y * _r.split_step] = _v;
    } else {
    const _accumulator _result = _count > 0 ? _reduce(_identity(), _v) : _identity();
    _post(_result, _arg_y[_o], {_r.elements}, {_r.outputs});
    }
}
