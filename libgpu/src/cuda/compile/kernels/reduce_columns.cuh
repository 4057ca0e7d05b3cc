// SPDX-License-Identifier: MIT

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
                const _accumulator& _b = _in._value_of(_v[_u][_starts == 1 ? 0 : _k], _k, _begin + _at);
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
