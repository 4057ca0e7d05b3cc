// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/matmul.hpp>
#include <gpu/statistics.hpp>

/// @file
/// Factorisations and linear equations: cuSOLVER on a GPU, Eigen on the host. Results work with structured bindings.
///
/// The last two axes are matrices; axes before them are a batch. Integers become double; floats of 16 bits are refused.
/// Results are new row-major arrays. All of these but determinants wait for the device, to check the solver's info
/// codes: a failure is a LinAlgError that names the matrix.
///
/// If a matrix contains a NaN or an infinity, the same happens on every device: svd, svdvals, lstsq, pinv, eigh,
/// eigvalsh, cholesky (in the triangle that is read) and norms made of singular values throw a LinAlgError; solve, inv,
/// det, slogdet and qr give NaN in all results for this matrix, and don't affect the rest of its batch. If a right-hand
/// side contains one, lstsq throws, and solve gives no finite number in its column.

namespace gpu::linalg {

/// The type of singular values and real eigenvalues that belongs to matrices of T.
template <Element T>
using RealOf = typename detail::CppType<real_dtype(dtype_of<T>)>::type;

/// How a singular value decomposition is computed.
///
/// `Auto` picks the method that was measured to be fastest for this shape. QR (LAPACK's method; divide and conquer on
/// the host) always works; it is tried if another one doesn't converge. Jacobi is accurate for small values and fast
/// for small matrices. Polar is for large matrices on a GPU; the host uses QR instead. TallQR factors a tall matrix
/// first and decomposes its R.
enum class SvdDriver : std::uint8_t { Auto, QR, Jacobi, Polar, TallQR };

struct SvdOptions {
    Flag full_matrices = false;  ///< U and Vt are square
    Flag compute_uv = true;      ///< otherwise U and Vt come without elements
    SvdDriver driver = SvdDriver::Auto;
};
/// A = U diag(S) Vt, S in decreasing order. Vt is V's conjugate transpose.
template <Element T>
struct Svd {
    Array<T> U;
    Array<RealOf<T>> S;
    Array<T> Vt;
};

/// The parts of Q and R that are computed for an m x n matrix: min(m, n) columns of Q, all m, or R alone (Q comes
/// without elements).
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
    Flag upper = false;  ///< read the upper triangle instead of the lower one
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

/// The kinds of matrix norms: Frobenius; the sum of singular values; the largest or smallest sum of absolute values of
/// a column or of a row; the largest or smallest singular value.
enum class MatrixNorm : std::uint8_t { fro, nuc, one, minus_one, inf, minus_inf, two, minus_two };

struct MatrixNormOptions {
    MatrixNorm ord = MatrixNorm::fro;
    Flag keepdims = false;
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

namespace gpu::linalg {

/// @cond internal
template <detail::ArrayLike A>
using Factored = detail::Floating<detail::LazyElement<A>>;
template <detail::ArrayLike A, detail::ArrayLike B>
using Solved = detail::Floating<detail::Common<A, B>>;
/// @endcond

/// Solves a x = b for x. `b` is a vector, or a matrix whose columns are right-hand sides; batches broadcast.
/// @throws LinAlgError for shapes that don't fit, or a singular matrix
/// @snippet linalg/solve_test.cpp solve
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto solve(const A& a, const B& b) {
    using T = Solved<A, B>;
    return Array<T>(detail::solve(dtype_of<T>, detail::to_node(a), detail::to_node(b)));
}

/// The inverse. To solve equations, solve() is faster and more accurate. @throws LinAlgError for a singular matrix
/// @snippet linalg/solve_test.cpp inv
template <detail::ArrayLike A>
[[nodiscard]] auto inv(const A& a) {
    return Array<Factored<A>>(detail::inv(dtype_of<Factored<A>>, detail::to_node(a)));
}

/// The determinant; 0 for a singular matrix, if elimination meets a zero pivot. @throws LinAlgError
/// @snippet linalg/solve_test.cpp det
template <detail::ArrayLike A>
[[nodiscard]] auto det(const A& a) {
    return Array<Factored<A>>(detail::det(dtype_of<Factored<A>>, detail::to_node(a)));
}

/// The determinant's sign and the logarithm of its absolute value, for determinants that would overflow. @throws
/// LinAlgError
/// @snippet linalg/solve_test.cpp det
template <detail::ArrayLike A>
[[nodiscard]] auto slogdet(const A& a) {
    using T = Factored<A>;
    auto [sign, logabsdet] = detail::slogdet(dtype_of<T>, detail::to_node(a));
    return Slogdet<T>{Array<T>(sign), Array<RealOf<T>>(logabsdet)};
}

/// The lower triangular L with a = L L^H. Only the lower triangle of `a` is read.
/// @throws LinAlgError if the matrix isn't positive definite, with the leading minor that isn't
/// @snippet linalg/solve_test.cpp cholesky
template <detail::ArrayLike A>
[[nodiscard]] auto cholesky(const A& a) {
    return Array<Factored<A>>(detail::cholesky(dtype_of<Factored<A>>, detail::to_node(a)));
}

/// An orthonormal Q and an upper triangular R with a = Q R. @throws LinAlgError
/// @snippet linalg/qr_test.cpp qr
template <detail::ArrayLike A>
[[nodiscard]] auto qr(const A& a, const QrOptions& options = {}) {
    using T = Factored<A>;
    auto [q, r] = detail::qr(dtype_of<T>, detail::to_node(a), options.mode);
    return Qr<T>{Array<T>(q), Array<T>(r)};
}

/// Eigenvalues and orthonormal eigenvectors of symmetric or Hermitian matrices; reads one triangle.
/// @throws LinAlgError if the iteration doesn't converge, or for a NaN or an infinity
/// @snippet linalg/eigh_test.cpp eigh
template <detail::ArrayLike A>
[[nodiscard]] auto eigh(const A& a, const EighOptions& options = {}) {
    using T = Factored<A>;
    auto [values, vectors] = detail::eigh(dtype_of<T>, detail::to_node(a), options.upper, true);
    return Eigh<T>{Array<RealOf<T>>(values), Array<T>(vectors)};
}
/// The eigenvalues alone, in increasing order. @throws LinAlgError
/// @snippet linalg/eigh_test.cpp eigh
template <detail::ArrayLike A>
[[nodiscard]] auto eigvalsh(const A& a, const EighOptions& options = {}) {
    using T = Factored<A>;
    return Array<RealOf<T>>(detail::eigh(dtype_of<T>, detail::to_node(a), options.upper, false).first);
}

/// The singular value decomposition a = U diag(S) Vt; thin unless the options say otherwise.
/// @throws LinAlgError if no driver converges, or for a NaN or an infinity
/// @snippet linalg/svd_test.cpp svd
template <detail::ArrayLike A>
[[nodiscard]] auto svd(const A& a, const SvdOptions& options = {}) {
    using T = Factored<A>;
    auto [u, s, vt] = detail::svd(dtype_of<T>, detail::to_node(a), options);
    return Svd<T>{Array<T>(u), Array<RealOf<T>>(s), Array<T>(vt)};
}
/// @cond internal
template <detail::ArrayLike A, std::same_as<bool> B>
auto svd(const A& a, B) {
    static_assert(sizeof(B) == 0,
                  "an option is named: write gpu::linalg::svd(a, {.full_matrices = true}), or gpu::linalg::svdvals(a)");
    return linalg::svd(a);
}
/// @endcond
/// The singular values alone, in decreasing order. @throws LinAlgError
/// @snippet linalg/svd_test.cpp svd
template <detail::ArrayLike A>
[[nodiscard]] auto svdvals(const A& a) {
    using T = Factored<A>;
    return Array<RealOf<T>>(detail::svd(dtype_of<T>, detail::to_node(a), {.compute_uv = false}).s);
}

/// Least squares: the shortest x that minimises |a x - b|, for one matrix of any rank; `b` is a vector, or a matrix
/// whose columns are right-hand sides. Uses singular values. @throws LinAlgError
/// @snippet linalg/lstsq_test.cpp lstsq
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto lstsq(const A& a, const B& b, const RankOptions& options = {}) {
    using T = Solved<A, B>;
    auto [x, residuals, s, rank] = detail::lstsq(dtype_of<T>, detail::to_node(a), detail::to_node(b), options.rcond);
    return Lstsq<T>{Array<T>(x), Array<RealOf<T>>(residuals), rank, Array<RealOf<T>>(s)};
}
/// The same with NumPy's third argument. @snippet linalg/lstsq_test.cpp lstsq
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto lstsq(const A& a, const B& b, double rcond) {
    return linalg::lstsq(a, b, RankOptions{.rcond = rcond});
}

/// The pseudo-inverse: solves and gives least squares in one matrix. @throws LinAlgError
/// @snippet linalg/lstsq_test.cpp pinv
template <detail::ArrayLike A>
[[nodiscard]] auto pinv(const A& a, const RankOptions& options = {}) {
    return Array<Factored<A>>(detail::pinv(dtype_of<Factored<A>>, detail::to_node(a), options.rcond));
}
/// The same with NumPy's second argument. @snippet linalg/lstsq_test.cpp pinv
template <detail::ArrayLike A>
[[nodiscard]] auto pinv(const A& a, double rcond) {
    return linalg::pinv(a, RankOptions{.rcond = rcond});
}

/// The norm of each matrix in the last two axes; norm() has those of vectors. @throws LinAlgError
/// @snippet linalg/matrix_norm_test.cpp matrix_norm
template <detail::ArrayLike A>
[[nodiscard]] auto matrix_norm(const A& a, const MatrixNormOptions& options = {}) {
    using T = Factored<A>;
    return Array<RealOf<T>>(detail::matrix_norm(dtype_of<T>, detail::to_node(a), options));
}

/// The matrix times itself, `n` factors in all, by repeated squaring; for n = 0 the identity, for a negative n a power
/// of the inverse. Integers wrap around.
/// @throws LinAlgError unless matrices are square; for a negative power of integers, or of a singular matrix
/// @snippet linalg/matrix_power_test.cpp matrix_power
template <detail::ArrayLike A>
[[nodiscard]] auto matrix_power(const A& a, std::int64_t n) {
    using T = detail::ProductOf<A, A>;
    const auto& given = a.eval();
    const Shape& shape = given.shape();
    const int rank = shape.rank();
    if (rank < 2 || shape[rank - 1] != shape[rank - 2])
        throw LinAlgError("matrix_power: an array of shape " + to_string(shape) + "; it takes square matrices");
    Array<T> factor = given, power;
    if (n < 0) {
        if constexpr (is_floating(dtype_of<T>) || is_complex(dtype_of<T>))
            factor = inv(given);
        else
            throw LinAlgError("matrix_power: a negative power of integers: write x.astype<double>()");
    } else if (n == 0) {
        return Array<T>(gpu::eye<T>(shape[rank - 1]).broadcast_to(shape));
    }
    // The bits of |n|, without the overflow of -n.
    auto left = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    bool is_begun = false;
    for (; left != 0; left >>= 1) {
        if ((left & 1) != 0) power = is_begun ? Array<T>(gpu::matmul(power, factor)) : factor;
        is_begun = is_begun || (left & 1) != 0;
        if (left > 1) factor = gpu::matmul(factor, factor);
    }
    return power;
}

}  // namespace gpu::linalg

/// @cond internal
namespace gpu {
#define GPU_IN_LINALG(function)                                                                                  \
    template <detail::ArrayLike A, class... B>                                                                   \
    int function(const A&, const B&...) {                                                                        \
        static_assert(sizeof(A) == 0, "decompositions are in gpu::linalg: write gpu::linalg::" #function "(a)"); \
        return 0;                                                                                                \
    }
GPU_IN_LINALG(svd)
GPU_IN_LINALG(qr)
GPU_IN_LINALG(eigh)
GPU_IN_LINALG(cholesky)
GPU_IN_LINALG(inv)
GPU_IN_LINALG(solve)
GPU_IN_LINALG(det)
GPU_IN_LINALG(matrix_power)
#undef GPU_IN_LINALG
}  // namespace gpu
/// @endcond
