// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "linalg/host_matrix.hpp"

namespace {

// Residual and orthogonality in Frobenius' norm; the identity isn't what the latter is divided by.
template <class T>
void check_eigh(const HostMatrix& a, const std::vector<double>& values, const HostMatrix& v) {
    const double bound = 10 * static_cast<double>(a.rows) * eps_of<T>();
    CHECK(size_of(a * v - v * diagonal(values)) <= bound * size_of(a));
    CHECK(skewness(v) <= bound);
    for (std::size_t k = 1; k < values.size(); ++k) CHECK(values[k - 1] <= values[k]);
}

}  // namespace

TEST_CASE("eigh: residual and orthogonality are within 10 n eps for all types") {
    //! [eigh]
    auto a = gpu::to_device({2., 1., 1., 2.}).reshape({2, 2});
    auto [values, vectors] = gpu::linalg::eigh(a);           // 1 and 3; the columns of `vectors` belong to them
    auto alone = gpu::linalg::eigvalsh(a, {.upper = true});  // of the upper triangle
    //! [eigh]
    CHECK(numbers_of(values)[0] == doctest::Approx(1));
    CHECK(numbers_of(alone)[1] == doctest::Approx(3));
    check_eigh<double>(matrix_of(a), numbers_of(values), matrix_of(vectors));
    for_each_type([](auto type) {
        using T = decltype(type);
        for (Sample& sample : hermitian_samples(is_complex_type<T>)) {
            CAPTURE(sample.name);
            const gpu::Array<T> matrix = on_device<T>(sample.matrix);
            const auto [w, v] = gpu::linalg::eigh(matrix);
            check_eigh<T>(sample.matrix, numbers_of(w), matrix_of(v));
            const std::vector<double> with = numbers_of(w), only = numbers_of(gpu::linalg::eigvalsh(matrix));
            for (std::size_t k = 0; k < with.size(); ++k) {
                CHECK(std::abs(with[k] - only[k]) <= 100 * eps_of<T>() * size_of(sample.matrix));
            }
        }
    });
}

TEST_CASE("eigh reads one triangle, of windows and batches too") {
    const bool complex = true;
    HostMatrix whole = hermitian_samples(complex).front().matrix;
    const auto a = on_device<gpu::complex<double>>(whole);
    gpu::Array<gpu::complex<double>> lower = gpu::tril(a), upper = gpu::triu(a);
    check_eigh<double>(whole, numbers_of(gpu::linalg::eigh(lower).values), matrix_of(gpu::linalg::eigh(lower).vectors));
    const auto by_upper = gpu::linalg::eigh(upper, {.upper = true});
    check_eigh<double>(whole, numbers_of(by_upper.values), matrix_of(by_upper.vectors));
    // The transposed matrix is the conjugate one: the same values.
    const auto turned = numbers_of(gpu::linalg::eigvalsh(a.transpose())), plain = numbers_of(by_upper.values);
    for (std::size_t k = 0; k < plain.size(); ++k) CHECK(turned[k] == doctest::Approx(plain[k]));

    const auto pair = gpu::stack<gpu::complex<double>>({a, a * 2.});
    const auto both = numbers_of(gpu::linalg::eigh(pair).values);
    REQUIRE(both.size() == 2 * plain.size());
    for (std::size_t k = 0; k < plain.size(); ++k) CHECK(both[k + plain.size()] == doctest::Approx(2 * plain[k]));
    CHECK(gpu::linalg::eigh(gpu::zeros<float>({0, 0})).values.shape() == gpu::Shape{0});
    CHECK(gpu::linalg::eigh(gpu::zeros<float>({2, 0, 0})).vectors.shape() == gpu::Shape{2, 0, 0});
}

TEST_CASE("eigh refuses NaN and what isn't square") {
    auto a = gpu::ones<double>({3, 3});
    a(1, 1) = NAN;
    CHECK_THROWS_WITH_AS((void)gpu::linalg::eigh(a), "eigh: the matrix of shape (3,3) has a NaN or an infinity",
                         gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::eigvalsh(gpu::ones<float>({2, 3})),
                         "eigvalsh: the matrices must be square, but the last two axes of shape (2,3) differ",
                         gpu::LinAlgError);
}
