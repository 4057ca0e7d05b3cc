// SPDX-License-Identifier: MIT
#include "linalg/factors.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/linalg.hpp>

#include "launch/evaluate.hpp"
#include "linalg/logged_linear_algebra.hpp"
#include "linalg/matrix_stack.hpp"
#include "linalg/products.hpp"
#include "linalg/small_matrices.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

CorePair eigh(DType type, const NodePointer& a, bool upper, bool vectors) {
    const char* const operation = vectors ? "eigh" : "eigvalsh";
    check_square_matrices(operation, a->shape, type);
    const NodePointer first = in_memory(type, a);
    const Device device = first->array.storage->device();
    const DeviceGuard guard(device);
    const Shape batch = batch_of(a->shape);
    const std::int64_t n = from_end(a->shape, 1);
    if (a->shape.size() > 0 && is_small_eigh(device, type, batch, n, vectors)) {
        const SmallEigh made = small_eigh(type, batch, first, upper, vectors);
        if (made.not_finite >= 0) throw_not_finite(operation, a->shape, made.not_finite);
        if (made.converged) return {made.values, made.vectors};
    }
    const ArrayCore values = make_array(real_dtype(type), with_vector(batch, n));
    if (a->shape.size() == 0) return {values, make_array(type, a->shape)};
    // The other triangle may hold anything, even NaN.
    const MatrixStack work(type, batch, leaf(triangle(upper ? adjoint(first) : first, 0, true)));
    work.check_finite(operation, a->shape);
    const LinearAlgebra::Info info =
        LoggedLinearAlgebra(device).eigh(work.problem(), work.rows(), work.data(), address_of(values), vectors);
    work.mark_written();
    mark_written(values);
    if (const std::int64_t failed = first_failure(operation, info); failed >= 0) {
        throw LinAlgError(std::string(operation) + ": the iteration for " + matrix_text(a->shape, failed) +
                          " did not converge");
    }
    return {values, vectors ? work.row_major() : no_elements(type)};
}

namespace {

// A window on the first rows of each matrix.
ArrayCore first_rows(ArrayCore matrices, std::int64_t rows) {
    matrices.shape[matrices.shape.rank() - 2] = rows;
    return matrices;
}

// The QR decomposition of matrices without elements, or of none: Q's columns, if any, are the identity's.
CorePair qr_of_nothing(DType type, const Shape& shape, linalg::QrMode mode) {
    const Shape batch = batch_of(shape);
    const std::int64_t m = from_end(shape, 2), n = from_end(shape, 1);
    const std::int64_t columns = mode == linalg::QrMode::complete ? m : std::min(m, n);
    const ArrayCore r =
        full(type, with_matrix(batch, columns, n), scalar_node(type, std::int64_t{0}), Layout::row_major);
    if (mode == linalg::QrMode::r) return {no_elements(type), r};
    if (mode == linalg::QrMode::complete) return {identities(type, batch, m), r};
    return {make_array(type, with_matrix(batch, m, columns)), r};
}

}  // namespace

QrFactors qr_factors(const MatrixStack& a, const Shape& batch, std::int64_t q_columns) {
    const DType type = a.problem().dtype;
    QrFactors factors{{}, MatrixStack(type, batch, a.rows(), std::max<std::int64_t>(q_columns, 0))};
    const Device device = factors.q.matrices().storage->device();
    const LinearAlgebra::Info info = LoggedLinearAlgebra(device).qr(
        a.problem(), a.rows(), a.columns(), a.data(), q_columns, q_columns > 0 ? factors.q.data() : nullptr);
    a.mark_written();
    factors.q.mark_written();
    if (first_failure("qr", info) >= 0) throw LinAlgError("qr: the solver failed");
    const std::int64_t rows = q_columns > 0 ? q_columns : std::min(a.rows(), a.columns());
    factors.r = triangle(leaf(first_rows(a.matrices(), rows)), 0, false);
    return factors;
}

CorePair qr(DType type, const NodePointer& a, linalg::QrMode mode) {
    check_matrices("qr", a->shape, type);
    const NodePointer first = in_memory(type, a);
    const DeviceGuard guard(first->array.storage->device());
    if (a->shape.size() == 0) return qr_of_nothing(type, a->shape, mode);
    const Shape batch = batch_of(a->shape);
    const std::int64_t m = from_end(a->shape, 2), n = from_end(a->shape, 1);
    std::int64_t columns = 0;
    if (mode == linalg::QrMode::reduced) columns = std::min(m, n);
    if (mode == linalg::QrMode::complete) columns = m;
    return without_non_finite(type, batch, first, [&](const MatrixStack& work, const NonFinite& non_finite) {
        const QrFactors factors = qr_factors(work, batch, columns);
        const ArrayCore r = non_finite.marked(factors.r);
        return CorePair{columns > 0 ? non_finite.marked(factors.q.row_major()) : no_elements(type), r};
    });
}

// What singular values solve: least squares, pseudo-inverses, norms of matrices.

namespace {

// s with an axis appended: batch, k, 1.
NodePointer as_column(const NodePointer& values) { return leaf(expanded(evaluate(values), -1)); }

double limit_of(const Shape& shape, DType real, double rcond) {
    if (rcond >= 0) return rcond;
    const double eps = real == DType::float32 ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                              : std::numeric_limits<double>::epsilon();
    return eps * static_cast<double>(std::max(from_end(shape, 2), from_end(shape, 1)));
}

NodePointer residuals_of(DType type, const NodePointer& a, const NodePointer& b, const ArrayCore& x) {
    const NodePointer difference = node(Op::subtract, type, type, b, leaf(matmul(type, a, leaf(x))));
    const DType real = real_dtype(type);
    return node(Op::square, real, node(is_complex(type) ? Op::magnitude : Op::abs, real, difference));
}

}  // namespace

NodePointer counting(const SvdCores& svd, const Shape& shape, double rcond) {
    const DType real = svd.s.dtype;
    ArrayCore largest = svd.s;
    largest.shape[largest.shape.rank() - 1] = std::min<std::int64_t>(1, from_end(svd.s.shape, 1));
    const NodePointer limit =
        node(Op::multiply, real, real, leaf(largest), scalar_node(real, limit_of(shape, real, rcond)));
    return node(Op::greater, DType::boolean, real, leaf(svd.s), limit);
}

NodePointer reciprocals(const SvdCores& svd, const Shape& shape, double rcond) {
    const DType real = svd.s.dtype;
    const NodePointer inverse = node(Op::divide, real, real, scalar_node(real, 1.), leaf(svd.s));
    return where_node(real, counting(svd, shape, rcond), inverse, scalar_node(real, 0.));
}

LstsqCores lstsq(DType type, const NodePointer& a, const NodePointer& b, double rcond) {
    check_matrices("lstsq", a->shape, type);
    const Shape& shape = a->shape;
    const int columns_rank = b->shape.rank();
    if (shape.rank() != 2 || columns_rank < 1 || columns_rank > 2) {
        throw LinAlgError(operation_text("lstsq", shape, b->shape) +
                          ": takes one matrix, and a vector or a matrix of right-hand sides");
    }
    if (shape[0] != b->shape[0]) {
        throw LinAlgError(operation_text("lstsq", shape, b->shape) + ": the matrix has " + std::to_string(shape[0]) +
                          " rows, the right-hand side " + std::to_string(b->shape[0]));
    }
    const NodePointer first = in_memory(type, a);
    NodePointer right = in_memory(type, b);
    const DeviceGuard guard(common_device({&first->array, &right->array}, "lstsq"));
    if (columns_rank == 1) right = leaf(expanded(right->array, 1));
    if (right->shape.size() > 0) MatrixStack(type, Shape{}, right).check_finite("lstsq", right->shape);
    const SvdCores svd = singular_values("lstsq", type, first, {});
    const ArrayCore projected = matmul(type, adjoint(leaf(svd.u)), right);
    const NodePointer scaled =
        node(Op::multiply, type, type, leaf(projected), as_column(reciprocals(svd, shape, rcond)));
    LstsqCores result{matmul(type, adjoint(leaf(svd.vt)), scaled), {}, svd.s, 0};
    const ArrayCore rank = reduce({.kind = Reduction::sum, .element = DType::int64, .result = DType::int64},
                                  counting(svd, shape, rcond), ReduceOptions{});
    read_item(rank, &result.rank);
    const DType real = real_dtype(type);
    result.residuals = no_elements(real);
    if (result.rank == shape[1] && shape[0] > shape[1]) {
        result.residuals = reduce({.kind = Reduction::sum, .element = real, .result = real},
                                  residuals_of(type, first, right, result.solution), {.axis = 0});
    }
    if (columns_rank == 1) result.solution = reshaped(result.solution, TargetShape{shape[1]});
    return result;
}

ArrayCore pinv(DType type, const NodePointer& a, double rcond) {
    check_matrices("pinv", a->shape, type);
    const NodePointer first = in_memory(type, a);
    const DeviceGuard guard(first->array.storage->device());
    const SvdCores svd = singular_values("pinv", type, first, {});
    const NodePointer scaled =
        node(Op::multiply, type, type, adjoint(leaf(svd.u)), as_column(reciprocals(svd, a->shape, rcond)));
    return matmul(type, adjoint(leaf(svd.vt)), scaled);
}

ArrayCore matrix_norm(DType type, const NodePointer& a, const linalg::MatrixNormOptions& options) {
    using linalg::MatrixNorm;
    check_matrices("matrix_norm", a->shape, type);
    const DType real = real_dtype(type);
    const ReduceOptions both{.axis = {-2, -1}, .keepdims = options.keepdims};
    if (options.ord == MatrixNorm::fro) {
        return reduce({.kind = Reduction::norm_2, .element = type, .result = real, .number = 2}, cast_node(type, a),
                      both);
    }
    const bool by_columns = options.ord == MatrixNorm::one || options.ord == MatrixNorm::minus_one;
    const bool by_rows = options.ord == MatrixNorm::inf || options.ord == MatrixNorm::minus_inf;
    if (!by_columns && !by_rows) {
        const SvdCores svd = singular_values("matrix_norm", type, in_memory(type, a), {.compute_uv = false});
        const Reduction kind = options.ord == MatrixNorm::nuc   ? Reduction::sum
                               : options.ord == MatrixNorm::two ? Reduction::max
                                                                : Reduction::min;
        const DeviceGuard guard(svd.s.storage->device());
        const ArrayCore norm = reduce({.kind = kind, .element = real, .result = real}, leaf(svd.s), {.axis = -1});
        return options.keepdims ? expanded(expanded(norm, norm.shape.rank()), norm.shape.rank() + 1) : norm;
    }
    const NodePointer size = node(is_complex(type) ? Op::magnitude : Op::abs, real, cast_node(type, a));
    const ArrayCore sums = reduce({.kind = Reduction::sum, .element = real, .result = real}, size,
                                  {.axis = by_columns ? -2 : -1, .keepdims = true});
    const bool smallest = options.ord == MatrixNorm::minus_one || options.ord == MatrixNorm::minus_inf;
    return reduce({.kind = smallest ? Reduction::min : Reduction::max, .element = real, .result = real}, leaf(sums),
                  both);
}

// What LU and Cholesky factors solve: linear systems, inverses, determinants.

namespace {

/// P A = L U of each matrix, and where elimination met a zero pivot.
struct LuFactors {
    MatrixStack factors;
    NonFinite non_finite;
    ArrayCore pivots;  ///< batch, n
    LinearAlgebra::Info info;
};

LuFactors lu_of(const char* operation, DType type, const Shape& batch, const NodePointer& a) {
    LuFactors lu = without_non_finite(type, batch, a, [&](const MatrixStack& factors, const NonFinite& non_finite) {
        LuFactors made{factors, non_finite, make_array(DType::int32, with_vector(batch, factors.rows())), {}};
        made.info = LoggedLinearAlgebra(device_of(made.pivots))
                        .lu(factors.problem(), factors.rows(), factors.data(),
                            static_cast<std::int32_t*>(address_of(made.pivots)));
        factors.mark_written();
        mark_written(made.pivots);
        return made;
    });
    (void)first_failure(operation, lu.info);
    return lu;
}

[[noreturn]] void throw_singular(const char* operation, const Shape& batch, std::int64_t n, std::int64_t item,
                                 std::int64_t pivot) {
    throw LinAlgError(std::string(operation) + ": " + matrix_text(with_matrix(batch, n, n), item) +
                      " is singular: pivot " + std::to_string(pivot) + " of its LU factors is 0");
}

// Of small matrices: right-hand sides `b`, or the inverse without them.
ArrayCore solved_small(const char* operation, DType type, const NodePointer& a, const Shape& batch,
                       const NodePointer& b) {
    const SmallSolution solution = small_solution(type, batch, a, b);
    if (solution.failed >= 0)
        throw_singular(operation, batch, from_end(a->shape, 1), solution.failed, solution.pivot);
    return solution.x;
}

// Solves for the right-hand sides in `b`, which are overwritten; returns the solutions row-major.
ArrayCore solved(const char* operation, DType type, const NodePointer& a, const Shape& batch, MatrixStack& b) {
    const LuFactors lu = lu_of(operation, type, batch, a);
    if (const std::int64_t failed = first_failure(operation, lu.info); failed >= 0)
        throw_singular(operation, batch, b.rows(), failed, lu.info[static_cast<std::size_t>(failed)]);
    LoggedLinearAlgebra(lu.pivots.storage->device())
        .lu_solve(b.problem(), b.rows(), lu.factors.data(), static_cast<const std::int32_t*>(address_of(lu.pivots)),
                  b.columns(), b.data());
    b.mark_written();
    return lu.non_finite.marked(b.row_major());
}

// The permutation's sign, 1 or -1, in the matrices' type: -1 for an odd number of row exchanges.
NodePointer sign_of_exchanges(DType type, const ArrayCore& pivots) {
    const std::int64_t n = from_end(pivots.shape, 1);
    const NodePointer own = leaf(arange(DType::int32, std::int64_t{1}, n + 1, std::int64_t{1}));
    const NodePointer exchanged = node(Op::not_equal, DType::boolean, DType::int32, leaf(pivots), own);
    const ArrayCore count =
        reduce({.kind = Reduction::sum, .element = DType::int64, .result = DType::int64}, exchanged, {.axis = -1});
    const auto number = [](std::int64_t value) { return scalar_node(DType::int64, value); };
    const NodePointer odd = node(Op::bitwise_and, DType::int64, DType::int64, leaf(count), number(1));
    const NodePointer twice = node(Op::multiply, DType::int64, DType::int64, odd, number(2));
    return cast_node(type, node(Op::subtract, DType::int64, DType::int64, number(1), twice));
}

NodePointer diagonal_of(const MatrixStack& factors) { return leaf(diagonal(factors.matrices(), 0, -2, -1)); }

NodePointer product_along(DType type, const NodePointer& values) {
    return leaf(reduce({.kind = Reduction::prod, .element = type, .result = type}, values, {.axis = -1}));
}

}  // namespace

ArrayCore solve(DType type, const NodePointer& a, const NodePointer& b) {
    check_square_matrices("solve", a->shape, type);
    const bool is_vector = b->shape.rank() == 1;
    const NodePointer first = in_memory(type, a);
    NodePointer right = in_memory(type, b);
    if (b->shape.rank() == 0) {
        throw LinAlgError(operation_text("solve", a->shape, b->shape) +
                          ": an array without axes isn't a right-hand side");
    }
    if (is_vector) right = leaf(expanded(right->array, 1));
    const std::int64_t n = from_end(a->shape, 1), rows = from_end(right->shape, 2);
    if (n != rows) {
        throw LinAlgError(operation_text("solve", a->shape, b->shape) + ": the matrix has " + std::to_string(n) +
                          " rows, the right-hand side " + std::to_string(rows));
    }
    const Shape batch = common_batch("solve", a->shape, right->shape);
    const DeviceGuard guard(common_device({&first->array, &right->array}, "solve"));
    constexpr std::int64_t max_columns = 64;  // a small system's are solved by the same few threads
    const std::int64_t columns = from_end(right->shape, 1);
    const bool is_empty = batch.size() == 0 || n == 0 || columns == 0;
    ArrayCore result;
    if (!is_empty && columns <= max_columns && is_small_system(device_of(first->array), type, n)) {
        result = solved_small("solve", type, first, batch, right);
    } else {
        MatrixStack solution(type, batch, right);
        result = is_empty ? solution.row_major() : solved("solve", type, first, batch, solution);
    }
    return is_vector ? reshaped(result, TargetShape(with_vector(batch, n))) : result;
}

ArrayCore inv(DType type, const NodePointer& a) {
    check_square_matrices("inv", a->shape, type);
    const NodePointer first = in_memory(type, a);
    const Shape batch = batch_of(a->shape);
    const DeviceGuard guard(first->array.storage->device());
    const std::int64_t n = from_end(a->shape, 1);
    if (a->shape.size() > 0 && is_small_system(device_of(first->array), type, n))
        return solved_small("inv", type, first, batch, nullptr);
    MatrixStack inverse(type, batch, leaf(identities(type, batch, n)));
    return a->shape.size() > 0 ? solved("inv", type, first, batch, inverse) : inverse.row_major();
}

ArrayCore det(DType type, const NodePointer& a) {
    check_square_matrices("det", a->shape, type);
    const NodePointer first = in_memory(type, a);
    const Shape batch = batch_of(a->shape);
    const DeviceGuard guard(first->array.storage->device());
    if (a->shape.size() == 0) return full(type, batch, scalar_node(type, std::int64_t{1}), Layout::row_major);
    if (is_small_system(device_of(first->array), type, from_end(a->shape, 1))) return small_det(type, batch, first);
    const LuFactors lu = lu_of("det", type, batch, first);
    const NodePointer pivots = diagonal_of(lu.factors);
    const NodePointer product =
        node(Op::multiply, type, type, sign_of_exchanges(type, lu.pivots), product_along(type, pivots));
    if (first_failure("det", lu.info) < 0) return lu.non_finite.marked(evaluate(product));
    // A zero pivot makes the determinant 0 even if the product of the others has overflowed.
    const NodePointer nonzero = node(Op::not_equal, DType::boolean, type, pivots, scalar_node(type, std::int64_t{0}));
    const ArrayCore regular =
        reduce({.kind = Reduction::all, .element = DType::boolean, .result = DType::boolean}, nonzero, {.axis = -1});
    return lu.non_finite.marked(evaluate(where_node(type, leaf(regular), product, scalar_node(type, std::int64_t{0}))));
}

CorePair slogdet(DType type, const NodePointer& a) {
    check_square_matrices("slogdet", a->shape, type);
    const DType real = real_dtype(type);
    const NodePointer first = in_memory(type, a);
    const Shape batch = batch_of(a->shape);
    const DeviceGuard guard(first->array.storage->device());
    if (a->shape.size() == 0) {
        return {full(type, batch, scalar_node(type, std::int64_t{1}), Layout::row_major),
                full(real, batch, scalar_node(real, std::int64_t{0}), Layout::row_major)};
    }
    if (is_small_system(device_of(first->array), type, from_end(a->shape, 1))) return small_slogdet(type, batch, first);
    const LuFactors lu = lu_of("slogdet", type, batch, first);
    const NodePointer pivots = diagonal_of(lu.factors);
    const NodePointer size = node(is_complex(type) ? Op::magnitude : Op::abs, real, pivots);
    const NodePointer zero = node(Op::equal, DType::boolean, real, size, scalar_node(real, std::int64_t{0}));
    const NodePointer direction =
        where_node(type, zero, scalar_node(type, std::int64_t{0}), node(Op::divide, type, type, pivots, size));
    const NodePointer sign =
        node(Op::multiply, type, type, sign_of_exchanges(type, lu.pivots), product_along(type, direction));
    const ArrayCore logarithm =
        reduce({.kind = Reduction::sum, .element = real, .result = real}, node(Op::log, real, size), {.axis = -1});
    return {lu.non_finite.marked(evaluate(sign)), lu.non_finite.marked(logarithm)};
}

ArrayCore cholesky(DType type, const NodePointer& a) {
    check_square_matrices("cholesky", a->shape, type);
    const NodePointer first = in_memory(type, a);
    const DeviceGuard guard(first->array.storage->device());
    // The other triangle may hold anything, even NaN.
    MatrixStack factors(type, batch_of(a->shape), leaf(triangle(first, 0, true)));
    if (a->shape.size() == 0) return factors.row_major();
    factors.check_finite("cholesky", a->shape);
    const LinearAlgebra::Info info =
        LoggedLinearAlgebra(first->array.storage->device()).cholesky(factors.problem(), factors.rows(), factors.data());
    factors.mark_written();
    if (const std::int64_t failed = first_failure("cholesky", info); failed >= 0) {
        throw LinAlgError("cholesky: " + matrix_text(a->shape, failed) +
                          " is not positive definite: its leading minor of order " +
                          std::to_string(info[static_cast<std::size_t>(failed)]) + " isn't");
    }
    return triangle(leaf(factors.matrices()), 0, true);
}

}  // namespace gpu::detail
