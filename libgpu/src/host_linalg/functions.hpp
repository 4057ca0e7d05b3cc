// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "host/linear_algebra.hpp"

// Written twice: over Eigen, whose decompositions take so long to compile that each unit has one element type, and over
// OpenBLAS, in lapack/. CMakeLists.txt chooses.
namespace gpu::host_linalg {

using Info = std::int64_t;
using Matrix = detail::host::LinalgMatrix;

template <class T>
void matmul(const Matrix& left, const Matrix& right, const Matrix& result);
template <class T>
Info cholesky(std::int64_t n, void* a);
template <class T>
Info lu(std::int64_t n, void* a, std::int32_t* pivots);
template <class T>
void lu_solve(std::int64_t n, const void* lu, const std::int32_t* pivots, std::int64_t columns, void* b);
template <class T>
Info qr(std::int64_t m, std::int64_t n, void* a, std::int64_t q_columns, void* q);
template <class T>
Info eigh(std::int64_t n, void* a, void* values, bool vectors);
template <class T>
Info svd(std::int64_t m, std::int64_t n, void* a, std::int64_t u_columns, void* u, void* s, void* vh);
template <class T>
Info svd_jacobi(std::int64_t m, std::int64_t n, void* a, std::int64_t u_columns, void* u, void* s, void* vh);

/// OpenBLAS's alone: Eigen starts no threads.
void use_threads(int count);

/// Matrices of half or bfloat16, multiplied as floats and rounded once.
template <class T>
void matmul_short(const Matrix& left, const Matrix& right, const Matrix& result);

/// Integers as wide as U, which wrap around as in libgpu's kernels.
template <class U>
void matmul_whole(const Matrix& left, const Matrix& right, const Matrix& result);

}  // namespace gpu::host_linalg
