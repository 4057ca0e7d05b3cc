// SPDX-License-Identifier: MIT
// What is solved by singular values: least squares, pseudo-inverses, norms of matrices.
#include <algorithm>
#include <limits>

#include <gpu/error.hpp>

#include "launch/evaluate.hpp"
#include "linalg/batches.hpp"
#include "linalg/factors.hpp"
#include "linalg/products.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// s in front of further axes: batch, k, 1.
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

}  // namespace gpu::detail
