// SPDX-License-Identifier: MIT
template <class _T> struct _Strided { _T* data; long long strides[_axes]; };
