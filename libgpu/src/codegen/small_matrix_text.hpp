// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

// Kernels for batches of small matrices, which libraries take one by one, or with several launches and copies.
namespace gpu::detail {

/// The maximum number of columns of a singular value decomposition: a block rotates all pairs of columns at once, with
/// 8 threads each.
inline constexpr std::int64_t jacobi_columns = 64;

/// svd_jacobi(const E* a, E* u, R* s, E* vh, int* info, int m, int n, int vectors): thin decompositions A = U diag(s)
/// V^H of consecutive column-major m x n matrices with n <= m; u and vh aren't touched if `vectors` is 0. Values are
/// non-negative and descending. Columns of U for zero values are completed to orthonormal ones. info is 0, or n + 1 for
/// a matrix that didn't converge. One block per matrix.
///
/// Hestenes, "Inversion of matrices by biorthogonalization and related results", 1958; Demmel and Veselić, "Jacobi's
/// method is more accurate than QR", 1992.
RawText jacobi_text(DType element);
/// Threads per block for n columns, a multiple of 32.
std::uint32_t jacobi_threads(std::int64_t n);
/// The dynamic shared memory in bytes.
std::int64_t jacobi_bytes(DType element, std::int64_t m, std::int64_t n, bool vectors);

/// The maximum n of warp_eigh, whose threads have registers for two rows, and of block_eigh.
constexpr std::int64_t warp_eigh_rows(DType element) noexcept { return element == DType::complex128 ? 16 : 32; }
inline constexpr std::int64_t block_eigh_rows = 64;

/// warp_eigh(const E* a, R* values, E* vectors, unsigned long long* failed, int n, int upper, long long count):
/// eigenvalues and, unless null, eigenvectors of consecutive row-major n x n matrices, of which one triangle is read. A
/// text for each even number of rows, n or n + 1; matrices get small_team(n) threads each.
///
/// Jacobi, "Über ein leichtes Verfahren, die in der Theorie der Säcularstörungen vorkommenden Gleichungen numerisch
/// aufzulösen", 1846; in parallel: Brent and Luk, 1985.
RawText warp_eigh_text(DType element, std::int64_t n);
/// block_eigh: the same with one block per matrix, in shared memory, and without `count`.
RawText block_eigh_text(DType element);
std::uint32_t block_eigh_threads(std::int64_t n);
std::int64_t block_eigh_bytes(DType element, std::int64_t n, bool vectors);

/// The maximum n of small_solve and small_det. Their loops are unrolled: more would take seconds to compile.
constexpr std::int64_t elimination_rows(DType element) noexcept { return is_complex(element) ? 16 : 32; }

/// The neighbouring threads that have a small matrix with n rows, a power of two, and the threads of their blocks.
int small_team(std::int64_t n);
inline constexpr std::uint32_t small_threads = 128;
/// How many of several right-hand sides such a team takes at a time.
constexpr int elimination_sides(int team) noexcept { return team == 32 ? 2 : 4; }

/// small_solve(const E* a, const E* b, E* x, unsigned long long* failed, int n, int columns, long long count, int
/// parts): solutions of a x = b for consecutive row-major matrices, n x n and n x columns; inverses if b is null.
/// `sides` is the number of columns that a team solves for at a time; `parts` teams share a matrix's.
RawText small_solve_text(DType element, int team, int sides);
/// small_det(const E* a, E* det, E* sign, R* logarithm, int n, long long count): determinants, or (if det is null)
/// their signs and the logarithms of their magnitudes.
RawText small_det_text(DType element, int team);

}  // namespace gpu::detail
