// SPDX-License-Identifier: MIT
// A solver that fails where it is told to stands before the device's own.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "linalg/host_matrix.hpp"
#include "linalg/matrix_stack.hpp"

namespace {

using gpu::detail::LinearAlgebra;
using gpu::detail::MatrixBatch;
using gpu::detail::MatrixProblem;
using gpu::detail::SvdMethod;
using gpu::detail::SvdPlan;
using gpu::detail::SvdVectors;

class Failing final : public LinearAlgebra {
public:
    Failing() : own_(gpu::detail::linear_algebra_of(gpu::Device::current())) {
        gpu::detail::replace_linear_algebra(this);
    }
    ~Failing() override { gpu::detail::replace_linear_algebra(nullptr); }
    Failing(const Failing&) = delete;
    Failing& operator=(const Failing&) = delete;

    std::vector<SvdMethod> fails;  ///< that don't converge for the last matrix
    std::vector<SvdMethod> asked;  ///< in this order
    SvdMethod fastest = SvdMethod::jacobi;
    std::int64_t code = 1;
    std::size_t memory = 0;  ///< of a block: above 0, small matrices are decomposed by libgpu's own kernel

    void matmul(const MatrixProblem& problem, const MatrixBatch& left, const MatrixBatch& right,
                const MatrixBatch& result) override {
        own_.matmul(problem, left, right, result);
    }
    Info cholesky(const MatrixProblem& problem, std::int64_t, void*) override { return last(problem); }
    Info lu(const MatrixProblem& problem, std::int64_t, void*, std::int32_t*) override { return last(problem); }
    void lu_solve(const MatrixProblem&, std::int64_t, const void*, const std::int32_t*, std::int64_t, void*) override {
        FAIL("nothing is solved by factors that failed");
    }
    Info qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, std::int64_t columns,
            void* q) override {
        return own_.qr(problem, m, n, a, columns, q);
    }
    Info eigh(const MatrixProblem& problem, std::int64_t, void*, void*, bool) override { return last(problem); }
    Info svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, SvdVectors vectors,
             SvdMethod method, void* u, void* s, void* vh) override {
        asked.push_back(method);
        Info info = own_.svd(problem, m, n, a, vectors, method, u, s, vh);
        if (std::find(fails.begin(), fails.end(), method) != fails.end()) info.back() = code;
        return info;
    }
    SvdPlan fastest_svd(const MatrixProblem&, std::int64_t, std::int64_t, SvdVectors) const override {
        return {fastest};
    }
    std::size_t block_memory(int) const override { return memory; }

private:
    Info last(const MatrixProblem& problem) const {
        Info info(static_cast<std::size_t>(problem.batch), 0);
        info.back() = code;
        return info;
    }
    LinearAlgebra& own_;
};

}  // namespace

TEST_CASE("svd falls back to Jacobi and to QR where another driver doesn't converge, and is right") {
    HostMatrix matrix = random_matrix(20, 6, false, 71);
    const auto a = on_device<double>(matrix);
    const auto expected = numbers_of(gpu::linalg::svdvals(a));
    for (const auto driver : {gpu::linalg::SvdDriver::Auto, gpu::linalg::SvdDriver::Jacobi,
                              gpu::linalg::SvdDriver::Polar, gpu::linalg::SvdDriver::TallQR}) {
        Failing solver;
        solver.fails = {SvdMethod::jacobi, SvdMethod::polar};
        const auto [u, s, vt] = gpu::linalg::svd(a, {.driver = driver});
        const auto tried = driver == gpu::linalg::SvdDriver::Polar
                               ? std::vector<SvdMethod>{SvdMethod::polar, SvdMethod::jacobi, SvdMethod::qr}
                               : std::vector<SvdMethod>{SvdMethod::jacobi, SvdMethod::qr};
        CHECK(solver.asked == tried);
        HostMatrix middle = diagonal(numbers_of(s));
        CHECK(size_of(matrix_of(u) * middle * matrix_of(vt) - matrix) < 1e-13);
        for (std::size_t k = 0; k < expected.size(); ++k) CHECK(numbers_of(s)[k] == doctest::Approx(expected[k]));
    }
}

TEST_CASE("svd asks no library where libgpu's own kernel is the fastest") {
    using gpu::linalg::SvdDriver;
    Failing solver;
    solver.memory = 100000;
    const auto check = [](const gpu::Array<float>& a, bool full) {
        const auto [u, s, vt] = gpu::linalg::svd(a, {.full_matrices = full});
        const auto in = matrices_of(a), left = matrices_of(u), right = matrices_of(vt);
        const std::vector<double> values = numbers_of(s);
        const std::size_t k = values.size() / in.size();
        for (std::size_t item = 0; item < in.size(); ++item) {
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(item * k);
            const HostMatrix middle = diagonal({first, first + static_cast<std::ptrdiff_t>(k)});
            CHECK(size_of(left[item] * middle * right[item] - in[item]) < 1e-5);
            CHECK(skewness(left[item]) < 1e-5);
        }
        CHECK(numbers_of(gpu::linalg::svdvals(a)) == values);
    };
    HostMatrix tall = random_matrix(9, 4, false, 72), wide = random_matrix(3, 8, false, 73);
    HostMatrix batch = random_matrix(3 * 6, 6, false, 74);
    check(on_device<float>(tall), false);
    check(on_device<float>(wide), false);
    check(on_device<float>(batch).reshape({3, 6, 6}), true);
    CHECK(solver.asked.empty());
    (void)gpu::linalg::svd(on_device<float>(tall), {.full_matrices = true});  // a square U isn't its business
    (void)gpu::linalg::svd(on_device<float>(tall), {.driver = SvdDriver::QR});
    (void)gpu::linalg::svd(gpu::eye<float>(65));
    CHECK(solver.asked == std::vector<SvdMethod>{SvdMethod::jacobi, SvdMethod::qr, SvdMethod::jacobi});
}

TEST_CASE("without convergence nothing is silent") {
    Failing solver;
    solver.fails = {SvdMethod::jacobi, SvdMethod::qr};
    const auto batch = gpu::ones<float>({2, 3, 4, 2});
    CHECK_THROWS_WITH_AS((void)gpu::linalg::svd(batch),
                         "svd: the singular values of matrix (1,2) of the batch of shape (2,3,4,2) did not converge",
                         gpu::LinAlgError);
    CHECK(solver.asked == std::vector<SvdMethod>{SvdMethod::jacobi, SvdMethod::qr});
    CHECK_THROWS_WITH_AS((void)gpu::linalg::svd(gpu::ones<float>({3, 3}), {.driver = gpu::linalg::SvdDriver::QR}),
                         "svd: the singular values of the matrix of shape (3,3) did not converge", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::pinv(gpu::ones<float>({3, 3})),
                         "pinv: the singular values of the matrix of shape (3,3) did not converge", gpu::LinAlgError);
    CHECK_THROWS_AS((void)gpu::linalg::lstsq(gpu::ones<float>({3, 3}), gpu::ones<float>({3})), gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::eigh(gpu::ones<float>({2, 3, 3})),
                         "eigh: the iteration for matrix (1,) of the batch of shape (2,3,3) did not converge",
                         gpu::LinAlgError);
    solver.code = -4;  // what LAPACK says of an argument
    CHECK_THROWS_WITH_AS((void)gpu::linalg::cholesky(gpu::eye<float>(2)),
                         "cholesky: the solver refused its argument number 4", gpu::Error);
    CHECK_THROWS_AS((void)gpu::linalg::solve(gpu::eye<float>(2), gpu::ones<float>({2})), gpu::Error);
    CHECK_THROWS_AS((void)gpu::linalg::svd(gpu::eye<float>(2)), gpu::Error);
}
