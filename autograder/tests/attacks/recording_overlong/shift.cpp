// SPDX-License-Identifier: MIT
#include "exercise.hpp"

gpu::Array<float> shift(const gpu::Array<float>& x) {
    static const gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::file("shift.cu"), "shift");
    const int n = static_cast<int>(x.size());
    for (int k = 0; k < 40'000; ++k) static_cast<void>(gpu::empty<float>({1}));
    const gpu::Array<float> same = x * 1.0f;
    gpu::Array<float> y = gpu::empty<float>(x.shape());
    kernel({.grid = (n + 255) / 256, .block = 256}, same, y, n);
    return y;
}
