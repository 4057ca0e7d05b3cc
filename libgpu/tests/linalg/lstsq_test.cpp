// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/host_matrix.hpp"

namespace {

// Frobenius' norms. What counts as 0 of a graded matrix is within the bound. Where the normal equations hold, nothing
// is nearer; where x is in the rows' span, none of them is shorter.
template <class T>
void check_least(const HostMatrix& a, const HostMatrix& b, const HostMatrix& x) {
    const double n = static_cast<double>(std::max(a.rows, a.columns));
    const HostMatrix residual = b - a * x;
    const double scale = size_of(a) * (size_of(b) + size_of(a) * size_of(x));
    CHECK(size_of(adjoint(a) * residual) <= 10 * n * eps_of<T>() * scale);
}

}  // namespace

TEST_CASE("lstsq fits a line") {
    //! [lstsq]
    auto x = gpu::to_device({0., 1., 2., 3.});
    auto y = gpu::to_device({-1., 0.2, 0.9, 2.1});
    auto a = gpu::stack<double>({x, gpu::ones<double>({4})}, {.axis = 1});
    auto [line, residuals, rank, s] = gpu::linalg::lstsq(a, y);  // slope 1, at 0: -0.95
    //! [lstsq]
    CHECK(gpu::to_host(line)[0] == doctest::Approx(1));
    CHECK(gpu::to_host(line)[1] == doctest::Approx(-0.95));
    CHECK(residuals.shape() == gpu::Shape{1});
    CHECK(residuals.item() == doctest::Approx(0.05));
    CHECK(rank == 2);
    CHECK(gpu::to_host(s)[0] == doctest::Approx(4.10003045));
}

TEST_CASE("lstsq: the normal equations hold within 10 n eps for all types and kinds of matrices") {
    for_each_type([](auto type) {
        using T = decltype(type);
        for (Sample& sample : samples(is_complex_type<T>)) {
            CAPTURE(sample.name);
            const gpu::Array<T> a = on_device<T>(sample.matrix);
            const std::int64_t m = sample.matrix.rows, n = sample.matrix.columns;
            HostMatrix right = random_matrix(m, 3, is_complex_type<T>, 61);
            const gpu::Array<T> b = on_device<T>(right);
            const auto fit = gpu::linalg::lstsq(a, b);
            CHECK(fit.solution.shape() == gpu::Shape{n, 3});
            const HostMatrix x = matrix_of(fit.solution);
            check_least<T>(sample.matrix, right, x);
            if (sample.name.starts_with("graded")) continue;  // the rank is where the limit lies
            const std::int64_t rank = sample.name == "of rank 4" ? 4
                                      : sample.name == "ones"    ? 1
                                      : sample.name == "zeros"   ? 0
                                                                 : std::min(m, n);
            CHECK(fit.rank == rank);
            CHECK(fit.residuals.shape() == (rank == n && m > n ? gpu::Shape{3} : gpu::Shape{0}));
            // The shortest: a pseudo-inverse times A leaves it as it is.
            const HostMatrix projected = matrix_of(gpu::linalg::pinv(a)) * (sample.matrix * x);
            CHECK(size_of(projected - x) <= 1000 * eps_of<T>() * (1 + size_of(x)));
        }
    });
}

TEST_CASE("lstsq: a graded matrix is cut off at rcond, vectors stay vectors") {
    const auto a = (gpu::eye<double>(3) * gpu::to_device({1., 1e-4, 1e-12})).eval();
    const auto b = gpu::to_device({1., 1., 1.});
    CHECK(gpu::linalg::lstsq(a, b).rank == 3);
    const auto cut = gpu::linalg::lstsq(a, b, {.rcond = 1e-8});
    CHECK(cut.rank == 2);
    CHECK(cut.solution.shape() == gpu::Shape{3});
    CHECK(gpu::to_host(cut.solution)[1] == doctest::Approx(1e4));
    CHECK(gpu::to_host(cut.solution)[2] == doctest::Approx(0));
    CHECK(gpu::linalg::lstsq(gpu::zeros<float>({0, 2}), gpu::zeros<float>({0})).rank == 0);
    CHECK(gpu::to_host(gpu::linalg::lstsq(gpu::zeros<float>({0, 2}), gpu::zeros<float>({0})).solution) ==
          std::vector<float>{0, 0});
    CHECK(gpu::linalg::lstsq(gpu::zeros<float>({3, 0}), gpu::ones<float>({3, 2})).solution.shape() == gpu::Shape{0, 2});
}

TEST_CASE("lstsq refuses what doesn't fit, and NaN on either side") {
    CHECK_THROWS_WITH_AS((void)gpu::linalg::lstsq(gpu::ones<float>({3, 2}), gpu::ones<float>({4})),
                         "lstsq: (3,2) x (4,): the matrix has 3 rows, the right-hand side 4", gpu::LinAlgError);
    CHECK_THROWS_AS((void)gpu::linalg::lstsq(gpu::ones<float>({2, 3, 2}), gpu::ones<float>({3})), gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::lstsq(gpu::full<float>({3, 2}, NAN), gpu::ones<float>({3})),
                         "lstsq: the matrix of shape (3,2) has a NaN or an infinity", gpu::LinAlgError);
    CHECK_THROWS_AS((void)gpu::linalg::lstsq(gpu::ones<float>({3, 2}), gpu::full<float>({3}, INFINITY)),
                    gpu::LinAlgError);
}

TEST_CASE("pinv meets Penrose's equations") {
    //! [pinv]
    auto a = gpu::to_device({1., 0., 0., 2., 0., 0.}).reshape({3, 2});
    gpu::Array<double> inverse = gpu::linalg::pinv(a);  // (2,3)
    //! [pinv]
    CHECK(inverse.shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(inverse)[4] == doctest::Approx(0.5));
    for_each_type([](auto type) {
        using T = decltype(type);
        for (Sample& sample : samples(is_complex_type<T>)) {
            if (sample.name.starts_with("graded")) continue;
            CAPTURE(sample.name);
            const gpu::Array<T> matrix = on_device<T>(sample.matrix);
            const HostMatrix p = matrix_of(gpu::linalg::pinv(matrix)), &m = sample.matrix;
            const double n = static_cast<double>(std::max(m.rows, m.columns));
            const double condition = size_of(m) * size_of(p), bound = 10 * n * eps_of<T>() * (1 + condition);
            CHECK(size_of(m * p * m - m) <= bound * size_of(m));
            CHECK(size_of(p * m * p - p) <= bound * size_of(p));
            CHECK(size_of(adjoint(m * p) - m * p) <= bound * condition);
            CHECK(size_of(adjoint(p * m) - p * m) <= bound * condition);
        }
    });
    CHECK(gpu::linalg::pinv(gpu::ones<float>({4, 3, 2})).shape() == gpu::Shape{4, 2, 3});
    CHECK(gpu::linalg::pinv(gpu::zeros<float>({0, 2})).shape() == gpu::Shape{2, 0});
}
