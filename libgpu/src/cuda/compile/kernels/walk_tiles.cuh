// SPDX-License-Identifier: MIT

// A block takes a tile of the last two axes. What lies across the output's rows is read along its own fast axis and
// turned in shared memory: neighbouring threads are neighbours along it, and each goes along the other axis. It begins
// several loads, of all the arrays, before it stores the first value. Blocks that run at the same time work on
// neighbours along the last axis, in groups across it, and along axes where the output's steps are shorter than across,
// so that pieces of a sector meet in the cache.
extern "C" __global__ void __launch_bounds__(_block) _kernel(_parameters) {
    const _Arrays _in{_arrays};
    const unsigned _group = (1u << _space.group_log2) - 1;
    unsigned _rest = blockIdx.x >> _space.group_log2;
    const unsigned _last_at = _cut(_rest, _space.tiles[0]) * _last;
    _near_coordinates
    const unsigned _across_at =
        ((_cut(_rest, _space.tiles[1]) << _space.group_log2) + (blockIdx.x & _group)) * _across;
    if (_across_at >= _space.axes[_axes - 2].length) return;  // the last group may have fewer tiles
    _far_coordinates
    const unsigned _rows = _side(_across, _space.axes[_axes - 2].length, _across_at);
    const unsigned _columns = _side(_last, _space.axes[_axes - 1].length, _last_at);
    _shared_tiles
    {
        const unsigned _fast = threadIdx.x % _across, _other = threadIdx.x / _across;
        if (_fast < _rows) {
            _Arrays::_AlongAcross _r;
            _start_along_across
#pragma unroll 1
            for (unsigned _j = _other; _j < _columns; _j += _loads * _load_step, _in._advance(_r)) {
                _Arrays::_AlongAcross::_Values _v[_loads];
#pragma unroll
                for (int _k = 0; _k < _loads; ++_k) {
                    if (_j + _k * _load_step < _columns) _in._fetch(_v[_k], _r, _k);
                }
#pragma unroll
                for (int _k = 0; _k < _loads; ++_k) {
                    if (_j + _k * _load_step < _columns) _in._keep(_v[_k], _r, _k);
                }
            }
        }
    }
    __syncthreads();
    const unsigned _l = threadIdx.x % _last;
    unsigned _v = threadIdx.x / _last;
    if (_l >= _columns) return;
    const _Index _ind{_space.size};
    _start_elements
#pragma unroll 1
    for (; _v < _rows; _v += _each * _step, _advance_elements) {
        _values
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) {
            if (_v + _k * _step < _rows) { _load_value }
        }
#pragma unroll
        for (int _k = 0; _k < _each; ++_k) {
            if (_v + _k * _step < _rows) { _call_element }
        }
    }
}
