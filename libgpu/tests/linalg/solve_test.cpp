// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/host_matrix.hpp"
#include "linalg/singular_matrices.hpp"

namespace {

constexpr std::int64_t sizes[] = {1, 2, 7, 30, 70, 129};

// Well conditioned: what solving loses is a few eps.
HostMatrix regular(std::int64_t n, bool complex, unsigned seed) {
    HostMatrix made = random_matrix(n, n, complex, seed);
    for (std::int64_t k = 0; k < n; ++k)
        made((k + 1) % n, k) += 3 * std::sqrt(static_cast<double>(n));  // forces pivoting
    return made;
}

HostMatrix definite(std::int64_t n, bool complex, unsigned seed) {
    const HostMatrix root = random_matrix(n, n, complex, seed);
    HostMatrix made = root * adjoint(root);
    for (std::int64_t k = 0; k < n; ++k) made(k, k) += 1;
    return made;
}

}  // namespace

TEST_CASE("solve: residuals are a few eps for all types, for vectors and matrices") {
    //! [solve]
    auto a = gpu::to_device({2., 1., 1., 3.}).reshape({2, 2});
    auto b = gpu::to_device({3., 5.});
    gpu::Array<double> x = gpu::linalg::solve(a, b);  // 0.8, 1.4
    //! [solve]
    CHECK(gpu::to_host(x)[0] == doctest::Approx(0.8));
    CHECK(gpu::to_host(x)[1] == doctest::Approx(1.4));
    for_each_type([](auto type) {
        using T = decltype(type);
        for (const std::int64_t n : sizes) {
            CAPTURE(n);
            HostMatrix matrix = regular(n, is_complex_type<T>, 51), right = random_matrix(n, 3, is_complex_type<T>, 52);
            const gpu::Array<T> left = on_device<T>(matrix), sides = on_device<T>(right);
            const double bound = 10 * static_cast<double>(n) * eps_of<T>();
            const HostMatrix solution = matrix_of(gpu::linalg::solve(left, sides));
            CHECK(size_of(matrix * solution - right) <= bound * size_of(matrix) * size_of(solution));
            const auto turned =
                gpu::linalg::solve(left.transpose().copy(gpu::Layout::row_major).transpose(), sides(gpu::all, 1));
            CHECK(turned.shape() == gpu::Shape{n});
            CHECK(size_of(matrix_of(turned.reshape({n, 1}).copy()) -
                          matrix_of(gpu::linalg::solve(left, sides(gpu::all, gpu::slice(1, 2))))) <=
                  bound * size_of(solution));
        }
    });
}

TEST_CASE("solve: batches broadcast, integers become double") {
    HostMatrix matrix = regular(5, false, 53), right = random_matrix(2 * 3 * 5, 2, false, 54);
    const auto a = on_device<double>(matrix);
    const auto b = on_device<double>(right);
    const auto sides = b.reshape({2, 3, 5, 2});
    const auto x = gpu::linalg::solve(a, sides);
    CHECK(x.shape() == gpu::Shape{2, 3, 5, 2});
    const gpu::Array<double> back = gpu::matmul(a, x);
    CHECK(gpu::max(gpu::abs(back - sides)).item() < 1e-13);
    const auto pair = gpu::stack<double>({a, a * 2.});
    const auto y = gpu::linalg::solve(pair, b(gpu::slice(0, 5), 0));  // a vector for both
    CHECK(y.shape() == gpu::Shape{2, 5});
    const gpu::Array<double> halves = y(0) - y(1) * 2.;
    CHECK(gpu::max(gpu::abs(halves)).item() < 1e-14);
    const gpu::Array<double> whole =
        gpu::linalg::solve(gpu::to_device({1, 1, 0, 2}).reshape({2, 2}), gpu::to_device({3, 4}));
    CHECK(gpu::to_host(whole) == std::vector<double>{1, 2});
    CHECK(gpu::linalg::solve(gpu::zeros<float>({0, 0}), gpu::zeros<float>({0, 2})).shape() == gpu::Shape{0, 2});
    CHECK(gpu::linalg::solve(gpu::ones<float>({2, 2}) + gpu::eye<float>(2), gpu::zeros<float>({2, 0})).shape() ==
          gpu::Shape{2, 0});
}

TEST_CASE("inv is the inverse") {
    //! [inv]
    auto a = gpu::to_device({0., 2., 1., 1.}).reshape({2, 2});
    gpu::Array<double> inverse = gpu::linalg::inv(a);  // {-0.5, 1}, {0.5, 0}
    //! [inv]
    CHECK(gpu::to_host(inverse) == std::vector<double>{-0.5, 1, 0.5, 0});
    for_each_type([](auto type) {
        using T = decltype(type);
        for (const std::int64_t n : sizes) {
            HostMatrix matrix = regular(n, is_complex_type<T>, 55);
            const HostMatrix made = matrix_of(gpu::linalg::inv(on_device<T>(matrix)));
            CHECK(size_of(matrix * made - identity(n)) <=
                  10 * static_cast<double>(n) * eps_of<T>() * size_of(matrix) * size_of(made));
        }
    });
    CHECK(gpu::linalg::inv(gpu::zeros<float>({2, 0, 0})).shape() == gpu::Shape{2, 0, 0});
    CHECK(gpu::to_host(gpu::linalg::inv(gpu::stack<double>({a, a}))).size() == 8);
}

TEST_CASE("det and slogdet") {
    //! [det]
    auto a = gpu::to_device({1, 2, 3, 4}).reshape({2, 2});
    double area = gpu::linalg::det(a).item();     // -2
    auto [sign, size] = gpu::linalg::slogdet(a);  // -1 and log(2)
    //! [det]
    CHECK(area == doctest::Approx(-2));
    CHECK(sign.item() == -1);
    CHECK(size.item() == doctest::Approx(std::log(2.)));
    // Rows in every order of three: the sign is the permutation's.
    const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    const double signs[6] = {1, -1, -1, -1, 1, 1};
    std::vector<float> rows;
    for (const auto& order : orders) {
        for (const int one : order) {
            for (int column = 0; column < 3; ++column) rows.push_back(column == one ? 2.f : 0.f);
        }
    }
    const auto batch = gpu::to_device(rows).reshape({2, 3, 3, 3});
    const auto dets = gpu::linalg::det(batch);
    CHECK(dets.shape() == gpu::Shape{2, 3});
    for (std::size_t k = 0; k < 6; ++k) CHECK(numbers_of(dets)[k] == doctest::Approx(8 * signs[k]));
    CHECK(numbers_of(gpu::linalg::slogdet(batch).sign) == std::vector<double>(signs, signs + 6));

    using Z = gpu::complex<double>;
    const auto z = gpu::to_device({Z(0, 1), Z(0, 0), Z(5, 5), Z(0, 3)}).reshape({2, 2});
    CHECK(std::abs(wide(gpu::linalg::det(z).item()) - wide(Z(-3, 0))) < 1e-14);
    CHECK(std::abs(wide(gpu::linalg::slogdet(z).sign.item()) - wide(Z(-1, 0))) < 1e-14);
    CHECK(gpu::linalg::slogdet(gpu::eye<double>(400) * 1e10).logabsdet.item() == doctest::Approx(4000 * std::log(10.)));
    CHECK(gpu::linalg::det(gpu::zeros<float>({0, 0})).item() == 1);
    CHECK(gpu::linalg::det(gpu::zeros<float>({3, 0, 0})).shape() == gpu::Shape{3});
    CHECK(gpu::linalg::slogdet(gpu::zeros<float>({0, 0})).logabsdet.item() == 0);
    CHECK(std::isnan(gpu::linalg::det(gpu::full<double>({2, 2}, NAN)).item()));
}

TEST_CASE("singular matrices: det is 0, solve and inv name them") { check_singular_matrices(); }

TEST_CASE("cholesky: residuals are a few eps for all types") {
    //! [cholesky]
    auto a = gpu::to_device({4., 2., 2., 5.}).reshape({2, 2});
    gpu::Array<double> lower = gpu::linalg::cholesky(a);  // {2, 0}, {1, 2}
    //! [cholesky]
    CHECK(gpu::to_host(lower) == std::vector<double>{2, 0, 1, 2});
    for_each_type([](auto type) {
        using T = decltype(type);
        for (const std::int64_t n : sizes) {
            CAPTURE(n);
            HostMatrix matrix = definite(n, is_complex_type<T>, 56);
            const gpu::Array<T> whole = on_device<T>(matrix);
            const HostMatrix made = matrix_of(gpu::linalg::cholesky(whole));
            CHECK(size_of(made * adjoint(made) - matrix) <=
                  10 * static_cast<double>(n) * eps_of<T>() * size_of(matrix));
            CHECK(gpu::all(gpu::triu(gpu::linalg::cholesky(gpu::tril(whole)), 1) == T(0)).item());
            CHECK(size_of(matrix_of(gpu::linalg::cholesky(gpu::tril(whole))) - made) == 0);
        }
    });
    CHECK(gpu::linalg::cholesky(gpu::zeros<float>({2, 0, 0})).shape() == gpu::Shape{2, 0, 0});
}

TEST_CASE("cholesky names the minor that isn't positive definite") {
    auto a = gpu::stack<float>({gpu::eye<float>(4), gpu::eye<float>(4)});
    a(1, 2, 2) = -1.f;
    CHECK_THROWS_WITH_AS((void)gpu::linalg::cholesky(a),
                         "cholesky: matrix (1,) of the batch of shape (2,4,4) is not positive definite: its leading "
                         "minor of order 3 isn't",
                         gpu::LinAlgError);
    auto large = gpu::eye<double>(150);
    large(130, 130) = 0;
    CHECK_THROWS_WITH_AS((void)gpu::linalg::cholesky(large),
                         "cholesky: the matrix of shape (150,150) is not positive definite: its leading minor of order "
                         "131 isn't",
                         gpu::LinAlgError);
}

TEST_CASE("shapes and types that don't fit are named") {
    const auto a = gpu::ones<float>({2, 3});
    CHECK_THROWS_WITH_AS((void)gpu::linalg::det(a),
                         "det: the matrices must be square, but the last two axes of shape (2,3) differ",
                         gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::inv(gpu::ones<float>({3})),
                         "inv: an array of shape (3,) holds no matrix: it has fewer than 2 axes", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::solve(gpu::eye<float>(3), gpu::ones<float>({2})),
                         "solve: (3,3) x (2,): the matrix has 3 rows, the right-hand side 2", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::solve(gpu::ones<float>({2, 2, 2}), gpu::ones<float>({3, 2, 1})),
                         "solve: (2,2,2) x (3,2,1): the batches (2,) and (3,) don't broadcast", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::cholesky(gpu::eye<gpu::half>(2)),
                         "cholesky: float16 is unsupported in factorisations: write x.astype<float>()",
                         gpu::DTypeError);
    //! [linalg_error]
    try {
        (void)gpu::matmul(gpu::ones<float>({2, 3}), gpu::ones<float>({4, 5}));
    } catch (const gpu::LinAlgError& error) {
        CHECK(error.what() == std::string("matmul: (2,3) x (4,5): inner dimensions 3 and 4 differ"));
    }
    //! [linalg_error]
}
