// SPDX-License-Identifier: MIT

extern "C" __global__ void __launch_bounds__(_block) _kernel(_parameters) {
    const _Arrays _in{_arrays};
    const unsigned _first = blockIdx.x * blockDim.x + threadIdx.x, _threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned _e = _first; _e < _space._total; _e += _threads) _in._call(_e);
}
