// SPDX-License-Identifier: MIT

// Which elements of an output a block takes. If an output is split over blocks, each leaves a partial result. The
// launch that joins these begins while the first one's last blocks still run, and waits for them (CUDA C++ Programming
// Guide, "Programmatic Dependent Launch").
struct _Part { long long _begin; int _count; };
static __device__ __forceinline__ _Part _part_of(const _Reduction& _r) {
#if __CUDA_ARCH__ >= 900
    if (_r.is_split) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    const long long _begin = (long long)blockIdx.y * _r.chunk;
    return {_begin, _r.reduced - _begin < _r.chunk ? (int)(_r.reduced - _begin) : _r.chunk};
}

// What becomes of output `_o`, whose reduced value is `_v`.
static __device__ __forceinline__ void _finish(const _Outputs& _out, _accumulator* const _partials, const long long _o,
                                               const _accumulator& _v, const int _count) {
    const _Reduction& _r = _out._r;
    if (_r.is_split) {
        _partials[_o * _r.output_step + blockIdx.y * _r.split_step] = _v;
    } else {
        _out._store(_o, _v, _count);
    }
}
