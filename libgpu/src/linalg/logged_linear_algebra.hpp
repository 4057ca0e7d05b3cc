// SPDX-License-Identifier: MIT
#pragma once

#include "backend/linalg.hpp"

#include <functional>

#include <gpu/device.hpp>

namespace gpu::detail {

class Backend;

/// A device's linear algebra, with a line in open launch logs for each call.
class LoggedLinearAlgebra final : public LinearAlgebra {
public:
    explicit LoggedLinearAlgebra(Device device);

    void matmul(const MatrixProblem& problem, const MatrixBatch& left, const MatrixBatch& right,
                const MatrixBatch& result) override;
    [[nodiscard]] Info cholesky(const MatrixProblem& problem, std::int64_t n, void* a) override;
    [[nodiscard]] Info lu(const MatrixProblem& problem, std::int64_t n, void* a, std::int32_t* pivots) override;
    void lu_solve(const MatrixProblem& problem, std::int64_t n, const void* lu, const std::int32_t* pivots,
                  std::int64_t columns, void* b) override;
    [[nodiscard]] Info qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, std::int64_t q_columns,
                          void* q) override;
    [[nodiscard]] Info eigh(const MatrixProblem& problem, std::int64_t n, void* a, void* values, bool vectors) override;
    [[nodiscard]] Info svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, SvdVectors vectors,
                           SvdMethod method, void* u, void* s, void* vh) override;
    /// Logs a line of that name for work on m x n matrices that the library doesn't do.
    void run(const MatrixProblem& problem, const char* name, std::int64_t m, std::int64_t n,
             const std::function<void()>& work);
    [[nodiscard]] SvdPlan fastest_svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n,
                                      SvdVectors vectors) const override {
        return library_.fastest_svd(problem, m, n, vectors);
    }
    [[nodiscard]] std::size_t block_memory(int device) const override { return library_.block_memory(device); }

private:
    LinearAlgebra& library_;
    Backend& backend_;
};

}  // namespace gpu::detail
