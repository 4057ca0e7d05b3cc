// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <gpu/array_core.hpp>

#include "linalg/matrix_stack.hpp"

namespace gpu::detail {

/// True if this much shared memory holds a thin decomposition of such matrices (m >= n).
[[nodiscard]] bool is_small_svd(DType dtype, std::int64_t m, std::int64_t n, bool vectors, std::size_t block_memory);

/// Thin decompositions of small matrices, all in one launch of libgpu's own kernel (codegen/small_matrix_text), on any
/// device. Leaves the matrices unchanged; without vectors, u and vh are null. Waits for the info codes.
[[nodiscard]] LinearAlgebra::Info small_svd(const MatrixStack& a, const MatrixStack* u, const ArrayCore& s,
                                            const MatrixStack* vh);

}  // namespace gpu::detail
