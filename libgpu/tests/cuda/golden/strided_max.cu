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
template <class _T> struct _Strided { _T* data; long long strides[4]; };
struct _Reduction {
    long long outputs, reduced, elements, output_step, split_step;
    int chunk, width_log2, is_split;
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
#line 44 "libgpu generated"
    );
}

static __device__ __forceinline__ _accumulator _reduce(const _accumulator a, const _accumulator b) {
    return (_accumulator)(
#line 1 "strided_max (reduce)"
a > b ? a : b
#line 52 "libgpu generated"
    );
}

static __device__ __forceinline__ void _post(const _accumulator a, const float s, float& y, const _Size _in_ind, const _Size _out_ind) {
#line 1 "strided_max (post)"
y = a + s;
;
#line 60 "libgpu generated"
}

// Room for an accumulator, which may have no default constructor.
union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };
enum { _pack = 4 };
template <class _T> struct alignas(sizeof(_T) * _pack) _Pack { _T at[_pack]; };

extern "C" __global__ void __launch_bounds__(256) libgpu_strided_max(const _Reduction _r, _accumulator* const _partials, const _Strided<const float> _arg_x, const _Strided<const float> _arg_w, const float _arg_s, const _Strided<float> _arg_y) {
    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _columns_log2 = 8 - _r.width_log2;
    const int _lane = _thread >> _columns_log2, _column = _thread & ((1 << _columns_log2) - 1);
    const long long _first = (long long)blockIdx.x * (_pack << _columns_log2);
#if __CUDA_ARCH__ >= 900
    if (_r.is_split) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    const long long _begin = (long long)blockIdx.y * _r.chunk;
    const int _count = _r.reduced - _begin < _r.chunk ? (int)(_r.reduced - _begin) : _r.chunk;
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
        const float* _arg_x_at;
        const float* _arg_w_at;
        {
            const long long _o = _o_of[0];
            _Place _rest = (_Place)_o;
    const _Place _c1 = _cut(_rest, _r.axes[1]);
    const _Place _c0 = _rest;
            _arg_x_at = _arg_x.data + _c0 * _arg_x.strides[0] + _c1 * _arg_x.strides[1];
            _arg_w_at = _arg_w.data + _c0 * _arg_w.strides[0] + _c1 * _arg_w.strides[1];
        }
#pragma unroll 1
        for (int _i = _lane; _i < _count; _i += 4 * _width) {
            _Pack<float> _arg_x_v[4];
            _Pack<float> _arg_w_v[4];
#pragma unroll
            for (int _u = 0; _u < 4; ++_u) {
                const int _at = _i + _u * _width;
                if (_at < _count) {
                    _Place _rest = (_Place)_begin + _at;
    const _Place _c3 = _cut(_rest, _r.axes[3]);
    const _Place _c2 = _rest;
                    _arg_x_v[_u] = *(const _Pack<float>*)(_arg_x_at + _c2 * _arg_x.strides[2] + _c3 * _arg_x.strides[3]);
                    _arg_w_v[_u] = *(const _Pack<float>*)(_arg_w_at + _c2 * _arg_w.strides[2] + _c3 * _arg_w.strides[3]);
                }
            }
#pragma unroll
            for (int _u = 0; _u < 4; ++_u) {
                const int _at = _i + _u * _width;
                if (_at >= _count) break;
#pragma unroll
                for (int _k = 0; _k < _pack; ++_k) {
                    const _accumulator _v = _map(_arg_x_v[_u].at[_k], _arg_w_v[_u].at[_k], _arg_s, {_r.elements}, {_r.outputs}, _begin + _at);
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
    if (_r.is_split) {
        _partials[_o * _r.output_step + blockIdx.y * _r.split_step] = _v;
    } else {
    const _accumulator _result = _v;
    _Place _rest = (_Place)_o;
    const _Place _c1 = _cut(_rest, _r.axes[1]);
    const _Place _c0 = _rest;
    _post(_result, _arg_s, _arg_y.data[_c0 * _arg_y.strides[0] + _c1 * _arg_y.strides[1]], {_r.elements}, {_r.outputs});
    }
        }
    }
}
