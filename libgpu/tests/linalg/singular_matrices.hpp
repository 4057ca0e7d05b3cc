// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "linalg/host_matrix.hpp"

/// Whatever computes them: det() of singular matrices is 0, inv() and solve() name them.
inline void check_singular_matrices() {
    const auto batch = gpu::stack<double>({gpu::eye<double>(3), gpu::ones<double>({3, 3}), gpu::zeros<double>({3, 3})});
    CHECK(numbers_of(gpu::linalg::det(batch)) == std::vector<double>{1, 0, 0});
    const auto [sign, size] = gpu::linalg::slogdet(batch);
    CHECK(numbers_of(sign) == std::vector<double>{1, 0, 0});
    CHECK(numbers_of(size) == std::vector<double>{0, -INFINITY, -INFINITY});
    const auto overflowing = (gpu::eye<double>(3) * gpu::to_device({1e200, 1e200, 0.})).eval();
    CHECK(gpu::linalg::det(overflowing).item() == 0);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::inv(batch),
                         "inv: matrix (1,) of the batch of shape (3,3,3) is singular: pivot 2 of its LU factors is 0",
                         gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::solve(gpu::zeros<float>({2, 2}), gpu::ones<float>({2})),
                         "solve: the matrix of shape (2,2) is singular: pivot 1 of its LU factors is 0",
                         gpu::LinAlgError);
}
