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

typedef unsigned _Place;
typedef int _Offset;
static __device__ __forceinline__ _Place _cut(_Place& index, const _Axis& axis) {
    const _Place rest = (__umulhi(index, axis.magic) + index) >> axis.shift;
    const _Place coordinate = index - rest * (unsigned)axis.length;
    index = rest;
    return coordinate;
}
template <class _T> struct _Strided { _T* data; long long strides[2]; };
struct _Reduction {
    long long outputs, reduced, elements, output_step, split_step;
    int chunk, width_log2, is_split;
    _Axis axes[2];
};
typedef float _accumulator;
static_assert(sizeof(_accumulator) <= 64, "the accumulator of a reduction has at most 64 bytes");
struct _Size {
    long long n;
    __device__ long long size() const { return n; }
};

static __device__ __forceinline__ _accumulator _reduce(const _accumulator a, const _accumulator b) {
    return (_accumulator)(
#line 1 "strided_max (reduce)"
a > b ? a : b
#line 44 "libgpu generated"
    );
}

static __device__ __forceinline__ void _post(const _accumulator a, const float s, float& y, const _Size _in_ind, const _Size _out_ind) {
#line 1 "strided_max (post)"
y = a + s;
;
#line 52 "libgpu generated"
}

// Room for an accumulator, which may have no default constructor.
union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };
enum { _pack = 4 };
// Partial results that a thread loads before it uses the first one: of 64 bytes.
enum { _joinable = 64 / (sizeof(_accumulator) * _pack), _joined = _joinable > 8 ? 8 : _joinable < 1 ? 1 : _joinable };

extern "C" __global__ void __launch_bounds__(256) libgpu_strided_max(const _Reduction _r, _accumulator* const _partials, const float _arg_s, const _Strided<float> _arg_y) {
    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _columns_log2 = 8 - _r.width_log2;
    const int _lane = _thread >> _columns_log2, _column = _thread & ((1 << _columns_log2) - 1);
    const long long _first = (long long)blockIdx.x * (_pack << _columns_log2);
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    const int _count = _r.chunk;  // partial results
    long long _o_of[_pack];  // threads without an output read a valid one and are left out at the end
#pragma unroll
    for (int _k = 0; _k < _pack; ++_k) {
        const long long _wanted = _first + (_column * _pack + _k);
        const long long _last = _r.outputs - _pack + _k;
        _o_of[_k] = _wanted < _last ? _wanted : _last;
    }
    _Slot _a[_pack];
    bool _any = false;
    {
#pragma unroll 1
        for (int _i = _lane; _i < _count; _i += _joined * _width) {
            _Slot _p[_joined][_pack];
#pragma unroll
            for (int _u = 0; _u < _joined; ++_u) {
                const int _at = _i + _u * _width;
                if (_at < _count) {
#pragma unroll
                    for (int _k = 0; _k < _pack; ++_k)
                        _p[_u][_k].value =
                            _partials[_o_of[_k] * _r.output_step + _at * _r.split_step];
                }
            }
#pragma unroll
            for (int _u = 0; _u < _joined; ++_u) {
                const int _at = _i + _u * _width;
                if (_at >= _count) break;
#pragma unroll
                for (int _k = 0; _k < _pack; ++_k) {
                    const _accumulator& _v = _p[_u][_k].value;
                    _a[_k].value = _u == 0 && !_any ? _v : _reduce(_a[_k].value, _v);
                }
            }
            _any = true;
        }
    }

    // For as many of the pack's outputs at once as 32 KiB have room for.
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
            for (int _k = _k0; _k < _k0 + _together; ++_k)
                _lanes[(_k - _k0) * 256 + _thread] = _a[_k].value;
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
            const int _slot = _j % _together, _owner = _j / _together;
            const long long _o = _first + (_owner * _pack + (_k0 + _slot));
            if (_o >= _r.outputs) continue;
            const _accumulator& _v = _lanes[_slot * 256 + _owner];
    const _accumulator _result = _v;
    _Place _rest = (_Place)_o;
    const _Place _c1 = _cut(_rest, _r.axes[1]);
    const _Place _c0 = _rest;
    _post(_result, _arg_s, _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1]], {_r.elements}, {_r.outputs});
        }
    }
}
