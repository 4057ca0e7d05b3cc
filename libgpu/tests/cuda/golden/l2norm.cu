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
    long long outputs, reduced, chunk, elements, output_step, split_step;
    unsigned tiles;
    int width_log2, by_column, is_split, narrow;
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
#line 53 "libgpu generated"
    );
}

static __device__ __forceinline__ _accumulator _reduce(const _accumulator a, const _accumulator b) {
    return (_accumulator)(
#line 1 "l2norm (reduce)"
a + b
#line 61 "libgpu generated"
    );
}

static __device__ __forceinline__ _accumulator _identity() {
    return (_accumulator)(
#line 1 "l2norm (identity)"
0
#line 69 "libgpu generated"
    );
}

static __device__ __forceinline__ void _post(const _accumulator a, T& y, const _Size _in_ind, const _Size _out_ind) {
#line 1 "l2norm (post)"
y = sqrt(a)
;
#line 77 "libgpu generated"
}

static __device__ __forceinline__ _accumulator _value(const _Reduction& _r, const long long _at, const T* _arg_x, const long long _arg_x_base) {
    return _map(_arg_x[_arg_x_base + _at], {_r.elements}, {_r.outputs}, _at);
}

extern "C" __global__ void __launch_bounds__(256) libgpu_l2norm(const _Reduction _r, _accumulator* const _partials, const T* _arg_x, T* _arg_y) {
    const int _width = 1 << _r.width_log2, _groups = 256 >> _r.width_log2;  // lanes, outputs of this block
    const int _thread = threadIdx.x;
    const int _lane = _r.by_column ? _thread >> (8 - _r.width_log2) : _thread & (_width - 1);
    const int _group = _r.by_column ? _thread & (_groups - 1) : _thread >> _r.width_log2;
    const int _hop = _r.by_column ? _groups : 1;  // threads from a lane to the next
    const long long _split = blockIdx.x / _r.tiles;
    const long long _output = (long long)(blockIdx.x % _r.tiles) * _groups + _group;
    // Threads without an output or an element read a valid one and are left out of the tree below.
    const long long _o = _output < _r.outputs ? _output : _r.outputs - 1;
    const long long _begin = _split * _r.chunk;
    const long long _end = _begin + _r.chunk < _r.reduced ? _begin + _r.chunk : _r.reduced;
    const long long _arg_x_base = _o * _r.reduced;
    long long _at = _begin + _lane;
    _accumulator _a = _value(_r, (_at < _end ? _at : _begin), _arg_x, _arg_x_base);
#pragma unroll 1
    for (_at += _width; _at + 3 * _width < _end; _at += 4 * _width) {
        const _accumulator _v0 = _value(_r, _at, _arg_x, _arg_x_base);
        const _accumulator _v1 = _value(_r, _at + _width, _arg_x, _arg_x_base);
        const _accumulator _v2 = _value(_r, _at + 2 * _width, _arg_x, _arg_x_base);
        const _accumulator _v3 = _value(_r, _at + 3 * _width, _arg_x, _arg_x_base);
        _a = _reduce(_reduce(_reduce(_reduce(_a, _v0), _v1), _v2), _v3);
    }
#pragma unroll 1
    for (; _at < _end; _at += _width) _a = _reduce(_a, _value(_r, _at, _arg_x, _arg_x_base));

    alignas(_accumulator) __shared__ unsigned char _bytes[256 * sizeof(_accumulator)];
    _accumulator* const _lanes = (_accumulator*)_bytes;
    const int _used = _end - _begin < _width ? (int)(_end - _begin) : _width;
    _lanes[_thread] = _a;
#pragma unroll 1
    for (int _half = _width / 2; _half > 0; _half /= 2) {
        __syncthreads();
        if (_lane < _half && _lane + _half < _used) {
            _a = _reduce(_a, _lanes[_thread + _half * _hop]);
            _lanes[_thread] = _a;
        }
    }
    if (_lane != 0 || _output >= _r.outputs) return;
    if (_r.is_split) {
        _partials[_o * _r.output_step + _split * _r.split_step] = _a;
        return;
    }
    _post(_reduce(_identity(), _a), _arg_y[_o], {_r.elements}, {_r.outputs});
}

extern "C" __global__ void __launch_bounds__(256) libgpu_l2norm_join(const _Reduction _r, _accumulator* const _partials, const T* _arg_x, T* _arg_y) {
    if (_r.reduced == 0) {
    const long long _o = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (_o >= _r.outputs) return;
    _post(_identity(), _arg_y[_o], {_r.elements}, {_r.outputs});
    return;
    }
    const int _width = 1 << _r.width_log2, _groups = 256 >> _r.width_log2;  // lanes, outputs of this block
    const int _thread = threadIdx.x;
    const int _lane = _r.by_column ? _thread >> (8 - _r.width_log2) : _thread & (_width - 1);
    const int _group = _r.by_column ? _thread & (_groups - 1) : _thread >> _r.width_log2;
    const int _hop = _r.by_column ? _groups : 1;  // threads from a lane to the next
    const long long _split = blockIdx.x / _r.tiles;
    const long long _output = (long long)(blockIdx.x % _r.tiles) * _groups + _group;
    // Threads without an output or an element read a valid one and are left out of the tree below.
    const long long _o = _output < _r.outputs ? _output : _r.outputs - 1;
    const long long _begin = _split * _r.chunk;
    const long long _end = _begin + _r.chunk < _r.reduced ? _begin + _r.chunk : _r.reduced;
    long long _at = _begin + _lane;
    _accumulator _a = _partials[_o * _r.output_step + ((_at < _end ? _at : _begin)) * _r.split_step];
#pragma unroll 1
    for (_at += _width; _at + 3 * _width < _end; _at += 4 * _width) {
        const _accumulator _v0 = _partials[_o * _r.output_step + (_at) * _r.split_step];
        const _accumulator _v1 = _partials[_o * _r.output_step + (_at + _width) * _r.split_step];
        const _accumulator _v2 = _partials[_o * _r.output_step + (_at + 2 * _width) * _r.split_step];
        const _accumulator _v3 = _partials[_o * _r.output_step + (_at + 3 * _width) * _r.split_step];
        _a = _reduce(_reduce(_reduce(_reduce(_a, _v0), _v1), _v2), _v3);
    }
#pragma unroll 1
    for (; _at < _end; _at += _width) _a = _reduce(_a, _partials[_o * _r.output_step + (_at) * _r.split_step]);

    alignas(_accumulator) __shared__ unsigned char _bytes[256 * sizeof(_accumulator)];
    _accumulator* const _lanes = (_accumulator*)_bytes;
    const int _used = _end - _begin < _width ? (int)(_end - _begin) : _width;
    _lanes[_thread] = _a;
#pragma unroll 1
    for (int _half = _width / 2; _half > 0; _half /= 2) {
        __syncthreads();
        if (_lane < _half && _lane + _half < _used) {
            _a = _reduce(_a, _lanes[_thread + _half * _hop]);
            _lanes[_thread] = _a;
        }
    }
    if (_lane != 0 || _output >= _r.outputs) return;
    _post(_reduce(_identity(), _a), _arg_y[_o], {_r.elements}, {_r.outputs});
}
