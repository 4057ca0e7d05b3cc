// SPDX-License-Identifier: MIT

// A thread takes all elements of several outputs, which lie a block apart: `_starts` loads are in flight.
extern "C" __global__ void __launch_bounds__(256) _kernel(_parameters) {
    const _Inputs _in{_inputs};
    const _Outputs _out{_outputs};
    const int _count = (int)_r.reduced, _whole = _count & -_pack;
#pragma unroll 1
    for (int _g = 0; _g < _rows; _g += _starts) {
        const long long _first = ((long long)blockIdx.x * _rows + _g) * 256 + threadIdx.x;
        _Inputs::_Start _from;
#pragma unroll
        for (int _k = 0; _k < _starts; ++_k) {
            // Without an output a thread reads a valid one.
            const long long _wanted = _first + _k * 256;
            _in._start(_from, _k, _wanted < _r.outputs ? _wanted : _r.outputs - 1, 0);
        }
        _Slot _a[_starts];
#pragma unroll 1
        for (int _at = 0; _at < _whole; _at += _pack) {
            _Inputs::_Packs _v[_starts];
            _in._load(_v, _from, 0, _at);
#pragma unroll
            for (int _k = 0; _k < _starts; ++_k) {
#pragma unroll
                for (int _j = 0; _j < _pack; ++_j) {
                    const _accumulator& _b = _in._value_of(_v[_k], _j, _at + _j);
                    _a[_k].value = _at + _j == 0 ? _b : _reduce(_a[_k].value, _b);
                }
            }
        }
#pragma unroll 1
        for (int _at = _whole; _at < _count; ++_at) {
            _Inputs::_Loaded _v[_starts];
            _in._load(_v, _from, 0, _at);
#pragma unroll
            for (int _k = 0; _k < _starts; ++_k) {
                const _accumulator& _b = _in._value_of(_v[_k], 0, _at);
                _a[_k].value = _at == 0 ? _b : _reduce(_a[_k].value, _b);
            }
        }
#pragma unroll
        for (int _k = 0; _k < _starts; ++_k) {
            const long long _o = _first + _k * 256;
            if (_o >= _r.outputs) break;
            _out._store(_o, _a[_k].value, _count);
        }
    }
}
