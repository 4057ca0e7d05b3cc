// SPDX-License-Identifier: MIT

// A thread takes a pack of the only axis. Arrays begin anywhere: packs begin where the first output's do.
extern "C" __global__ void __launch_bounds__(_block) _kernel(_parameters) {
    const _Arrays _in{_arrays};
    const unsigned _thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned _head = (unsigned)((0 - _in._first_output()) % _pack);
    if (_head > _space._total) _head = _space._total;
    const unsigned _packs = (_space._total - _head) / _pack;
    if (_thread < _packs) {
        const unsigned _e = _head + _thread * _pack;
        _Arrays::_Packs _v;
        _in._load(_v, _e);
#pragma unroll
        for (int _k = 0; _k < _pack; ++_k) _in._call(_v, _e, _k);
        _in._store(_v);
    }
    const unsigned _left = _space._total - _packs * _pack;  // fewer than two packs
    if (_thread < _left) _in._call(_thread < _head ? _thread : _thread + _packs * _pack);
}
