// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/linalg.hpp>

#include "linalg/matrix_stack.hpp"

namespace gpu::detail {

struct QrFactors {
    ArrayCore r;  ///< row-major: as many rows as Q has columns, or min(m, n)
    MatrixStack q;
};
/// Factors the matrices, which are destroyed, and computes this many columns of Q: none, min(m, n) or m.
QrFactors qr_factors(const MatrixStack& a, const Shape& batch, std::int64_t q_columns);

/// svd() on behalf of `operation`, which messages name. The value is in memory and of this type.
SvdCores singular_values(const char* operation, DType type, const NodePointer& a, const linalg::SvdOptions& options);

/// 1 / s, and 0 where s is at most the limit: such singular values count as 0.
NodePointer reciprocals(const SvdCores& svd, const Shape& shape, double rcond);
/// Which singular values count.
NodePointer counting(const SvdCores& svd, const Shape& shape, double rcond);

}  // namespace gpu::detail
