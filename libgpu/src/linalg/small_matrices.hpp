// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/linalg.hpp>

#include "linalg/matrix_stack.hpp"

// Batches of small square matrices in one launch of libgpu's own kernels (codegen/small_matrix_text), on any device.
namespace gpu::detail {

/// True if the device takes n x n systems this way.
[[nodiscard]] bool is_small_system(Device device, DType type, std::int64_t n);
/// True if it takes eigenvalues of such matrices this way.
[[nodiscard]] bool is_small_eigh(Device device, DType type, const Shape& batch, std::int64_t n, bool vectors);

struct SmallSolution {
    ArrayCore x;               ///< row-major; NaN for matrices with a NaN or an infinity
    std::int64_t failed = -1;  ///< the first singular matrix of the batch
    std::int64_t pivot = 0;    ///< which of its pivots is 0, from 1
};
/// Solves a x = b, both broadcast to the batch; inverts a if b is null. Waits.
[[nodiscard]] SmallSolution small_solution(DType type, const Shape& batch, const NodePointer& a, const NodePointer& b);

/// Determinants; NaN for matrices with a NaN or an infinity, 0 for singular ones.
[[nodiscard]] ArrayCore small_det(DType type, const Shape& batch, const NodePointer& a);
/// Their signs and the logarithms of their magnitudes.
[[nodiscard]] CorePair small_slogdet(DType type, const Shape& batch, const NodePointer& a);

struct SmallEigh {
    ArrayCore values, vectors;     ///< row-major; no vectors unless wanted
    std::int64_t not_finite = -1;  ///< the first matrix with a NaN or an infinity
    bool converged = true;
};
/// Eigenvalues of the matrices' lower or upper triangles. Waits.
[[nodiscard]] SmallEigh small_eigh(DType type, const Shape& batch, const NodePointer& a, bool upper, bool vectors);

}  // namespace gpu::detail
