// SPDX-License-Identifier: MIT
// libgpu's own kernels for systems, determinants and eigenvalues of small matrices, on any device.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "codegen/small_matrix_text.hpp"
#include "linalg/host_matrix.hpp"
#include "linalg/matrix_stack.hpp"
#include "linalg/singular_matrices.hpp"
#include "linalg/small_matrices.hpp"

namespace {

using gpu::detail::LinearAlgebra;
using gpu::detail::MatrixBatch;
using gpu::detail::MatrixProblem;

/// The device's own linear algebra, but for small matrices: then libgpu's kernels are at work also where they aren't
/// the fastest.
class WithSmallKernels final : public LinearAlgebra {
public:
    WithSmallKernels() : own_(gpu::detail::linear_algebra_of(gpu::Device::current())) {
        gpu::detail::replace_linear_algebra(this);
    }
    ~WithSmallKernels() override { gpu::detail::replace_linear_algebra(nullptr); }
    WithSmallKernels(const WithSmallKernels&) = delete;
    WithSmallKernels& operator=(const WithSmallKernels&) = delete;

    int calls = 0;  ///< of the library's

    void matmul(const MatrixProblem& problem, const MatrixBatch& left, const MatrixBatch& right,
                const MatrixBatch& result) override {
        own_.matmul(problem, left, right, result);
    }
    Info cholesky(const MatrixProblem& problem, std::int64_t n, void* a) override {
        return own_.cholesky(problem, n, a);
    }
    Info lu(const MatrixProblem& problem, std::int64_t n, void* a, std::int32_t* pivots) override {
        ++calls;
        return own_.lu(problem, n, a, pivots);
    }
    void lu_solve(const MatrixProblem& problem, std::int64_t n, const void* lu, const std::int32_t* pivots,
                  std::int64_t columns, void* b) override {
        ++calls;
        own_.lu_solve(problem, n, lu, pivots, columns, b);
    }
    Info qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, std::int64_t columns,
            void* q) override {
        return own_.qr(problem, m, n, a, columns, q);
    }
    Info eigh(const MatrixProblem& problem, std::int64_t n, void* a, void* values, bool vectors) override {
        ++calls;
        return own_.eigh(problem, n, a, values, vectors);
    }
    Info svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, gpu::detail::SvdVectors vectors,
             gpu::detail::SvdMethod method, void* u, void* s, void* vh) override {
        return own_.svd(problem, m, n, a, vectors, method, u, s, vh);
    }
    gpu::detail::SvdPlan fastest_svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n,
                                     gpu::detail::SvdVectors vectors) const override {
        return own_.fastest_svd(problem, m, n, vectors);
    }
    std::size_t block_memory(int) const override { return 232448; }

private:
    LinearAlgebra& own_;
};

constexpr std::int64_t sizes[] = {1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32};

template <class T>
gpu::Array<T> batch_of(std::int64_t count, std::int64_t rows, std::int64_t columns, unsigned seed) {
    HostMatrix all = random_matrix(count * rows, columns, is_complex_type<T>, seed);
    return on_device<T>(all).reshape({count, rows, columns});
}

double worst(const std::vector<HostMatrix>& a, const std::vector<HostMatrix>& x, const std::vector<HostMatrix>& b) {
    double error = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        error = std::max(error, size_of(a[k] * x[k] - b[k]) / (size_of(a[k]) * size_of(x[k])));
    return error;
}

using Numbers = std::vector<HostMatrix::Number>;
template <class T>
Numbers wide_numbers(const gpu::Array<T>& array) {
    Numbers numbers;
    for (const T& value : gpu::to_host(array)) numbers.push_back(wide(value));
    return numbers;
}

template <class T>
void check_eigh(const gpu::Array<T>& a, const std::vector<HostMatrix>& whole, bool upper) {
    const auto [values, vectors] = gpu::linalg::eigh(a, {.upper = upper});
    const std::vector<double> all = numbers_of(values), only = numbers_of(gpu::linalg::eigvalsh(a, {.upper = upper}));
    const std::vector<HostMatrix> made = matrices_of(vectors);
    REQUIRE(made.size() == whole.size());
    CHECK(only == all);
    for (std::size_t k = 0; k < whole.size(); ++k) {
        const auto n = static_cast<std::ptrdiff_t>(whole[k].rows), at = static_cast<std::ptrdiff_t>(k) * n;
        const std::vector<double> own(all.begin() + at, all.begin() + at + n);
        CHECK(std::is_sorted(own.begin(), own.end()));
        const double bound = 10 * static_cast<double>(n) * eps_of<T>();
        CHECK(size_of(whole[k] * made[k] - made[k] * diagonal(own)) <= bound * size_of(whole[k]));
        CHECK(skewness(made[k]) <= bound);
    }
}

}  // namespace

TEST_CASE("kernels solve, invert and take determinants of small matrices of every size, in batches") {
    WithSmallKernels library;
    for_each_type([](auto type) {
        using T = decltype(type);
        for (const std::int64_t n : sizes) {
            if (!gpu::detail::is_small_system(gpu::Device::current(), gpu::dtype_of<T>, n)) continue;
            CAPTURE(n);
            const std::int64_t count = 300 / n + 2;
            const gpu::Array<T> a = batch_of<T>(count, n, n, static_cast<unsigned>(n));
            const std::vector<HostMatrix> given = matrices_of(a);
            const double bound = 10 * static_cast<double>(n) * eps_of<T>();
            for (const std::int64_t columns : {1, 3, 6}) {
                const gpu::Array<T> b = batch_of<T>(count, n, columns, 7);
                CHECK(worst(given, matrices_of(gpu::linalg::solve(a, b)), matrices_of(b)) <= bound);
            }
            const std::vector<HostMatrix> ones(given.size(), identity(n));
            CHECK(worst(given, matrices_of(gpu::linalg::inv(a)), ones) <= bound);
            // det(A B) = det(A) det(B), as logarithms too.
            const gpu::Array<T> other = batch_of<T>(count, n, n, static_cast<unsigned>(n) + 100);
            const gpu::Array<T> both = gpu::matmul(a, other);
            const auto left = gpu::linalg::slogdet(a), right = gpu::linalg::slogdet(other);
            const auto product = gpu::linalg::slogdet(both);
            const Numbers l = wide_numbers(left.sign), r = wide_numbers(right.sign), p = wide_numbers(product.sign);
            const std::vector<double> x = numbers_of(left.logabsdet), y = numbers_of(right.logabsdet);
            const std::vector<double> z = numbers_of(product.logabsdet);
            const Numbers dets = wide_numbers(gpu::linalg::det(a));
            for (std::size_t item = 0; item < l.size(); ++item) {
                if (x[item] < -3 || y[item] < -3) continue;  // nearly singular
                const double loss = 4e3 * static_cast<double>(n) * eps_of<T>();
                CHECK(std::abs(l[item] * r[item] - p[item]) <= loss);
                CHECK(std::fabs(x[item] + y[item] - z[item]) <= loss * (1 + std::fabs(z[item])));
                CHECK(std::abs(dets[item] - l[item] * std::exp(x[item])) <= loss * std::exp(x[item]));
            }
        }
    });
    CHECK(library.calls == 0);
}

TEST_CASE("kernels take small matrices in any layout, and broadcast batches of them") {
    WithSmallKernels library;
    const auto a = batch_of<double>(6, 5, 5, 31).reshape({2, 3, 5, 5});
    const auto b = batch_of<double>(3, 5, 2, 32);
    const auto x = gpu::linalg::solve(a.transpose({1, 0, 3, 2}), gpu::Array<double>(b.reshape({3, 1, 5, 2})));
    CHECK(x.shape() == gpu::Shape{3, 2, 5, 2});
    const gpu::Array<double> back = gpu::matmul(a.transpose({1, 0, 3, 2}), x);
    CHECK(gpu::max(gpu::abs(back - b.reshape({3, 1, 5, 2}))).item() < 1e-12);
    const auto vector = gpu::linalg::solve(a, gpu::to_device({1., 2., 3., 4., 5.}));
    CHECK(vector.shape() == gpu::Shape{2, 3, 5});
    CHECK(gpu::linalg::det(a).shape() == gpu::Shape{2, 3});
    const auto turned = gpu::linalg::det(a.transpose({0, 1, 3, 2})), plain = gpu::linalg::det(a);
    CHECK(gpu::max(gpu::abs(turned - plain)).item() < 1e-12);
    CHECK(library.calls == 0);
    CHECK(gpu::linalg::solve(a(0, 0), gpu::ones<double>({5, 65})).shape() == gpu::Shape{5, 65});  // by the library
    CHECK(library.calls == 2);
}

TEST_CASE("kernels for small matrices pivot: every order of rows has its sign, and singular ones are named") {
    WithSmallKernels library;
    std::vector<int> order{0, 1, 2, 3, 4};
    std::vector<float> rows;
    std::vector<double> signs;
    do {
        for (const int one : order)
            for (int column = 0; column < 5; ++column) rows.push_back(column == one ? 2.F : 0.F);
        int inversions = 0;
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = i + 1; j < 5; ++j) inversions += order[i] > order[j];
        signs.push_back(inversions % 2 == 0 ? 1 : -1);
    } while (std::next_permutation(order.begin(), order.end()));
    const auto count = static_cast<std::int64_t>(signs.size());
    const auto all = gpu::to_device(rows).reshape({count, 5, 5});
    CHECK(numbers_of(gpu::linalg::slogdet(all).sign) == signs);
    const std::vector<double> dets = numbers_of(gpu::linalg::det(all));
    for (std::size_t k = 0; k < signs.size(); ++k) CHECK(dets[k] == 32 * signs[k]);

    check_singular_matrices();
    auto batch = gpu::stack<double>({gpu::eye<double>(3), gpu::ones<double>({3, 3}), gpu::zeros<double>({3, 3})});
    batch(1) = gpu::eye<double>(3) * 1e-300;
    batch(2, 1, 1) = NAN;
    const std::vector<double> inverses = numbers_of(gpu::linalg::inv(batch));
    for (std::size_t k = 0; k < inverses.size(); ++k) CHECK(std::isnan(inverses[k]) == (k >= 18));
    CHECK(inverses[9] == doctest::Approx(1e300));
    for (const double stranger : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
        gpu::Array<double> sides = gpu::ones<double>({4, 3});
        sides(2, 1) = stranger;
        const gpu::Array<double> x = gpu::linalg::solve(gpu::eye<double>(4), sides);
        CHECK_FALSE(gpu::any(gpu::isfinite(x(gpu::all, 1))).item());
        CHECK(gpu::all(gpu::isfinite(x(gpu::all, 2))).item());
    }
    CHECK(std::isnan(numbers_of(gpu::linalg::det(batch))[2]));
    CHECK(std::isnan(numbers_of(gpu::linalg::slogdet(batch).logabsdet)[2]));
    CHECK(library.calls == 0);
}

TEST_CASE("a kernel finds eigenvalues of small matrices to 10 n eps") {
    WithSmallKernels library;
    for_each_type([](auto type) {
        using T = decltype(type);
        for (Sample& sample : hermitian_samples(is_complex_type<T>)) {
            CAPTURE(sample.name);
            if (sample.matrix.rows > gpu::detail::warp_eigh_rows(gpu::dtype_of<T>)) continue;
            const gpu::Array<T> a = on_device<T>(sample.matrix);
            check_eigh<T>(gpu::tril(a), {sample.matrix}, false);
            check_eigh<T>(gpu::triu(a), {sample.matrix}, true);
        }
        for (const std::int64_t n : {1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 63, 64}) {
            if (!gpu::detail::is_small_eigh(gpu::Device::current(), gpu::dtype_of<T>, gpu::Shape{3}, n, true)) continue;
            CAPTURE(n);
            gpu::Array<T> a = batch_of<T>(3, n, n, static_cast<unsigned>(n));
            a = (a + gpu::conj(a).transpose({0, 2, 1})).eval();
            check_eigh(a, matrices_of(a), false);
        }
        const gpu::Array<T> a = batch_of<T>(1, 9, 9, 3);
        const gpu::Array<T> symmetric = a + gpu::conj(a).transpose({0, 2, 1});
        const bool is_double = sizeof(gpu::linalg::RealOf<T>) == 8;
        for (const double factor : {is_double ? 1e-300 : 1e-36, is_double ? 1e305 : 1e37}) {
            const gpu::Array<T> scaled = symmetric * T(static_cast<gpu::linalg::RealOf<T>>(factor));
            const auto values = numbers_of(gpu::linalg::eigvalsh(scaled));
            const auto expected = numbers_of(gpu::linalg::eigvalsh(symmetric));
            for (std::size_t k = 0; k < values.size(); ++k)
                CHECK(std::fabs(values[k] / factor - expected[k]) <= 100 * eps_of<T>() * 9);
        }
    });
    CHECK(library.calls == 0);
    auto bad = gpu::ones<double>({4, 3, 3});
    bad(2, 1, 0) = INFINITY;
    bad(3, 1, 1) = NAN;
    CHECK_THROWS_WITH_AS((void)gpu::linalg::eigh(bad),
                         "eigh: matrix (2,) of the batch of shape (4,3,3) has a NaN or an infinity", gpu::LinAlgError);
    bad(gpu::all, 0, 1) = NAN;  // of the triangle that isn't read
    CHECK(gpu::linalg::eigvalsh(bad(gpu::slice(0, 2))).shape() == gpu::Shape{2, 3});
}

TEST_CASE("check mode finds nothing in the kernels for small matrices, and they are logged") {
    WithSmallKernels library;
    const auto a = batch_of<double>(5, 6, 6, 41), b = batch_of<double>(5, 6, 3, 42);
    gpu::LaunchLog log;
    (void)gpu::linalg::solve(a, b);
    (void)gpu::linalg::det(a);
    (void)gpu::linalg::eigh(a);
    std::vector<std::string> names;
    for (const gpu::LaunchEntry& entry : log.entries())
        if (entry.kind == gpu::LaunchEntry::Kind::linear_algebra) names.push_back(entry.name);
    CHECK(names == std::vector<std::string>{"solve", "det", "eigh"});
    if (gpu::Device::current().kind() == gpu::BackendKind::cuda) {
        std::puts("SKIP: case: small matrices in check mode: that is the host backend's");
        return;
    }
    const gpu::CheckReport report = gpu::check([&] {
        (void)gpu::linalg::solve(a, b);
        (void)gpu::linalg::inv(a);
        (void)gpu::linalg::slogdet(a);
        (void)gpu::linalg::eigh(a);
    });
    CHECK_MESSAGE(report.clean(), report.to_text());
}
