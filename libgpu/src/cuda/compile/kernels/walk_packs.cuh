// SPDX-License-Identifier: MIT

// A thread takes a pack of neighbours along the last axis.
extern "C" __global__ void __launch_bounds__(_block) _kernel(_parameters) {
    const _Arrays _in{_arrays};
    const unsigned _thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (_thread >= _space._total / _pack) return;
    _Arrays::_Packs _v;
    _in._load(_v, _thread * _pack);
#pragma unroll
    for (int _k = 0; _k < _pack; ++_k) _in._call(_v, _thread * _pack, _k);
    _in._store(_v);
}
