// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/norm.hpp>

/// @file
/// Options and results of the factorisations. Each result works with structured bindings.

namespace gpu::linalg {

/// The type of singular values and real eigenvalues that belongs to matrices of T.
template <Element T>
using RealOf = typename detail::CppType<real_dtype(dtype_of<T>)>::type;

/// How a singular value decomposition is computed.
///
/// `Auto` takes what was measured to be fastest for this shape. QR (LAPACK's way; divide and conquer on the host)
/// always works; it is tried where another one doesn't converge. Jacobi is accurate for small values, fast for small
/// matrices. Polar is for large matrices on a GPU; the host answers it as QR. TallQR factors a tall matrix first and
/// decomposes its R.
enum class SvdDriver : std::uint8_t { Auto, QR, Jacobi, Polar, TallQR };

struct SvdOptions {
    bool full_matrices = false;  ///< U and Vt are square
    bool compute_uv = true;      ///< else U and Vt come without elements
    SvdDriver driver = SvdDriver::Auto;
};
/// A = U diag(S) Vt, S in decreasing order. Vt is V's conjugate transpose.
template <Element T>
struct Svd {
    Array<T> U;
    Array<RealOf<T>> S;
    Array<T> Vt;
};

/// What of Q and R is computed for an m x n matrix: min(m, n) columns of Q, all m, or R alone (Q comes without
/// elements).
enum class QrMode : std::uint8_t { reduced, complete, r };

struct QrOptions {
    QrMode mode = QrMode::reduced;
};
/// A = Q R; R is upper triangular.
template <Element T>
struct Qr {
    Array<T> Q, R;
};

struct EighOptions {
    bool upper = false;  ///< read the upper triangle instead of the lower one
};
/// A = V diag(values) V^H, values in increasing order; column k of `vectors` belongs to value k.
template <Element T>
struct Eigh {
    Array<RealOf<T>> values;
    Array<T> vectors;
};

/// Singular values up to `rcond` times the largest count as 0; below 0: eps times the larger extent.
struct RankOptions {
    double rcond = -1;
};
/// The x that minimises |A x - b|; the shortest one if there are several.
template <Element T>
struct Lstsq {
    Array<T> solution;
    Array<RealOf<T>>
        residuals;  ///< |A x - b|² of each column, if A has full rank and more rows than columns; else none
    std::int64_t rank;
    Array<RealOf<T>> singular_values;
};

/// The determinant as sign * exp(logabsdet).
template <Element T>
struct Slogdet {
    Array<T> sign;  ///< for complex matrices a number of magnitude 1; 0 if the matrix is singular
    Array<RealOf<T>> logabsdet;
};

/// Which norm of a matrix: Frobenius'; the sum of singular values; the largest or smallest sum of absolute values of a
/// column, of a row; the largest or smallest singular value.
enum class MatrixNorm : std::uint8_t { fro, nuc, one, minus_one, inf, minus_inf, two, minus_two };

struct MatrixNormOptions {
    MatrixNorm ord = MatrixNorm::fro;
    bool keepdims = false;
};

}  // namespace gpu::linalg

/// @cond internal
namespace gpu::detail {

struct CorePair {
    ArrayCore first, second;
};
struct SvdCores {
    ArrayCore u, s, vt;
};
struct LstsqCores {
    ArrayCore solution, residuals, singular_values;
    std::int64_t rank;
};

GPU_API ArrayCore solve(DType type, const NodePointer& a, const NodePointer& b);
GPU_API ArrayCore inv(DType type, const NodePointer& a);
GPU_API ArrayCore det(DType type, const NodePointer& a);
GPU_API CorePair slogdet(DType type, const NodePointer& a);
GPU_API ArrayCore cholesky(DType type, const NodePointer& a);
GPU_API CorePair qr(DType type, const NodePointer& a, linalg::QrMode mode);
GPU_API CorePair eigh(DType type, const NodePointer& a, bool upper, bool vectors);
GPU_API SvdCores svd(DType type, const NodePointer& a, const linalg::SvdOptions& options);
GPU_API LstsqCores lstsq(DType type, const NodePointer& a, const NodePointer& b, double rcond);
GPU_API ArrayCore pinv(DType type, const NodePointer& a, double rcond);
GPU_API ArrayCore matrix_norm(DType type, const NodePointer& a, const linalg::MatrixNormOptions& options);

}  // namespace gpu::detail
/// @endcond
