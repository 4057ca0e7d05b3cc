// SPDX-License-Identifier: MIT
// What an elementwise kernel gets before its parameters: a prefix of SpaceArgument in launch/kernel_space.hpp.
struct _Extent { long long _start, _step; unsigned length, magic, shift, spare; };
struct _Space {
    long long size, _begin, _first;
    unsigned _total, group_log2;
    _Extent tiles[3], axes[_axes];
};
