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

enum { _axes = 1, _starts = 1, _by_column = 0 };
struct _Axis { long long length; unsigned magic, shift; };
struct _Reduction {
    long long outputs, reduced, elements, output_step, split_step;
    int chunk, width_log2, is_split;
    _Axis axes[_axes];
};
struct _Size {
    long long n;
    __device__ long long size() const { return n; }
};
typedef double _accumulator;
static_assert(sizeof(_accumulator) <= 64, "the accumulator of a reduction has at most 64 bytes");

static __device__ __forceinline__ _accumulator _reduce(const _accumulator a, const _accumulator b) {
    return (_accumulator)(
#line 1 "l2norm (reduce)"
a + b
#line 53 "libgpu generated"
    );
}

static __device__ __forceinline__ _accumulator _identity() {
    return (_accumulator)(
#line 1 "l2norm (identity)"
0
#line 61 "libgpu generated"
    );
}

static __device__ __forceinline__ void _post(const _accumulator a, T& y, const _Size _in_ind, const _Size _out_ind) {
#line 1 "l2norm (post)"
y = sqrt(a)
;
#line 69 "libgpu generated"
}

// Room for an accumulator, which may have no default constructor.
union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };

struct _Outputs {
    const _Reduction& _r;
    T* _arg_y;
    __device__ __forceinline__ void _store(const long long _o, const _accumulator& _v, const int _count) const {
        const _accumulator _result = _reduce(_identity(), _v);
        _post(_result, _arg_y[_o], {_r.elements}, {_r.outputs});
    }
};
#define _outputs _r, _arg_y

// A block takes all partial results of an output.
struct _Part { long long _begin; int _count; };
static __device__ __forceinline__ _Part _part_of(const _Reduction& _r) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    return {0, _r.chunk};
}

struct _Inputs {
    const _Reduction& _r;
    const _accumulator* const _partials;

    // Of a row its first one is kept, of columns their places: that takes the fewest registers.
    struct _Start { const _accumulator* _row; long long _o[_starts]; };
    __device__ __forceinline__ void _start(_Start& _from, const int _k, const long long _o, const long long) const {
        _from._row = _partials + _o * _r.output_step;
        _from._o[_k] = _o;
    }
    typedef _Slot _Loaded;
    __device__ __forceinline__ void _load(_Loaded (&_p)[_starts], const _Start& _from, long long, const int _at) const {
        const long long _step = _at * _r.split_step;
#pragma unroll
        for (int _k = 0; _k < _starts; ++_k)
            _p[_k].value = _by_column ? _partials[_from._o[_k] * _r.output_step + _step] : _from._row[_step];
    }
    __device__ __forceinline__ const _accumulator& _mapped(const _Loaded& _p, int, long long) const { return _p.value; }
};

// Those that a thread loads before it uses the first one: of 64 bytes.
enum { _joinable = 64 / (sizeof(_accumulator) * _starts),
       _in_flight = _joinable > 8 ? 8 : _joinable < 1 ? 1 : _joinable };

static __device__ __forceinline__ void _finish(const _Outputs& _out, _accumulator*, const long long _o,
                                               const _accumulator& _v, const int _count) {
    _out._store(_o, _v, _count);
}

#define _kernel libgpu_l2norm
#define _parameters const _Reduction _r, _accumulator* const _partials, T* _arg_y
#define _inputs _r, _partials

// The tree over the lanes of each output, of which the first `_used` have a value.
static __device__ __forceinline__ void _add_lanes(_Slot& _a, const bool _any, const int _lane, const int _width,
                                                  const int _used) {
    alignas(_accumulator) __shared__ unsigned char _bytes[256 * sizeof(_accumulator)];
    _accumulator* const _lanes = (_accumulator*)_bytes + threadIdx.x;
    if (_any) *_lanes = _a.value;
#pragma unroll 1
    for (int _half = _width / 2; _half > 0; _half /= 2) {
        if (_half < 32) __syncwarp(); else __syncthreads();
        if (_lane < _half && _lane + _half < _used) {
            _a.value = _reduce(_a.value, _lanes[_half]);
            *_lanes = _a.value;
        }
    }
}

// By row: neighbouring threads take neighbouring elements of one output. All loads of a batch are begun before the
// first is used.
extern "C" __global__ void __launch_bounds__(256) _kernel(_parameters) {
    const _Inputs _in{_inputs};
    const _Outputs _out{_outputs};
    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _lane = _thread & (_width - 1);
    const long long _output = ((long long)blockIdx.x << (8 - _r.width_log2)) + (_thread >> _r.width_log2);
    // Threads without an output read a valid one and are left out at the end.
    const long long _o = _output < _r.outputs ? _output : _r.outputs - 1;
    const _Part _part = _part_of(_r);
    const long long _begin = _part._begin;
    const int _count = _part._count;
    _Inputs::_Start _from;
    _in._start(_from, 0, _o, _begin);
    _Slot _a;
    bool _any = false;
#ifdef _packs_in_flight
    const int _whole = _count & -_pack;  // elements in packs
#pragma unroll 1
    for (int _i = _lane * _pack; _i < _whole; _i += _packs_in_flight * (_pack << _r.width_log2)) {
        _Inputs::_Packs _v[_packs_in_flight][_starts];
#pragma unroll
        for (int _u = 0; _u < _packs_in_flight; ++_u) {
            const int _at = _i + _u * (_pack << _r.width_log2);
            if (_at < _whole) _in._load(_v[_u], _from, _begin, _at);
        }
#pragma unroll
        for (int _u = 0; _u < _packs_in_flight; ++_u) {
            const int _at = _i + _u * (_pack << _r.width_log2);
            if (_at >= _whole) break;
#pragma unroll
            for (int _k = 0; _k < _pack; ++_k) {
                const _accumulator& _b = _in._mapped(_v[_u][0], _k, _begin + (_at + _k));
                _a.value = _k == 0 && _u == 0 && !_any ? _b : _reduce(_a.value, _b);
            }
        }
        _any = true;
    }
    // The lanes that have a value are the first ones: those of packs, or of the elements behind them.
    const int _packs = _whole / _pack, _left = _count - _whole, _used = _packs > _left ? _packs : _left;
#else
    const int _whole = 0, _used = _count;
#endif
#pragma unroll 1
    for (int _i = _whole + _lane; _i < _count; _i += _in_flight * _width) {
        _Inputs::_Loaded _v[_in_flight][_starts];
#pragma unroll
        for (int _u = 0; _u < _in_flight; ++_u) {
            const int _at = _i + _u * _width;
            if (_at < _count) _in._load(_v[_u], _from, _begin, _at);
        }
#pragma unroll
        for (int _u = 0; _u < _in_flight; ++_u) {
            const int _at = _i + _u * _width;
            if (_at >= _count) break;
            const _accumulator& _b = _in._mapped(_v[_u][0], 0, _begin + _at);
            _a.value = _u == 0 && !_any ? _b : _reduce(_a.value, _b);
        }
        _any = true;
    }
    _add_lanes(_a, _any, _lane, _width, _used);
    if (_lane == 0 && _output < _r.outputs) _finish(_out, _partials, _o, _a.value, _count);
}
