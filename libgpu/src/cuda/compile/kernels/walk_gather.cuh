// SPDX-License-Identifier: MIT

// A pack of which the elements are read one by one.
template <class _T> static __device__ __forceinline__ _Pack<_T> _gather(const _T* _from, long long _step) {
    _Pack<_T> _gathered;
#pragma unroll
    for (int _k = 0; _k < _pack; ++_k) _gathered.at[_k] = _from[_k * _step];
    return _gathered;
}
