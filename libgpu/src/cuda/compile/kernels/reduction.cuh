// SPDX-License-Identifier: MIT
// What a reduction's kernel gets before its parameters: a prefix of ReductionArgument in launch/kernel_space.hpp.
struct _Axis { long long length; unsigned magic, shift; };
struct _Reduction {
    long long outputs, reduced, elements, output_step, split_step;
    int chunk, width_log2, is_split;
    _Axis axes[_axes];
};
struct _Size {
    long long n;
    __device__ long long size() const { return n; }
};
