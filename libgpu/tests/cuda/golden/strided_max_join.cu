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

enum { _axes = 2, _pack = 4, _starts = _pack, _by_column = 1, _is_packed = 1 };
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

typedef unsigned _Place;
typedef int _Offset;
static __device__ __forceinline__ _Place _cut(_Place& index, const _Axis& axis) {
    const _Place rest = (__umulhi(index, axis.magic) + index) >> axis.shift;
    const _Place coordinate = index - rest * (unsigned)axis.length;
    index = rest;
    return coordinate;
}
template <class _T> struct _Strided { _T* data; long long strides[_axes]; };
typedef float _accumulator;
static_assert(sizeof(_accumulator) <= 64, "the accumulator of a reduction has at most 64 bytes");

static __device__ __forceinline__ _accumulator _reduce(const _accumulator a, const _accumulator b) {
    return (_accumulator)(
#line 1 "strided_max (reduce)"
a > b ? a : b
#line 45 "libgpu generated"
    );
}

static __device__ __forceinline__ void _post(const _accumulator a, const float s, float& y, const _Size _in_ind, const _Size _out_ind) {
#line 1 "strided_max (post)"
y = a + s;
;
#line 53 "libgpu generated"
}

// Room for an accumulator, which may have no default constructor.
union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };

struct _Outputs {
    const _Reduction& _r;
    const float _arg_s;
    const _Strided<float>& _arg_y;
    __device__ __forceinline__ void _store(const long long _o, const _accumulator& _v, const int _count) const {
        const _accumulator _result = _v;
        _Place _rest = (_Place)_o;
        const _Place _c1 = _cut(_rest, _r.axes[1]);
        const _Place _c0 = _rest;
        _post(_result, _arg_s, _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1]], {_r.elements}, {_r.outputs});
    }
};
#define _outputs _r, _arg_s, _arg_y

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

#define _kernel libgpu_strided_max
#define _parameters const _Reduction _r, _accumulator* const _partials, const float _arg_s, const _Strided<float> _arg_y
#define _inputs _r, _partials

// The outputs of a thread are neighbours if they are loaded as packs; else those of a warp are.
static __device__ __forceinline__ int _place_of(const int _column, const int _k, const int _columns_log2) {
    return _is_packed ? _column * _pack + _k : _column + (_k << _columns_log2);
}

// By column: neighbouring threads take neighbouring outputs, each as many as a pack has elements. All loads of a batch
// are begun before the first is used.
extern "C" __global__ void __launch_bounds__(256) _kernel(_parameters) {
    const _Inputs _in{_inputs};
    const _Outputs _out{_outputs};
    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _columns_log2 = 8 - _r.width_log2;
    const int _lane = _thread >> _columns_log2, _column = _thread & ((1 << _columns_log2) - 1);
    const long long _first = (long long)blockIdx.x * (_pack << _columns_log2);
    const _Part _part = _part_of(_r);
    const long long _begin = _part._begin;
    const int _count = _part._count;
    _Inputs::_Start _from;
#pragma unroll
    for (int _k = 0; _k < _starts; ++_k) {
        // Threads without an output read a valid one and are left out at the end.
        const long long _wanted = _first + _place_of(_column, _k, _columns_log2);
        const long long _last = _r.outputs - (_is_packed ? _pack - _k : 1);
        _in._start(_from, _k, _wanted < _last ? _wanted : _last, _begin);
    }
    _Slot _a[_pack];
    bool _any = false;
#pragma unroll 1
    for (int _i = _lane; _i < _count; _i += _in_flight * _width) {
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
#pragma unroll
            for (int _k = 0; _k < _pack; ++_k) {
                const _accumulator& _b = _in._mapped(_v[_u][_starts == 1 ? 0 : _k], _k, _begin + _at);
                _a[_k].value = _u == 0 && !_any ? _b : _reduce(_a[_k].value, _b);
            }
        }
        _any = true;
    }

    // The tree over the lanes, for as many of the pack's outputs at once as 32 KiB have room for.
    enum { _room = 128 / sizeof(_accumulator), _half_pack = _pack / 2,
           _together = _room >= _pack ? _pack : _room >= _half_pack ? _half_pack : _half_pack / 2 };
    alignas(_accumulator) __shared__ unsigned char _bytes[256 * _together * sizeof(_accumulator)];
    _accumulator* const _lanes = (_accumulator*)_bytes;
    const int _used = _count < _width ? _count : _width;
#pragma unroll
    for (int _k0 = 0; _k0 < _pack; _k0 += _together) {
        if (_k0 > 0) __syncthreads();
        if (_any) {
#pragma unroll
            for (int _k = _k0; _k < _k0 + _together; ++_k) _lanes[(_k - _k0) * 256 + _thread] = _a[_k].value;
        }
#pragma unroll 1
        for (int _half = _width / 2; _half > 0; _half /= 2) {
            __syncthreads();
            if (_lane >= _half || _lane + _half >= _used) continue;
#pragma unroll
            for (int _k = _k0; _k < _k0 + _together; ++_k) {
                _accumulator* const _to = _lanes + (_k - _k0) * 256 + _thread;
                *_to = _reduce(*_to, _to[_half << _columns_log2]);
            }
        }
        __syncthreads();
        // Neighbouring threads write neighbouring outputs, whoever has computed them.
#pragma unroll 1
        for (int _j = _thread; _j < _together << _columns_log2; _j += 256) {
            const int _slot = _is_packed ? _j % _together : _j >> _columns_log2;
            const int _owner = _is_packed ? _j / _together : _j - (_slot << _columns_log2);
            const long long _o = _first + _place_of(_owner, _k0 + _slot, _columns_log2);
            if (_o < _r.outputs) _finish(_out, _partials, _o, _lanes[_slot * 256 + _owner], _count);
        }
    }
}
