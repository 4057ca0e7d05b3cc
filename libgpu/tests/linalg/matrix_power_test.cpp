// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"

TEST_CASE("powers of a matrix") {
    //! [matrix_power]
    gpu::Array<std::int64_t> step = gpu::to_device<std::int64_t>({{1, 1}, {1, 0}});
    auto fibonacci = gpu::linalg::matrix_power(step, 50);  // F(51), F(50); F(50), F(49)
    gpu::Array<double> turn = gpu::to_device({{0., -1.}, {1., 0.}});
    auto back = gpu::linalg::matrix_power(turn, -1);  // the inverse: 0 1, -1 0
    //! [matrix_power]
    CHECK(gpu::to_host(fibonacci) == std::vector<std::int64_t>{20365011074, 12586269025, 12586269025, 7778742049});
    CHECK(gpu::to_host(back) == std::vector<double>{0, 1, -1, 0});
    CHECK(gpu::to_host(gpu::linalg::matrix_power(turn, 0)) == std::vector<double>{1, 0, 0, 1});
    CHECK(gpu::to_host(gpu::linalg::matrix_power(turn, 1)) == std::vector<double>{0, -1, 1, 0});
    CHECK(gpu::to_host(gpu::linalg::matrix_power(turn, -3)) == std::vector<double>{0, -1, 1, 0});
    CHECK(gpu::to_host(gpu::linalg::matrix_power(turn, std::numeric_limits<std::int64_t>::min())) ==
          std::vector<double>{1, 0, 0, 1});
}

TEST_CASE("powers of a batch, of a window, of an expression, each against repeated products") {
    gpu::random::Generator rng(1);
    const gpu::Array<double> batch = rng.uniform<double>({3, 4, 4}, -1, 1);
    for (int n = 1; n <= 9; ++n) {
        gpu::Array<double> expected = batch;
        for (int k = 1; k < n; ++k) expected = gpu::matmul(expected, batch);
        CAPTURE(n);
        CHECK(gpu::allclose(gpu::linalg::matrix_power(batch, n), expected, {.rtol = 1e-12, .atol = 1e-12}).item());
        CHECK(gpu::allclose(gpu::linalg::matrix_power(batch(1).transpose(), n), expected(1).transpose(), 1e-10).item());
        CHECK(gpu::allclose(gpu::linalg::matrix_power(batch * 1, n), expected, 1e-10).item());
    }
    CHECK(gpu::linalg::matrix_power(batch, 0).shape() == batch.shape());
    CHECK(gpu::sum(gpu::linalg::matrix_power(batch, 0)).item() == 12);
    // Its own inverse undoes it.
    const gpu::Array<double> whole =
        gpu::matmul(gpu::linalg::matrix_power(batch, 3), gpu::linalg::matrix_power(batch, -3));
    CHECK(gpu::allclose(whole, gpu::linalg::matrix_power(batch, 0), {.rtol = 1e-6, .atol = 1e-6}).item());
}

TEST_CASE("what has no power is named") {
    using support::says;
    CHECK(says<gpu::LinAlgError>("matrix_power: an array of shape (2,3); it takes square matrices", [] {
        (void)gpu::linalg::matrix_power(gpu::zeros<float>({2, 3}), 2);
    }));
    CHECK_THROWS_AS((void)gpu::linalg::matrix_power(gpu::zeros<float>({4}), 2), gpu::LinAlgError);
    CHECK(says<gpu::LinAlgError>("matrix_power: a negative power of integers: write x.astype<double>()", [] {
        (void)gpu::linalg::matrix_power(gpu::ones<int>({2, 2}), -1);
    }));
    CHECK(gpu::to_host(gpu::linalg::matrix_power(gpu::ones<gpu::half>({2, 2}), 2)) ==
          std::vector<gpu::half>(4, gpu::half(2)));
    CHECK_THROWS_AS((void)gpu::linalg::matrix_power(gpu::zeros<double>({2, 2}), -1), gpu::LinAlgError);
}
