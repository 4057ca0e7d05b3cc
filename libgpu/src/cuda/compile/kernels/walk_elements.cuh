// SPDX-License-Identifier: MIT

// A thread takes a few elements that are a block apart. Where a block has all of its elements, a thread loads its own
// before it stores any.
extern "C" __global__ void __launch_bounds__(_block) _kernel(_parameters) {
    const _Arrays _in{_arrays};
    const unsigned _begin = blockIdx.x * blockDim.x * _each + threadIdx.x;
    if (_begin - threadIdx.x + blockDim.x * _each <= _space._total) {
        _Arrays::_Staged _v[_each];
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) _in._load(_v[_k], _begin + _k * blockDim.x);
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) _in._call(_v[_k], _begin + _k * blockDim.x);
        return;
    }
#pragma unroll 1
    for (unsigned _e = _begin; _e < _space._total; _e += blockDim.x) _in._call(_e);
}
