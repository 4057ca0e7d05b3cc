// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/host_matrix.hpp"

using gpu::linalg::SvdDriver;

namespace {

// Residual and orthogonality in Frobenius' norm; the identity isn't what the latter is divided by.
template <class T>
void check_svd(const HostMatrix& a, const HostMatrix& u, const std::vector<double>& s, const HostMatrix& vt) {
    const double n = static_cast<double>(std::max(a.rows, a.columns)), bound = 10 * n * eps_of<T>();
    HostMatrix middle(u.columns, vt.rows);
    for (std::size_t k = 0; k < s.size(); ++k) {
        const auto place = static_cast<std::int64_t>(k);
        middle(place, place) = s[k];
        CHECK(s[k] >= 0);
        if (k > 0) CHECK(s[k - 1] >= s[k]);
    }
    CHECK(size_of(u * middle * vt - a) <= bound * size_of(a));
    CHECK(skewness(u) <= bound);
    CHECK(skewness(adjoint(vt)) <= bound);
}

template <class T>
void check_samples(SvdDriver driver) {
    for (Sample& sample : samples(is_complex_type<T>)) {
        CAPTURE(sample.name);
        const gpu::Array<T> a = on_device<T>(sample.matrix);
        const std::int64_t k = std::min(sample.matrix.rows, sample.matrix.columns);
        for (const bool full : {false, true}) {
            const auto [u, s, vt] = gpu::linalg::svd(a, {.full_matrices = full, .driver = driver});
            CHECK(u.shape() == gpu::Shape{sample.matrix.rows, full ? sample.matrix.rows : k});
            CHECK(s.shape() == gpu::Shape{k});
            CHECK(vt.shape() == gpu::Shape{full ? sample.matrix.columns : k, sample.matrix.columns});
            check_svd<T>(sample.matrix, matrix_of(u), numbers_of(s), matrix_of(vt));
        }
    }
}

}  // namespace

TEST_CASE("svd: residual and orthogonality are within 10 n eps, thin and full, for all types and drivers") {
    for (const SvdDriver driver :
         {SvdDriver::Auto, SvdDriver::QR, SvdDriver::Jacobi, SvdDriver::Polar, SvdDriver::TallQR}) {
        CAPTURE(static_cast<int>(driver));
        for_each_type([&](auto type) { check_samples<decltype(type)>(driver); });
    }
}

TEST_CASE("svd of large matrices: residual and orthogonality are within 10 n eps") {
    for_each_type([](auto type) {
        using T = decltype(type);
        for (Sample& sample : large_samples(is_complex_type<T>)) {
            CAPTURE(sample.name);
            const auto [u, s, vt] = gpu::linalg::svd(on_device<T>(sample.matrix));
            check_svd<T>(sample.matrix, matrix_of(u), numbers_of(s), matrix_of(vt));
        }
    });
}

TEST_CASE("svd: on the host Jacobi's method finds small values to their last digits") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;  // a GPU's library promises less
    const double scales[] = {1, 1e-9, 1e-20, 1e-40};
    HostMatrix a(6, 4);  // columns that are orthogonal, exactly
    const int signs[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}};
    for (std::int64_t row = 0; row < 4; ++row) {
        for (std::int64_t column = 0; column < 4; ++column) a(row, column) = signs[row][column] * scales[column] / 2;
    }
    const std::vector<double> values =
        numbers_of(gpu::linalg::svd(on_device<double>(a), {.driver = SvdDriver::Jacobi}).S);
    for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(values[k] - scales[k]) <= 1e-14 * scales[k]);
}

TEST_CASE("svd gives U, S and Vt") {
    //! [svd]
    auto a = gpu::to_device({3., 0., 0., 0., -2., 0.}).reshape({2, 3});
    auto [u, s, vt] = gpu::linalg::svd(a);                  // (2,2), (2,), (2,3)
    auto f = gpu::linalg::svd(a, {.full_matrices = true});  // f.U, f.S, f.Vt; Vt is (3,3)
    auto values = gpu::linalg::svdvals(a);                  // 3, 2
    gpu::Array<double> same = gpu::matmul(u * s, vt);       // a again
    //! [svd]
    CHECK(u.shape() == gpu::Shape{2, 2});
    CHECK(vt.shape() == gpu::Shape{2, 3});
    CHECK(f.Vt.shape() == gpu::Shape{3, 3});
    CHECK(numbers_of(values)[0] == doctest::Approx(3));
    CHECK(numbers_of(f.S)[1] == doctest::Approx(2));
    CHECK(size_of(matrix_of(same) - matrix_of(a)) < 1e-14);
}

TEST_CASE("svd: values alone are those that come with vectors") {
    for_each_type([](auto type) {
        using T = decltype(type);
        for (Sample& sample : samples(is_complex_type<T>)) {
            CAPTURE(sample.name);
            const gpu::Array<T> a = on_device<T>(sample.matrix);
            const std::vector<double> with = numbers_of(gpu::linalg::svd(a).S),
                                      alone = numbers_of(gpu::linalg::svdvals(a));
            REQUIRE(with.size() == alone.size());
            const double bound = 100 * eps_of<T>() * size_of(sample.matrix);
            for (std::size_t k = 0; k < with.size(); ++k) CHECK(std::abs(with[k] - alone[k]) <= bound);
        }
    });
    auto [u, s, vt] = gpu::linalg::svd(gpu::ones<float>({3, 2}), {.compute_uv = false});
    CHECK(u.size() == 0);
    CHECK(vt.size() == 0);
    CHECK(s.shape() == gpu::Shape{2});
}

TEST_CASE("svd of batches, of transposed and strided windows, of expressions and integers") {
    const HostMatrix all = random_matrix(2 * 3 * 5, 4, false, 31);
    HostMatrix copy = all;
    const gpu::Array<double> a = on_device<double>(copy);
    const auto batch = a.reshape({2, 3, 5, 4});
    const auto check = [](const auto& input) {
        const gpu::Array<double> dense = input + 0.;
        const auto [u, s, vt] = gpu::linalg::svd(input);
        const auto in = matrices_of(dense), left = matrices_of(u), right = matrices_of(vt);
        const std::vector<double> values = numbers_of(s);
        const std::size_t k = values.size() / in.size();
        for (std::size_t item = 0; item < in.size(); ++item) {
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(item * k);
            check_svd<double>(in[item], left[item], {first, first + static_cast<std::ptrdiff_t>(k)}, right[item]);
        }
    };
    check(batch);
    check(batch(gpu::slice(1, 2), gpu::all, gpu::slice(0, 5, 2)));
    check(a.transpose());
    check(a(gpu::all, gpu::slice(0, 4, 3)));
    check(gpu::abs(batch) + 1.);
    CHECK(gpu::linalg::svd(batch).S.shape() == gpu::Shape{2, 3, 4});
    const gpu::Array<double> values = gpu::linalg::svdvals(gpu::to_device({3, 0, 0, 4}).reshape({2, 2}));
    const std::vector<double> falling = numbers_of(values);
    REQUIRE(falling.size() == 2);
    CHECK(falling[0] == doctest::Approx(4));
    CHECK(falling[1] == doctest::Approx(3));
}

TEST_CASE("svd of matrices without elements") {
    const auto nothing = gpu::zeros<float>({0, 3});
    const auto [u, s, vt] = gpu::linalg::svd(nothing);
    CHECK(u.shape() == gpu::Shape{0, 0});
    CHECK(s.shape() == gpu::Shape{0});
    CHECK(vt.shape() == gpu::Shape{0, 3});
    const auto full = gpu::linalg::svd(nothing, {.full_matrices = true});
    CHECK(full.U.shape() == gpu::Shape{0, 0});
    CHECK(size_of(matrix_of(full.Vt) - identity(3)) == 0);
    CHECK(gpu::linalg::svd(gpu::zeros<double>({0, 2, 3})).U.shape() == gpu::Shape{0, 2, 2});
}

TEST_CASE("svd refuses NaN, infinities, vectors and float16") {
    auto a = gpu::ones<float>({2, 2, 3, 3});
    a(1, 0, 2, 1) = NAN;
    CHECK_THROWS_WITH_AS((void)gpu::linalg::svd(a),
                         "svd: matrix (1,0) of the batch of shape (2,2,3,3) has a NaN or an infinity",
                         gpu::LinAlgError);
    auto b = gpu::ones<gpu::complex<double>>({2, 3});
    b(0, 1) = gpu::complex<double>(0, INFINITY);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::svdvals(b), "svd: the matrix of shape (2,3) has a NaN or an infinity",
                         gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::svd(gpu::ones<float>({3})),
                         "svd: an array of shape (3,) holds no matrix: it has fewer than 2 axes", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::svd(gpu::ones<gpu::half>({3, 3})),
                         "svd: float16 is unsupported in factorisations: write x.astype<float>()", gpu::DTypeError);
}
