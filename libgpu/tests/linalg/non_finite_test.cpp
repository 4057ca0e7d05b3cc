// SPDX-License-Identifier: MIT
// NaN and infinities: LinAlgError or NaN, never a finite number that is made up, never an iteration without end.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "linalg/host_matrix.hpp"

namespace {

struct Place {
    std::int64_t row, column;
};

/// Places in an n x n matrix that solvers come upon at different times, the first row, column and pivot among them.
std::vector<Place> places(std::int64_t n) {
    return {{0, 0}, {0, n - 1}, {n - 1, 0}, {n - 1, n - 1}, {n / 2, n / 2}, {1, 2}, {2, 1}};
}

const double strangers[] = {NAN, INFINITY, -INFINITY};

/// Positive definite, and dense.
HostMatrix good_matrix(std::int64_t n, bool complex) {
    const HostMatrix root = random_matrix(n, n, complex, 91);
    HostMatrix made = root * adjoint(root);
    for (std::int64_t k = 0; k < n; ++k) made(k, k) += static_cast<double>(n);
    return made;
}

template <class T>
gpu::Array<T> with(HostMatrix matrix, Place place, double stranger) {
    matrix(place.row, place.column) = stranger;
    if (is_complex_type<T> && place.row != place.column) matrix(place.row, place.column) = {1, stranger};
    return on_device<T>(matrix);
}

template <class A>
bool all_nan(const A& array) {
    return gpu::all(gpu::isnan(array)).item();
}
template <class A>
bool none_finite(const A& array) {
    return !gpu::any(gpu::isfinite(array)).item();
}
template <class A>
bool all_finite(const A& array) {
    return gpu::all(gpu::isfinite(array)).item();
}

}  // namespace

TEST_CASE("NaN or an infinity in a matrix: solve, inv, det, slogdet and qr give NaN, all of it") {
    for_each_type([](auto type) {
        using T = decltype(type);
        for (const std::int64_t n : {3, 70}) {
            const gpu::Array<T> b = gpu::eye<T>(n);
            for (const Place place : places(n)) {
                for (const double stranger : strangers) {
                    CAPTURE(n);
                    CAPTURE(place.row);
                    CAPTURE(place.column);
                    CAPTURE(stranger);
                    const gpu::Array<T> a = with<T>(good_matrix(n, is_complex_type<T>), place, stranger);
                    CHECK(all_nan(gpu::linalg::solve(a, b)));
                    CHECK(all_nan(gpu::linalg::det(a)));
                    if (n > 3 && place.row > 0) continue;
                    CHECK(all_nan(gpu::linalg::solve(a, b(gpu::all, 0))));
                    CHECK(all_nan(gpu::linalg::inv(a)));
                    const auto [sign, logarithm] = gpu::linalg::slogdet(a);
                    CHECK(all_nan(sign));
                    CHECK(all_nan(logarithm));
                    const auto [q, r] = gpu::linalg::qr(a);
                    CHECK(all_nan(q));
                    CHECK(all_nan(r));
                }
            }
        }
    });
    const auto wide = gpu::full<float>({2, 5}, INFINITY);
    CHECK(all_nan(gpu::linalg::qr(wide, {.mode = gpu::linalg::QrMode::complete}).Q));
    CHECK(all_nan(gpu::linalg::qr(wide, {.mode = gpu::linalg::QrMode::r}).R));
    CHECK(all_nan(gpu::linalg::qr(wide.transpose(), {.mode = gpu::linalg::QrMode::complete}).Q));
}

TEST_CASE("zeros don't hide a NaN or an infinity") {
    const auto b = gpu::to_device({1., 0.});  // elimination leaves out what is 0
    for (const double stranger : strangers) {
        const auto above = gpu::to_device({1., stranger, 0., 1.}).reshape({2, 2});
        CHECK(all_nan(gpu::linalg::solve(above, b)));
        CHECK(all_nan(gpu::linalg::det(above)));
        // No pivot is found beside it, and a zero pivot alone would make the determinant 0.
        const auto below = gpu::to_device({0., 1., stranger, 1.}).reshape({2, 2});
        CHECK(all_nan(gpu::linalg::solve(below, b)));
        CHECK(all_nan(gpu::linalg::det(below)));
        const auto beside = gpu::to_device({0., stranger, 0., 0.}).reshape({2, 2});
        CHECK(all_nan(gpu::linalg::det(beside)));
        CHECK(all_nan(gpu::linalg::slogdet(beside).logabsdet));
        // 1 / infinity is 0: what is left looks like an answer.
        const auto first = gpu::to_device({stranger, 1., 1., 1.}).reshape({2, 2});
        CHECK(all_nan(gpu::linalg::solve(first, b)));
        CHECK(all_nan(gpu::linalg::inv(first)));
    }
    CHECK(std::isnan(gpu::linalg::det(gpu::full<float>({1, 1}, INFINITY)).item()));
}

TEST_CASE("a matrix with a NaN leaves the others of its batch alone") {
    const HostMatrix good = good_matrix(5, false);
    HostMatrix copy = good;
    const auto a = on_device<double>(copy);
    const auto batch = gpu::stack<double>({a, with<double>(good, {3, 1}, NAN), a * 2.}).reshape({3, 1, 5, 5});
    const auto b = on_device<double>(copy)(gpu::all, gpu::slice(0, 2)).copy();
    const auto x = gpu::linalg::solve(batch, b);
    REQUIRE(x.shape() == gpu::Shape{3, 1, 5, 2});
    CHECK(all_nan(x(1)));
    for (const int item : {0, 2}) {
        const gpu::Array<double> back = gpu::matmul(batch(item, 0), x(item, 0));
        CHECK(gpu::max(gpu::abs(back - b)).item() < 1e-12);
    }
    const auto inverse = gpu::linalg::inv(batch);
    CHECK(all_nan(inverse(1)));
    CHECK(gpu::max(gpu::abs(gpu::matmul(batch(2, 0), inverse(2, 0)) - gpu::eye<double>(5))).item() < 1e-12);
    const std::vector<double> dets = numbers_of(gpu::linalg::det(batch));
    CHECK(dets[0] == doctest::Approx(gpu::linalg::det(a).item()));
    CHECK(std::isnan(dets[1]));
    CHECK(dets[2] == doctest::Approx(32 * dets[0]));
    const std::vector<double> signs = numbers_of(gpu::linalg::slogdet(batch).sign);
    CHECK(signs[0] == 1);
    CHECK(std::isnan(signs[1]));
    const auto [q, r] = gpu::linalg::qr(batch);
    CHECK(all_nan(q(1)));
    CHECK(all_nan(r(1)));
    CHECK(gpu::max(gpu::abs(gpu::matmul(q(2, 0), r(2, 0)) - batch(2, 0))).item() < 1e-12);
    // A singular one is still named, and the NaN beside it isn't.
    const auto mixed = gpu::stack<double>({with<double>(good, {0, 0}, NAN), gpu::zeros<double>({5, 5})});
    CHECK_THROWS_WITH_AS((void)gpu::linalg::inv(mixed),
                         "inv: matrix (1,) of the batch of shape (2,5,5) is singular: pivot 1 of its LU factors is 0",
                         gpu::LinAlgError);
    const std::vector<double> both = numbers_of(gpu::linalg::det(mixed));
    CHECK(std::isnan(both[0]));
    CHECK(both[1] == 0);
}

TEST_CASE("a NaN or an infinity in a right-hand side of solve takes its column, and no other") {
    for_each_type([](auto type) {
        using T = decltype(type);
        HostMatrix matrix = good_matrix(40, is_complex_type<T>);
        const gpu::Array<T> a = on_device<T>(matrix), one = gpu::eye<T>(40);
        for (const double stranger : strangers) {
            for (const std::int64_t row : {0, 20, 39}) {
                CAPTURE(row);
                CAPTURE(stranger);
                const gpu::Array<T> b = with<T>(random_matrix(40, 3, is_complex_type<T>, 92), {row, 1}, stranger);
                const gpu::Array<T> x = gpu::linalg::solve(a, b), same = gpu::linalg::solve(one, b);
                CHECK(none_finite(x(gpu::all, 1)));
                CHECK(none_finite(same(gpu::all, 1)));
                CHECK(none_finite(gpu::linalg::solve(a, b(gpu::all, 1))));
                for (const std::int64_t column : {0, 2}) {
                    CHECK(all_finite(x(gpu::all, column)));
                    CHECK(gpu::all(same(gpu::all, column) == b(gpu::all, column)).item());
                }
            }
        }
    });
}

TEST_CASE("NaN or an infinity: svd, eigh, cholesky, lstsq and pinv throw, whatever the driver") {
    using gpu::linalg::SvdDriver;
    for_each_type([](auto type) {
        using T = decltype(type);
        for (const std::int64_t n : {3, 40}) {
            for (const Place place : places(n)) {
                for (const double stranger : strangers) {
                    CAPTURE(place.row);
                    CAPTURE(place.column);
                    CAPTURE(stranger);
                    const gpu::Array<T> a = with<T>(good_matrix(n, is_complex_type<T>), place, stranger);
                    for (const SvdDriver driver :
                         {SvdDriver::Auto, SvdDriver::QR, SvdDriver::Jacobi, SvdDriver::Polar, SvdDriver::TallQR}) {
                        CHECK_THROWS_AS((void)gpu::linalg::svd(a, {.driver = driver}), gpu::LinAlgError);
                    }
                    CHECK_THROWS_AS((void)gpu::linalg::svdvals(a), gpu::LinAlgError);
                    CHECK_THROWS_AS((void)gpu::linalg::pinv(a), gpu::LinAlgError);
                    CHECK_THROWS_AS((void)gpu::linalg::lstsq(a, gpu::ones<T>({n})), gpu::LinAlgError);
                    CHECK_THROWS_AS((void)gpu::linalg::lstsq(gpu::eye<T>(n), a), gpu::LinAlgError);
                    const bool lower = place.row >= place.column, upper = place.row <= place.column;
                    const auto is_refused = [](const auto& f) {
                        try {
                            f();
                        } catch (const gpu::LinAlgError&) {
                            return true;
                        }
                        return false;
                    };
                    CHECK(is_refused([&] { (void)gpu::linalg::eigh(a); }) == lower);
                    CHECK(is_refused([&] { (void)gpu::linalg::eigvalsh(a, {.upper = true}); }) == upper);
                    CHECK(is_refused([&] { (void)gpu::linalg::cholesky(a); }) == lower);
                }
            }
        }
    });
    auto batch = gpu::stack<float>({gpu::eye<float>(4), gpu::eye<float>(4)});
    batch(1, 2, 0) = INFINITY;
    CHECK_THROWS_WITH_AS((void)gpu::linalg::cholesky(batch),
                         "cholesky: matrix (1,) of the batch of shape (2,4,4) has a NaN or an infinity",
                         gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::pinv(batch),
                         "pinv: matrix (1,) of the batch of shape (2,4,4) has a NaN or an infinity", gpu::LinAlgError);
}

TEST_CASE("a triangle that isn't read may hold NaN") {
    for_each_type([](auto type) {
        using T = decltype(type);
        HostMatrix matrix = good_matrix(20, is_complex_type<T>);
        const gpu::Array<T> a = on_device<T>(matrix);
        for (const double stranger : strangers) {
            const gpu::Array<T> above = with<T>(matrix, {3, 7}, stranger), below = with<T>(matrix, {7, 3}, stranger);
            CHECK(gpu::all(gpu::linalg::cholesky(above) == gpu::linalg::cholesky(a)).item());
            CHECK(gpu::all(gpu::linalg::eigh(above).values == gpu::linalg::eigh(a).values).item());
            const auto turned = gpu::linalg::eigh(below, {.upper = true});
            CHECK(gpu::all(turned.values == gpu::linalg::eigh(a, {.upper = true}).values).item());
            CHECK(all_finite(turned.vectors));
        }
    });
}

TEST_CASE("products carry NaN and infinities to their rows and columns alone") {
    for_each_type([](auto type) {
        using T = decltype(type);
        HostMatrix left = random_matrix(9, 6, is_complex_type<T>, 93), right = random_matrix(6, 7, false, 94);
        left(4, 2) = NAN;
        right(3, 5) = INFINITY;
        const gpu::Array<T> product = gpu::matmul(on_device<T>(left), on_device<T>(right));
        const gpu::Array<bool> finite = gpu::isfinite(product);
        for (std::int64_t row = 0; row < 9; ++row) {
            for (std::int64_t column = 0; column < 7; ++column) {
                CHECK(finite(row, column).item() == (row != 4 && column != 5));
            }
        }
        CHECK(all_nan(product(4)));
    });
}
