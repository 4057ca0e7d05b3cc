// SPDX-License-Identifier: MIT
// What LU and Cholesky factors give: solutions, inverses, determinants.
#include <gpu/linalg_results.hpp>

#include <utility>

#include <gpu/create.hpp>
#include <gpu/diagonals.hpp>
#include <gpu/error.hpp>
#include <gpu/ranges.hpp>

#include "launch/evaluate.hpp"
#include "linalg/batches.hpp"
#include "linalg/logged_linear_algebra.hpp"
#include "linalg/matrix_stack.hpp"
#include "linalg/non_finite.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

/// P A = L U of each matrix, and where elimination met a zero pivot.
struct LuFactors {
    MatrixStack factors;
    NonFinite non_finite;
    ArrayCore pivots;  ///< batch, n
    LinearAlgebra::Info info;
};

LuFactors lu_of(const char* operation, DType type, const Shape& batch, const NodePointer& a) {
    const MatrixStack factors(type, batch, a);
    LuFactors lu{factors, NonFinite(factors), {}, {}};
    const std::int64_t n = lu.factors.rows();
    lu.pivots = make_array(DType::int32, with_vector(batch, n));
    lu.info = LoggedLinearAlgebra(lu.pivots.storage->device())
                  .lu(lu.factors.problem(), n, lu.factors.data(), static_cast<std::int32_t*>(data_of(lu.pivots)));
    lu.factors.mark_written();
    mark_written(lu.pivots);
    (void)first_failure(operation, lu.info);
    return lu;
}

// The right-hand sides in `b` become solutions, which are returned row-major.
ArrayCore solved(const char* operation, DType type, const NodePointer& a, const Shape& batch, MatrixStack& b) {
    const LuFactors lu = lu_of(operation, type, batch, a);
    if (const std::int64_t failed = first_failure(operation, lu.info); failed >= 0) {
        throw LinAlgError(std::string(operation) + ": " + matrix_text(with_matrix(batch, b.rows(), b.rows()), failed) +
                          " is singular: pivot " + std::to_string(lu.info[static_cast<std::size_t>(failed)]) +
                          " of its LU factors is 0");
    }
    LoggedLinearAlgebra(lu.pivots.storage->device())
        .lu_solve(b.problem(), b.rows(), lu.factors.data(), static_cast<const std::int32_t*>(data_of(lu.pivots)),
                  b.columns(), b.data());
    b.mark_written();
    return lu.non_finite.marked(b.row_major());
}

// An odd number of exchanged rows turns the sign: 1 or -1, in the matrices' type.
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
    MatrixStack solution(type, batch, right);
    const ArrayCore result =
        solution.matrices().shape.size() > 0 ? solved("solve", type, first, batch, solution) : solution.row_major();
    return is_vector ? reshaped(result, TargetShape(with_vector(batch, n))) : result;
}

ArrayCore inv(DType type, const NodePointer& a) {
    check_square_matrices("inv", a->shape, type);
    const NodePointer first = in_memory(type, a);
    const Shape batch = batch_of(a->shape);
    const DeviceGuard guard(first->array.storage->device());
    MatrixStack inverse(type, batch, leaf(identities(type, batch, from_end(a->shape, 1))));
    return a->shape.size() > 0 ? solved("inv", type, first, batch, inverse) : inverse.row_major();
}

ArrayCore det(DType type, const NodePointer& a) {
    check_square_matrices("det", a->shape, type);
    const NodePointer first = in_memory(type, a);
    const Shape batch = batch_of(a->shape);
    const DeviceGuard guard(first->array.storage->device());
    if (a->shape.size() == 0) return full(type, batch, scalar_node(type, std::int64_t{1}), Layout::row_major);
    const LuFactors lu = lu_of("det", type, batch, first);
    const NodePointer pivots = diagonal_of(lu.factors);
    const NodePointer product =
        node(Op::multiply, type, type, sign_of_exchanges(type, lu.pivots), product_along(type, pivots));
    if (first_failure("det", lu.info) < 0) return lu.non_finite.marked(evaluate(product));
    // A zero pivot makes it 0 even if others' product has overflowed.
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
    // The other triangle may hold anything, NaN too.
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
