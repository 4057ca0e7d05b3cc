// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include <gpu/gpu.hpp>

/// The programs of CuPy's tutorials, line by line, with the answers that they print. A comment holds each line that is
/// ported.

/// The elements in row-major order.
template <class A>
auto values(const A& array) {
    return gpu::to_host(array);
}

/// True if each is what is wanted within so many roundings of it.
template <class T>
bool close(const std::vector<T>& got, const std::vector<T>& want, double roundings = 4) {
    const double eps = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
    bool equal = got.size() == want.size();
    for (std::size_t k = 0; equal && k < got.size(); ++k) {
        equal = std::fabs(static_cast<double>(got[k]) - static_cast<double>(want[k])) <=
                roundings * eps * std::fabs(static_cast<double>(want[k]));
    }
    return equal;
}
