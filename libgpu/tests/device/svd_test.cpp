// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "matrices.hpp"

using namespace gpu::detail;
using Info = LinearAlgebra::Info;

namespace {

const char* name_of(SvdMethod method) {
    return method == SvdMethod::qr ? "QR" : method == SvdMethod::jacobi ? "Jacobi" : "Polar";
}

/// Returns false where the polar decomposition says that it can't: QR's turn then.
template <class T>
bool check_svd(const Named& given, SvdMethod method, SvdVectors vectors) {
    using Real = typename Eigen::NumTraits<T>::Real;
    const std::int64_t m = given.matrices[0].rows(), n = given.matrices[0].cols();
    const auto batch = static_cast<std::int64_t>(given.matrices.size());
    const std::int64_t u_columns = vectors == SvdVectors::full ? m : n;
    const bool none = vectors == SvdVectors::none;
    const Stack<T> a(given.matrices), u(m, u_columns, batch), vh(n, n, batch);
    const std::vector<Dense> rounded = a.values();
    const OnGpu<Real> s(static_cast<std::size_t>(n * batch));
    const Info info = linear_algebra().svd(problem<T>(batch), m, n, a.data(), vectors, method,
                                           none ? nullptr : u.data(), s.data(), none ? nullptr : vh.data());
    const std::string what = given.name + ", " + name_of(method) + (vectors == SvdVectors::full ? ", full" : "");
    if (method == SvdMethod::polar && *std::max_element(info.begin(), info.end()) > 0) return false;
    CHECK_MESSAGE(info == Info(given.matrices.size(), 0), what << ": info " << info[0]);
    const double limit = allowed(epsilon_of<T>, m);
    const auto values = s.values();
    const auto us = u.values(), vhs = vh.values();
    for (std::size_t k = 0; k < rounded.size(); ++k) {
        const Real* const mine = values.data() + k * static_cast<std::size_t>(n);
        CHECK_MESSAGE(std::is_sorted(mine, mine + n, [](Real x, Real y) { return x > y; }), what);
        CHECK_MESSAGE(mine[n - 1] >= 0, what);
        double squares = 0;
        for (std::int64_t j = 0; j < n; ++j) squares += static_cast<double>(mine[j]) * static_cast<double>(mine[j]);
        const double size = rounded[k].norm(), size_error = std::abs(std::sqrt(squares) - size);
        CHECK_MESSAGE(size_error <= limit * size, what << ": values' size is off by " << size_error);
        if (none) continue;
        Dense scaled = us[k].leftCols(n);
        for (std::int64_t j = 0; j < n; ++j) scaled.col(j) *= static_cast<double>(mine[j]);
        const double residual = relative(scaled * vhs[k] - rounded[k], rounded[k]);
        const double u_error = from_orthonormal(us[k]), v_error = from_orthonormal(vhs[k].adjoint());
        CHECK_MESSAGE(residual <= limit, what << ": residual " << residual << ", allowed " << limit);
        CHECK_MESSAGE(u_error <= limit, what << ": U is off by " << u_error << ", allowed " << limit);
        CHECK_MESSAGE(v_error <= limit, what << ": V is off by " << v_error << ", allowed " << limit);
    }
    return true;
}

template <class T>
void check_all() {
    std::vector<Named> all = difficult<T>(24, 16);
    struct Size {
        std::int64_t m, n, batch;
    };
    for (const auto [m, n, batch] : {Size{1, 1, 1},
                                     {5, 1, 1},
                                     {5, 5, 1},
                                     {7, 5, 3},
                                     {32, 32, 3},
                                     {33, 33, 2},
                                     {40, 7, 1},
                                     {100, 60, 1},
                                     {200, 200, 1}}) {
        all.push_back({std::to_string(m) + " x " + std::to_string(n) + ", batch " + std::to_string(batch),
                       random_batch<T>(m, n, batch)});
    }
    int polar = 0, refused = 0;
    for (const Named& given : all)
        for (SvdMethod method : {SvdMethod::qr, SvdMethod::jacobi, SvdMethod::polar})
            for (SvdVectors vectors : {SvdVectors::thin, SvdVectors::full, SvdVectors::none}) {
                const bool converged = check_svd<T>(given, method, vectors);
                if (method != SvdMethod::polar) continue;
                ++polar;
                refused += converged ? 0 : 1;
            }
    MESSAGE("the polar decomposition left " << refused << " of " << polar << " to QR");
    CHECK(refused < polar);
}

}  // namespace

TEST_CASE("singular values by every method are right to 10 n eps, for difficult matrices too") {
    SUBCASE("float32") { check_all<float>(); }
    SUBCASE("float64") { check_all<double>(); }
    SUBCASE("complex64") { check_all<std::complex<float>>(); }
    SUBCASE("complex128") { check_all<std::complex<double>>(); }
}

TEST_CASE("a 100000 x 100 matrix is decomposed by QR: its workspace is counted in 64 bits") {
    const std::int64_t m = 100000, n = 100;
    const Dense given = random_matrix<float>(m, n, 11);
    CHECK(check_svd<float>({"100000 x 100", {given}}, SvdMethod::qr, SvdVectors::thin));
}

TEST_CASE("the polar decomposition of many columns of floats doesn't give up where they are of low rank") {
    const std::int64_t n = 800;
    const Dense left = random_matrix<float>(n, n, 12), right = random_matrix<float>(n, n, 13);
    const Dense half = left.leftCols(n / 2) * right.topRows(n / 2) / 100;
    for (const SvdVectors vectors : {SvdVectors::thin, SvdVectors::none}) {
        CHECK(check_svd<float>({"800 x 800", {left}}, SvdMethod::polar, vectors));
        CHECK(check_svd<float>({"800 x 800 of rank 400", {half}}, SvdMethod::polar, vectors));
    }
    CHECK(check_svd<std::complex<float>>({"complex 800 x 800", {left + Dense(right * std::complex<double>(0, 1))}},
                                         SvdMethod::polar, SvdVectors::thin));
}
