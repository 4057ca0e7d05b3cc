// SPDX-License-Identifier: MIT
#include "linalg/logged_linear_algebra.hpp"

#include <string>

#include "launch/library_call.hpp"
#include "linalg/matrix_stack.hpp"
#include "runtime/devices/registry.hpp"

namespace gpu::detail {

namespace {

/// The extents of one matrix.
struct Extents {
    std::int64_t rows, columns;
    [[nodiscard]] std::string text() const { return std::to_string(rows) + " x " + std::to_string(columns); }
    [[nodiscard]] std::int64_t size() const { return rows * columns; }
};

Extents extents_of(const MatrixBatch& matrices) { return {matrices.rows, matrices.columns}; }

// One matrix, or two with a word between them. Texts are built only if somebody listens. A product counts as a launch.
struct Call {
    Backend& backend;
    const MatrixProblem& problem;
    const char* name;
    Extents first;
    const char* between = nullptr;
    Extents second = {};
    LedgerEntry::Kind kind = LedgerEntry::Kind::linear_algebra;

    template <class F>
    void run(const F& function) const {
        call_library(make_device(backend.kind(), problem.device), problem.stream, kind, name, [&] { return text(); },
                     function);
    }
    [[nodiscard]] LibraryCallText text() const {
        std::string text = std::string(gpu::name(problem.dtype)) + ", " + first.text();
        if (between != nullptr) text += between + second.text();
        if (problem.batch > 1) text += ", " + std::to_string(problem.batch) + " of them";
        const std::int64_t elements = problem.batch * (first.size() + second.size());
        return {text, static_cast<std::size_t>(elements) * size_of(problem.dtype)};
    }
    template <class F>
    [[nodiscard]] LinearAlgebra::Info info(const F& function) const {
        LinearAlgebra::Info result;
        run([&] { result = function(); });
        return result;
    }
};

}  // namespace

LoggedLinearAlgebra::LoggedLinearAlgebra(Device device)
    : library_(linear_algebra_of(device)), backend_(backend(device)) {}

void LoggedLinearAlgebra::matmul(const MatrixProblem& problem, const MatrixBatch& left, const MatrixBatch& right,
                                 const MatrixBatch& result) {
    const Call call{backend_, problem, "matmul",          extents_of(left),
                    " times ", extents_of(right), LedgerEntry::Kind::launch};
    call.run([&] { library_.matmul(problem, left, right, result); });
}

LinearAlgebra::Info LoggedLinearAlgebra::cholesky(const MatrixProblem& problem, std::int64_t n, void* a) {
    return Call{backend_, problem, "cholesky", {n, n}}.info([&] { return library_.cholesky(problem, n, a); });
}

LinearAlgebra::Info LoggedLinearAlgebra::lu(const MatrixProblem& problem, std::int64_t n, void* a,
                                            std::int32_t* pivots) {
    return Call{backend_, problem, "lu", {n, n}}.info([&] { return library_.lu(problem, n, a, pivots); });
}

void LoggedLinearAlgebra::lu_solve(const MatrixProblem& problem, std::int64_t n, const void* lu,
                                   const std::int32_t* pivots, std::int64_t columns, void* b) {
    const Call call{backend_, problem, "lu_solve", {n, n}, " for ", {n, columns}};
    call.run([&] { library_.lu_solve(problem, n, lu, pivots, columns, b); });
}

LinearAlgebra::Info LoggedLinearAlgebra::qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a,
                                            std::int64_t q_columns, void* q) {
    return Call{backend_, problem, "qr", {m, n}}.info([&] { return library_.qr(problem, m, n, a, q_columns, q); });
}

LinearAlgebra::Info LoggedLinearAlgebra::eigh(const MatrixProblem& problem, std::int64_t n, void* a, void* values,
                                              bool vectors) {
    return Call{backend_, problem, "eigh", {n, n}}.info([&] { return library_.eigh(problem, n, a, values, vectors); });
}

LinearAlgebra::Info LoggedLinearAlgebra::svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a,
                                             SvdVectors vectors, SvdMethod method, void* u, void* s, void* vh) {
    return Call{backend_, problem, "svd", {m, n}}.info(
        [&] { return library_.svd(problem, m, n, a, vectors, method, u, s, vh); });
}

void LoggedLinearAlgebra::run(const MatrixProblem& problem, const char* name, std::int64_t m, std::int64_t n,
                              const std::function<void()>& work) {
    Call{backend_, problem, name, {m, n}}.run(work);
}

}  // namespace gpu::detail
