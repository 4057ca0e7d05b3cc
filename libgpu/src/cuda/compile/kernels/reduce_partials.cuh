// SPDX-License-Identifier: MIT

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
    __device__ __forceinline__ const _accumulator& _value_of(const _Loaded& _p, int, long long) const {
        return _p.value;
    }
};

// Those that a thread loads before it uses the first one: of 64 bytes.
enum { _joinable = 64 / (sizeof(_accumulator) * _starts),
       _in_flight = _joinable > 8 ? 8 : _joinable < 1 ? 1 : _joinable };

static __device__ __forceinline__ void _finish(const _Outputs& _out, _accumulator*, const long long _o,
                                               const _accumulator& _v, const int _count) {
    _out._store(_o, _v, _count);
}
