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

static __device__ __forceinline__ _accumulator _reduce(const _accumulator a, const _accumulator b) {
    return (_accumulator)(
#line 1 "l2norm (reduce)"
a + b
#line 52 "libgpu generated"
    );
}

static __device__ __forceinline__ _accumulator _identity() {
    return (_accumulator)(
#line 1 "l2norm (identity)"
0
#line 60 "libgpu generated"
    );
}

static __device__ __forceinline__ void _post(const _accumulator a, T& y, const _Size _in_ind, const _Size _out_ind) {
#line 1 "l2norm (post)"
y = sqrt(a)
;
#line 68 "libgpu generated"
}

// Room for an accumulator, which may have no default constructor.
union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };
// Partial results that a thread loads before it uses the first one: of 64 bytes.
enum { _joinable = 64 / (sizeof(_accumulator)), _joined = _joinable > 8 ? 8 : _joinable < 1 ? 1 : _joinable };

extern "C" __global__ void __launch_bounds__(256) libgpu_l2norm(const _Reduction _r, _accumulator* const _partials, T* _arg_y) {
    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _lane = _thread & (_width - 1);
    const long long _output = ((long long)blockIdx.x << (8 - _r.width_log2)) + (_thread >> _r.width_log2);
    // Threads without an output read a valid one and are left out at the end.
    const long long _o = _output < _r.outputs ? _output : _r.outputs - 1;
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    const int _count = _r.chunk;  // partial results
    _Slot _a;
    bool _any = false;
    {
        const _accumulator* const _from = _partials + _o * _r.output_step;
#pragma unroll 1
        for (int _i = _lane; _i < _count; _i += _joined * _width) {
            _Slot _p[_joined];
#pragma unroll
            for (int _u = 0; _u < _joined; ++_u) {
                const int _at = _i + _u * _width;
                if (_at < _count) {
                    _p[_u].value = _from[_at * _r.split_step];
                }
            }
#pragma unroll
            for (int _u = 0; _u < _joined; ++_u) {
                const int _at = _i + _u * _width;
                if (_at >= _count) break;
                _a.value = _u == 0 && !_any ? _p[_u].value : _reduce(_a.value, _p[_u].value);
            }
            _any = true;
        }
    }
    const int _used = _count;

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
    const _accumulator _result = _reduce(_identity(), _v);
    _post(_result, _arg_y[_o], {_r.elements}, {_r.outputs});
}
