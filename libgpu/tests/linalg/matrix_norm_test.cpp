// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "linalg/host_matrix.hpp"

using gpu::linalg::MatrixNorm;

TEST_CASE("norms of matrices") {
    //! [matrix_norm]
    auto a = gpu::to_device({3., 0., 0., -4., 0., 0.}).reshape({3, 2});
    double frobenius = gpu::linalg::matrix_norm(a).item();                                       // 5
    double largest = gpu::linalg::matrix_norm(a, {.ord = gpu::linalg::MatrixNorm::two}).item();  // 4
    //! [matrix_norm]
    CHECK(frobenius == doctest::Approx(5));
    CHECK(largest == doctest::Approx(4));
    const auto of = [](const auto& matrix, MatrixNorm ord) {
        return static_cast<double>(gpu::linalg::matrix_norm(matrix, {.ord = ord}).item());
    };
    // As NumPy says for arange(9) - 4.
    const gpu::Array<int> b = (gpu::arange<int>(9) - 4).eval().reshape({3, 3});
    CHECK(of(b, MatrixNorm::fro) == doctest::Approx(7.745966692414834));
    CHECK(of(b, MatrixNorm::inf) == 9);
    CHECK(of(b, MatrixNorm::minus_inf) == 2);
    CHECK(of(b, MatrixNorm::one) == 7);
    CHECK(of(b, MatrixNorm::minus_one) == 6);
    CHECK(of(b, MatrixNorm::two) == doctest::Approx(7.3484692283495345));
    CHECK(of(b, MatrixNorm::minus_two) == doctest::Approx(0).epsilon(1e-14));
    CHECK(of(b, MatrixNorm::nuc) == doctest::Approx(9.797958971132712));
    using Z = gpu::complex<float>;
    const auto z = gpu::to_device({Z(3, 4), Z(0, 0), Z(0, 0), Z(0, 1)}).reshape({2, 2});
    CHECK(of(z, MatrixNorm::one) == 5);
    CHECK(of(z, MatrixNorm::nuc) == doctest::Approx(6));
    CHECK(of(z, MatrixNorm::fro) == doctest::Approx(std::sqrt(26.)));
}

TEST_CASE("norms of batches, with their axes kept; of NaN and of nothing") {
    const auto batch = gpu::stack<float>({gpu::eye<float>(3), gpu::eye<float>(3) * 2.f});
    for (const MatrixNorm ord : {MatrixNorm::one, MatrixNorm::minus_inf, MatrixNorm::two, MatrixNorm::minus_two}) {
        CHECK(numbers_of(gpu::linalg::matrix_norm(batch, {.ord = ord})) == std::vector<double>{1, 2});
        CHECK(gpu::linalg::matrix_norm(batch, {.ord = ord, .keepdims = true}).shape() == gpu::Shape{2, 1, 1});
    }
    CHECK(gpu::linalg::matrix_norm(batch, {.keepdims = true}).shape() == gpu::Shape{2, 1, 1});
    const auto bad = gpu::full<double>({2, 2}, NAN);
    CHECK(std::isnan(gpu::linalg::matrix_norm(bad).item()));
    CHECK(std::isnan(gpu::linalg::matrix_norm(bad, {.ord = MatrixNorm::inf}).item()));
    CHECK_THROWS_AS((void)gpu::linalg::matrix_norm(bad, {.ord = MatrixNorm::two}), gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::matrix_norm(gpu::ones<float>({3})),
                         "matrix_norm: an array of shape (3,) holds no matrix: it has fewer than 2 axes",
                         gpu::LinAlgError);
    CHECK(gpu::linalg::matrix_norm(gpu::zeros<float>({0, 2})).item() == 0);
}
