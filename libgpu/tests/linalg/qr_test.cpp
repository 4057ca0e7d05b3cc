// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "linalg/host_matrix.hpp"

using gpu::linalg::QrMode;

namespace {

// Residual and orthogonality in Frobenius' norm; the identity isn't what the latter is divided by.
template <class T>
void check_qr(const HostMatrix& a, const HostMatrix& q, const HostMatrix& r) {
    const double bound = 10 * static_cast<double>(std::max(a.rows, a.columns)) * eps_of<T>();
    CHECK(size_of(q * r - a) <= bound * size_of(a));
    CHECK(skewness(q) <= bound);
    for (std::int64_t row = 0; row < r.rows; ++row) {
        for (std::int64_t column = 0; column < std::min(row, r.columns); ++column) CHECK(r(row, column) == 0.);
    }
}

}  // namespace

TEST_CASE("qr: residual and orthogonality are within 10 n eps, in all modes and types") {
    //! [qr]
    auto a = gpu::to_device({3., 1., 4., 2., 0., 5.}).reshape({3, 2});
    auto [q, r] = gpu::linalg::qr(a);                                          // (3,2) and (2,2)
    auto whole = gpu::linalg::qr(a, {.mode = gpu::linalg::QrMode::complete});  // (3,3) and (3,2)
    auto alone = gpu::linalg::qr(a, {.mode = gpu::linalg::QrMode::r}).R;       // R as in the first line
    //! [qr]
    check_qr<double>(matrix_of(a), matrix_of(q), matrix_of(r));
    CHECK(whole.R.shape() == gpu::Shape{3, 2});
    CHECK(size_of(matrix_of(alone) - matrix_of(r)) < 1e-14);

    for_each_type([](auto type) {
        using T = decltype(type);
        std::vector<Sample> all = samples(is_complex_type<T>);
        for (Sample& sample : large_samples(is_complex_type<T>)) all.push_back(sample);
        for (Sample& sample : all) {
            CAPTURE(sample.name);
            const gpu::Array<T> matrix = on_device<T>(sample.matrix);
            const std::int64_t m = sample.matrix.rows, n = sample.matrix.columns, k = std::min(m, n);
            for (const QrMode mode : {QrMode::reduced, QrMode::complete, QrMode::r}) {
                const auto factors = gpu::linalg::qr(matrix, {.mode = mode});
                const std::int64_t inner = mode == QrMode::complete ? m : k;
                CHECK(factors.R.shape() == gpu::Shape{inner, n});
                if (mode == QrMode::r) {
                    CHECK(factors.Q.size() == 0);
                    continue;
                }
                CHECK(factors.Q.shape() == gpu::Shape{m, inner});
                check_qr<T>(sample.matrix, matrix_of(factors.Q), matrix_of(factors.R));
            }
        }
    });
}

TEST_CASE("qr of batches, of windows, and of matrices without elements") {
    HostMatrix all = random_matrix(4 * 6, 5, true, 41);
    const auto a = on_device<gpu::complex<double>>(all);
    const auto batch = a.reshape({2, 2, 6, 5});
    const auto [q, r] = gpu::linalg::qr(batch);
    const auto in = matrices_of(batch.copy()), left = matrices_of(q), right = matrices_of(r);
    for (std::size_t item = 0; item < in.size(); ++item) check_qr<double>(in[item], left[item], right[item]);
    const auto turned = gpu::linalg::qr(batch(1, 0).transpose());
    check_qr<double>(adjoint(matrix_of(gpu::conj(batch(1, 0)).eval())), matrix_of(turned.Q), matrix_of(turned.R));

    const auto nothing = gpu::linalg::qr(gpu::zeros<float>({3, 0}), {.mode = QrMode::complete});
    CHECK(size_of(matrix_of(nothing.Q) - identity(3)) == 0);
    CHECK(nothing.R.shape() == gpu::Shape{3, 0});
    const auto reduced = gpu::linalg::qr(gpu::zeros<float>({0, 3}));
    CHECK(reduced.Q.shape() == gpu::Shape{0, 0});
    CHECK(reduced.R.shape() == gpu::Shape{0, 3});
}

TEST_CASE("qr of an empty batch has the shapes that its matrices would give") {
    const auto a = gpu::zeros<double>({0, 4, 3});
    const auto reduced = gpu::linalg::qr(a);
    CHECK(reduced.Q.shape() == gpu::Shape{0, 4, 3});
    CHECK(reduced.R.shape() == gpu::Shape{0, 3, 3});
    const auto whole = gpu::linalg::qr(a, {.mode = QrMode::complete});
    CHECK(whole.Q.shape() == gpu::Shape{0, 4, 4});
    CHECK(whole.R.shape() == gpu::Shape{0, 4, 3});
    CHECK(gpu::linalg::qr(a, {.mode = QrMode::r}).R.shape() == gpu::Shape{0, 3, 3});
    const auto wide = gpu::linalg::qr(gpu::zeros<double>({2, 0, 3, 4}));
    CHECK(wide.Q.shape() == gpu::Shape{2, 0, 3, 3});
    CHECK(wide.R.shape() == gpu::Shape{2, 0, 3, 4});
}

TEST_CASE("qr refuses vectors and float16") {
    CHECK_THROWS_WITH_AS((void)gpu::linalg::qr(gpu::ones<float>({3})),
                         "qr: an array of shape (3,) holds no matrix: it has fewer than 2 axes", gpu::LinAlgError);
    CHECK_THROWS_AS((void)gpu::linalg::qr(gpu::ones<gpu::half>({3, 3})), gpu::DTypeError);
}
