// SPDX-License-Identifier: MIT
template <class _T> struct alignas(sizeof(_T) * _pack) _Pack { _T at[_pack]; };
