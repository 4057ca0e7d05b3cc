// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "matrices.hpp"

using namespace gpu::detail;
using Info = LinearAlgebra::Info;

namespace {

constexpr std::int64_t extents[] = {1, 2, 5, 33, 100, 300};

Dense lower(const Dense& a) { return a.triangularView<Eigen::Lower>(); }
Dense unit_lower(const Dense& a) { return a.triangularView<Eigen::UnitLower>(); }
Dense upper(const Dense& a) { return a.triangularView<Eigen::Upper>(); }

template <class T>
void check_cholesky(std::int64_t n, std::int64_t batch) {
    std::vector<Dense> given = random_batch<T>(n, n, batch);
    for (Dense& a : given) a = (a * a.adjoint() + Dense::Identity(n, n)).eval();
    const Stack<T> memory(given);
    REQUIRE(linear_algebra().cholesky(problem<T>(batch), n, memory.data()) == Info(given.size(), 0));
    const auto factors = memory.values();
    for (std::size_t k = 0; k < given.size(); ++k) {
        const Dense l = lower(factors[k]);
        CHECK(relative(l * l.adjoint() - given[k], given[k]) <= allowed(epsilon_of<T>, n));
    }
}

template <class T>
void check_lu(std::int64_t n, std::int64_t batch) {
    const auto given = random_batch<T>(n, n, batch), sides = random_batch<T>(n, 3, batch);
    const Stack<T> a(given), b(sides);
    const OnGpu<std::int32_t> pivots(static_cast<std::size_t>(n * batch));
    REQUIRE(linear_algebra().lu(problem<T>(batch), n, a.data(), pivots.data()) == Info(given.size(), 0));
    linear_algebra().lu_solve(problem<T>(batch), n, a.data(), pivots.data(), 3, b.data());
    const auto factors = a.values(), solutions = b.values();
    const auto exchanges = pivots.values();
    for (std::size_t k = 0; k < given.size(); ++k) {
        const Dense l = unit_lower(factors[k]), u = upper(factors[k]);
        Dense permuted = given[k];
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t with = exchanges[k * static_cast<std::size_t>(n) + static_cast<std::size_t>(i)] - 1;
            REQUIRE(with >= i);
            REQUIRE(with < n);
            permuted.row(i).swap(permuted.row(with));
        }
        CHECK(relative(l * u - permuted, given[k]) <= allowed(epsilon_of<T>, n));
        const double scale = given[k].norm() * solutions[k].norm();
        CHECK((given[k] * solutions[k] - sides[k]).norm() <= scale * allowed(epsilon_of<T>, n));
    }
}

template <class T>
void check_qr(const Named& named, bool full) {
    const std::int64_t m = named.matrices[0].rows(), n = named.matrices[0].cols();
    const auto batch = static_cast<std::int64_t>(named.matrices.size());
    const Stack<T> a(named.matrices);
    const std::vector<Dense> given = a.values();
    const std::int64_t q_columns = full ? m : std::min(m, n);
    const Stack<T> q(m, q_columns, batch);
    REQUIRE(linear_algebra().qr(problem<T>(batch), m, n, a.data(), q_columns, q.data()) == Info(given.size(), 0));
    const auto rs = a.values(), qs = q.values();
    const double limit = allowed(epsilon_of<T>, std::max(m, n));
    for (std::size_t k = 0; k < given.size(); ++k) {
        const Dense r = upper(rs[k]).topRows(std::min(q_columns, m));
        const double residual = relative(qs[k] * r - given[k], given[k]), skew = from_orthonormal(qs[k]);
        CHECK_MESSAGE(residual <= limit, named.name << ": residual " << residual << ", allowed " << limit);
        CHECK_MESSAGE(skew <= limit, named.name << ": Q is off by " << skew << ", allowed " << limit);
    }
}

template <class T>
void check_eigh(const Named& named) {
    const std::int64_t n = named.matrices[0].rows();
    const auto batch = static_cast<std::int64_t>(named.matrices.size());
    const double limit = allowed(epsilon_of<T>, n);
    using Real = typename Eigen::NumTraits<T>::Real;
    for (const bool vectors : {true, false}) {
        const Stack<T> a(named.matrices);
        const std::vector<Dense> given = a.values();
        const OnGpu<Real> values(static_cast<std::size_t>(n * batch));
        REQUIRE(linear_algebra().eigh(problem<T>(batch), n, a.data(), values.data(), vectors) == Info(given.size(), 0));
        const auto w = values.values();
        const auto v = a.values();
        for (std::size_t k = 0; k < given.size(); ++k) {
            const Real* const mine = w.data() + k * static_cast<std::size_t>(n);
            CHECK(std::is_sorted(mine, mine + n));
            double squares = 0;
            Dense scaled = v[k];
            for (std::int64_t j = 0; j < n; ++j) {
                squares += static_cast<double>(mine[j]) * static_cast<double>(mine[j]);
                scaled.col(j) *= static_cast<double>(mine[j]);
            }
            const double size_error = std::abs(std::sqrt(squares) - given[k].norm());
            CHECK_MESSAGE(size_error <= given[k].norm() * limit, named.name);
            if (!vectors) continue;
            const double residual = relative(given[k] * v[k] - scaled, given[k]), skew = from_orthonormal(v[k]);
            CHECK_MESSAGE(residual <= limit, named.name << ": residual " << residual << ", allowed " << limit);
            CHECK_MESSAGE(skew <= limit, named.name << ": V is off by " << skew << ", allowed " << limit);
        }
    }
}

template <class T>
Named random_named(std::int64_t m, std::int64_t n, std::int64_t batch) {
    return {std::to_string(m) + " x " + std::to_string(n) + ", batch " + std::to_string(batch),
            random_batch<T>(m, n, batch)};
}

/// a + a^H, or a a^H, of each matrix.
Named hermitian(Named named, bool squared) {
    for (Dense& a : named.matrices) a = (squared ? Dense(a * a.adjoint()) : Dense(a + a.adjoint())).eval();
    return named;
}

/// Each alone, and all of them in one batch.
template <class F>
void for_difficult(std::vector<Named> all, const F& check) {
    Named together{"all of them", {}};
    for (const Named& named : all) {
        check(named);
        together.matrices.push_back(named.matrices[0]);
    }
    check(together);
}

template <class T>
void check_all() {
    for (const std::int64_t n : extents)
        for (const std::int64_t batch : {1, 3}) {
            check_cholesky<T>(n, batch);
            check_lu<T>(n, batch);
            check_eigh<T>(hermitian(random_named<T>(n, n, batch), false));
            check_qr<T>(random_named<T>(n, n, batch), false);
            check_qr<T>(random_named<T>(n + 7, n, batch), true);
            check_qr<T>(random_named<T>(n + 7, n, batch), false);
            check_qr<T>(random_named<T>(n, 2 * n, batch), false);
        }
    for_difficult(difficult<T>(40, 24), [](const Named& named) {
        check_qr<T>(named, false);
        check_qr<T>(named, true);
    });
    for (const std::int64_t n : {24, 60})
        for_difficult(difficult<T>(n, n), [](const Named& named) {
            check_eigh<T>(hermitian(named, false));
            check_eigh<T>(hermitian(named, true));
        });
}

}  // namespace

TEST_CASE("Cholesky, LU, QR and eigenvalues are right to 10 n eps, one by one and in batches") {
    SUBCASE("float32") { check_all<float>(); }
    SUBCASE("float64") { check_all<double>(); }
    SUBCASE("complex64") { check_all<std::complex<float>>(); }
    SUBCASE("complex128") { check_all<std::complex<double>>(); }
}

TEST_CASE("info codes tell which minor isn't positive and which pivot is zero") {
    Dense indefinite = Dense::Identity(6, 6);
    indefinite(3, 3) = -1;
    const Dense good = Dense::Identity(6, 6);
    CHECK(linear_algebra().cholesky(problem<double>(), 6, Stack<double>({indefinite}).data()) == Info{4});
    CHECK(linear_algebra().cholesky(problem<float>(2), 6, Stack<float>({good, indefinite}).data()) == Info{0, 4});
    Dense singular = Dense::Identity(6, 6);
    singular(2, 2) = 0;
    const OnGpu<std::int32_t> pivots(12);
    CHECK(linear_algebra().lu(problem<double>(), 6, Stack<double>({singular}).data(), pivots.data()) == Info{3});
    CHECK(linear_algebra().lu(problem<float>(2), 6, Stack<float>({singular, good}).data(), pivots.data()) ==
          Info{3, 0});
}
