// SPDX-License-Identifier: MIT

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
                const _accumulator& _b = _in._value_of(_v[_u][0], _k, _begin + (_at + _k));
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
            const _accumulator& _b = _in._value_of(_v[_u][0], 0, _begin + _at);
            _a.value = _u == 0 && !_any ? _b : _reduce(_a.value, _b);
        }
        _any = true;
    }
    _add_lanes(_a, _any, _lane, _width, _used);
    if (_lane == 0 && _output < _r.outputs) _finish(_out, _partials, _o, _a.value, _count);
}
