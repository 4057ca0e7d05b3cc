// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

// Singular values of small matrices: one block per matrix, by one-sided Jacobi rotations in shared memory.
namespace gpu::detail {

/// The maximum number of columns: a block rotates all pairs of columns at once, with 8 threads each.
inline constexpr std::int64_t jacobi_columns = 64;

/// svd_jacobi(const E* a, E* u, R* s, E* vh, int* info, int m, int n, int vectors): thin decompositions A = U diag(s)
/// V^H of consecutive column-major m x n matrices with n <= m; u and vh aren't touched if `vectors` is 0. Values are
/// non-negative and descending. Columns of U for zero values are completed to orthonormal ones. info is 0, or n + 1 for
/// a matrix that didn't converge.
///
/// Hestenes, "Inversion of matrices by biorthogonalization and related results", 1958; Demmel and Veselić, "Jacobi's
/// method is more accurate than QR", 1992.
RawText jacobi_text(DType element);
/// Threads per block for n columns, a multiple of 32.
std::uint32_t jacobi_threads(std::int64_t n);
/// The dynamic shared memory in bytes.
std::int64_t jacobi_bytes(DType element, std::int64_t m, std::int64_t n, bool vectors);

}  // namespace gpu::detail
