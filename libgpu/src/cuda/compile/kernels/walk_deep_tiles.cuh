// SPDX-License-Identifier: MIT

// A block takes a tile of three axes: of the arrays that are read through shared memory, one lies along the axis before
// the last, one along the axis before that. A thread stays at one place of two axes and goes along the third.
extern "C" __global__ void __launch_bounds__(_block) _kernel(_parameters) {
    const _Arrays _in{_arrays};
    const unsigned _group = (1u << _space.group_log2) - 1;
    unsigned _rest = blockIdx.x >> _space.group_log2;
    const unsigned _deep_at = _cut(_rest, _space.tiles[2]) * _deep;
    const unsigned _last_at = _cut(_rest, _space.tiles[0]) * _last;
    _near_coordinates
    const unsigned _across_at =
        ((_cut(_rest, _space.tiles[1]) << _space.group_log2) + (blockIdx.x & _group)) * _across;
    if (_across_at >= _space.axes[_axes - 2].length) return;  // the last group may have fewer tiles
    _far_coordinates
    const unsigned _rows = _side(_across, _space.axes[_axes - 2].length, _across_at);
    const unsigned _columns = _side(_last, _space.axes[_axes - 1].length, _last_at);
    const unsigned _layers = _side(_deep, _space.axes[_axes - 3].length, _deep_at);
    _shared_tiles
    {
        const unsigned _fast = threadIdx.x % _across, _other = threadIdx.x / _across;
        if (_fast < _rows && _other < _columns) {
            _Arrays::_AlongAcross _r;
            _start_along_across
#pragma unroll 1
            for (unsigned _j = 0; _j < _layers; _j += _loads, _in._advance(_r)) {
                _Arrays::_AlongAcross::_Values _v[_loads];
#pragma unroll
                for (int _k = 0; _k < _loads; ++_k) {
                    if (_j + _k < _layers) _in._fetch(_v[_k], _r, _k);
                }
#pragma unroll
                for (int _k = 0; _k < _loads; ++_k) {
                    if (_j + _k < _layers) _in._keep(_v[_k], _r, _k);
                }
            }
        }
    }
    {
        const unsigned _fast = threadIdx.x % _deep, _other = threadIdx.x / _deep;
        if (_fast < _layers && _other < _columns) {
            _Arrays::_AlongDeep _r;
            _start_along_deep
#pragma unroll 1
            for (unsigned _j = 0; _j < _rows; _j += _loads, _in._advance(_r)) {
                _Arrays::_AlongDeep::_Values _v[_loads];
#pragma unroll
                for (int _k = 0; _k < _loads; ++_k) {
                    if (_j + _k < _rows) _in._fetch(_v[_k], _r, _k);
                }
#pragma unroll
                for (int _k = 0; _k < _loads; ++_k) {
                    if (_j + _k < _rows) _in._keep(_v[_k], _r, _k);
                }
            }
        }
    }
    __syncthreads();
    const unsigned _l = threadIdx.x % _last, _a = threadIdx.x / _last;
    unsigned _v = 0;
    if (_l >= _columns || _a >= _rows) return;
    const _Index _ind{_space.size};
    _start_elements
#pragma unroll 1
    for (; _v < _layers; _v += _each * _step, _advance_elements) {
        _values
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) {
            if (_v + _k * _step < _layers) { _load_value }
        }
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) {
            if (_v + _k * _step < _layers) { _call_element }
        }
    }
}
