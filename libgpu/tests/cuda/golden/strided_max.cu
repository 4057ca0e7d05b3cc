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
template <class _T> struct _Strided { _T* data; long long strides[4]; };
struct _Reduction {
    long long outputs, reduced, chunk, elements, output_step, split_step;
    unsigned tiles;
    int width_log2, by_column, is_split, narrow;
    _Axis axes[4];
};
typedef float _accumulator;
static_assert(sizeof(_accumulator) <= 64, "the accumulator of a reduction has at most 64 bytes");
struct _Size {
    long long n;
    __device__ long long size() const { return n; }
};

static __device__ __forceinline__ _accumulator _map(const float x, const float w, const float s, const _Size _in_ind, const _Size _out_ind, const long long _J) {
    return (_accumulator)(
#line 1 "strided_max (map)"
x * w * s
#line 49 "libgpu generated"
    );
}

static __device__ __forceinline__ _accumulator _reduce(const _accumulator a, const _accumulator b) {
    return (_accumulator)(
#line 1 "strided_max (reduce)"
a > b ? a : b
#line 57 "libgpu generated"
    );
}

static __device__ __forceinline__ void _post(const _accumulator a, const float s, float& y, const _Size _in_ind, const _Size _out_ind) {
#line 1 "strided_max (post)"
y = a + s;
;
#line 65 "libgpu generated"
}

static __device__ __forceinline__ _accumulator _value(const _Reduction& _r, const long long _at, const _Strided<const float> _arg_x, const long long _arg_x_base, const _Strided<const float> _arg_w, const long long _arg_w_base, const float _arg_s) {
    long long _rest = _at;
    const long long _c3 = _cut(_rest, _r.axes[3], _r.narrow);
    const long long _c2 = _rest;
    return _map(_arg_x.data[_arg_x_base + _c2 * _arg_x.strides[2] + _c3 * _arg_x.strides[3]], _arg_w.data[_arg_w_base + _c2 * _arg_w.strides[2] + _c3 * _arg_w.strides[3]], _arg_s, {_r.elements}, {_r.outputs}, _at);
}

extern "C" __global__ void __launch_bounds__(256) libgpu_strided_max(const _Reduction _r, _accumulator* const _partials, const _Strided<const float> _arg_x, const _Strided<const float> _arg_w, const float _arg_s, const _Strided<float> _arg_y) {
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
    long long _arg_x_base;
    long long _arg_w_base;
    {
    long long _rest = _o;
    const long long _c1 = _cut(_rest, _r.axes[1], _r.narrow);
    const long long _c0 = _rest;
    _arg_x_base = _c0 * _arg_x.strides[0] + _c1 * _arg_x.strides[1];
    _arg_w_base = _c0 * _arg_w.strides[0] + _c1 * _arg_w.strides[1];
    }
    long long _at = _begin + _lane;
    _accumulator _a = _value(_r, (_at < _end ? _at : _begin), _arg_x, _arg_x_base, _arg_w, _arg_w_base, _arg_s);
#pragma unroll 1
    for (_at += _width; _at + 3 * _width < _end; _at += 4 * _width) {
        const _accumulator _v0 = _value(_r, _at, _arg_x, _arg_x_base, _arg_w, _arg_w_base, _arg_s);
        const _accumulator _v1 = _value(_r, _at + _width, _arg_x, _arg_x_base, _arg_w, _arg_w_base, _arg_s);
        const _accumulator _v2 = _value(_r, _at + 2 * _width, _arg_x, _arg_x_base, _arg_w, _arg_w_base, _arg_s);
        const _accumulator _v3 = _value(_r, _at + 3 * _width, _arg_x, _arg_x_base, _arg_w, _arg_w_base, _arg_s);
        _a = _reduce(_reduce(_reduce(_reduce(_a, _v0), _v1), _v2), _v3);
    }
#pragma unroll 1
    for (; _at < _end; _at += _width) _a = _reduce(_a, _value(_r, _at, _arg_x, _arg_x_base, _arg_w, _arg_w_base, _arg_s));

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
    long long _rest = _o;
    const long long _c1 = _cut(_rest, _r.axes[1], _r.narrow);
    const long long _c0 = _rest;
    _post(_a, _arg_s, _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1]], {_r.elements}, {_r.outputs});
}

extern "C" __global__ void __launch_bounds__(256) libgpu_strided_max_join(const _Reduction _r, _accumulator* const _partials, const _Strided<const float> _arg_x, const _Strided<const float> _arg_w, const float _arg_s, const _Strided<float> _arg_y) {
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
    long long _rest = _o;
    const long long _c1 = _cut(_rest, _r.axes[1], _r.narrow);
    const long long _c0 = _rest;
    _post(_a, _arg_s, _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1]], {_r.elements}, {_r.outputs});
}
