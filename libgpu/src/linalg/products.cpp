// SPDX-License-Identifier: MIT
#include "linalg/products.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gpu/error.hpp>

#include "array/shape.hpp"
#include "codegen/node.hpp"
#include "counts.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "linalg/logged_linear_algebra.hpp"
#include "linalg/matrix_stack.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

// gpu::matmul: shapes, copies where they are needed, and batches that one strided call can do.
namespace gpu::detail {

namespace {

void multiply(const ArrayCore& a, const ArrayCore& b, const ArrayCore& result) {
    MatrixBatch left = first_matrix(a), right = first_matrix(b), product = first_matrix(result);
    std::vector<BatchAxis> axes = batch_axes(a, b, result);
    if (axes.size() == 1 && are_rows_of_one(axes[0], left, product)) {
        left.rows *= axes[0].length;
        product.rows *= axes[0].length;
        axes.clear();
    }
    const Device device = result.storage->device();
    MatrixProblem problem{
        .device = device.index(), .stream = native_stream({}, device), .dtype = result.dtype, .batch = 1};
    MatrixBatch* const matrices[] = {&left, &right, &product};
    // One call covers the longest axis; the others are looped over here.
    std::sort(axes.begin(), axes.end(), [](const BatchAxis& x, const BatchAxis& y) { return x.length < y.length; });
    if (!axes.empty()) {
        problem.batch = axes.back().length;
        for (int k = 0; k < 3; ++k) matrices[k]->batch_stride = axes.back().strides[k];
        axes.pop_back();
    }
    const auto bytes = static_cast<std::int64_t>(size_of(result.dtype));
    const auto move = [&](const BatchAxis& axis, std::int64_t steps) {
        for (int k = 0; k < 3; ++k) {
            matrices[k]->data = static_cast<char*>(matrices[k]->data) + steps * axis.strides[k] * bytes;
        }
    };
    LoggedLinearAlgebra library(device);
    std::vector<std::int64_t> place(axes.size(), 0);
    while (true) {
        library.matmul(problem, left, right, product);
        std::size_t k = 0;
        for (; k < axes.size(); ++k) {
            if (++place[k] < axes[k].length) break;
            move(axes[k], 1 - axes[k].length);
            place[k] = 0;
        }
        if (k == axes.size()) return;
        move(axes[k], 1);
    }
}

/// Both operands as stacks of matrices, and the shapes of the result.
struct MatrixOperands {
    ArrayCore a, b;
    Shape matrices;
    Shape result;  ///< without the axis of a vector
    Device device;
};

MatrixOperands operands_of(DType type, const NodePointer& a, const NodePointer& b) {
    const Shape &left = a->shape, &right = b->shape;
    if (left.rank() == 0 || right.rank() == 0) {
        throw LinAlgError(operation_text("matmul", left, right) +
                          ": an array without axes isn't a matrix; write a * b");
    }
    const std::int64_t inner_left = from_end(left, 1), inner_right = from_end(right, right.rank() == 1 ? 1 : 2);
    if (inner_left != inner_right) {
        throw LinAlgError(operation_text("matmul", left, right) + ": inner dimensions " + std::to_string(inner_left) +
                          " and " + std::to_string(inner_right) + " differ");
    }
    ArrayCore first = array_value(cast_node(type, a)), second = array_value(cast_node(type, b));
    if (left.rank() == 1) first = expanded(first, 0);
    if (right.rank() == 1) second = expanded(second, 1);
    const Shape batch = common_batch("matmul", first.shape, second.shape);
    const std::int64_t rows = from_end(first.shape, 2), columns = from_end(second.shape, 1);
    Shape result = batch;
    if (left.rank() > 1) result.append(rows);
    if (right.rank() > 1) result.append(columns);
    const Device device = common_device({&first, &second}, "matmul");
    return {std::move(first), std::move(second), with_matrix(batch, rows, columns), result, device};
}

void multiply_into(MatrixOperands operands, ArrayCore result) {
    if (result.shape.size() == 0) return;
    if (from_end(operands.a.shape, 1) == 0) return assign(result, scalar_node(result.dtype, std::int64_t{0}), false);
    if (!is_plain(operands.a)) operands.a = copy_of(operands.a, Layout::row_major);
    if (!is_plain(operands.b)) operands.b = copy_of(operands.b, Layout::row_major);
    multiply(operands.a, operands.b, result);
    mark_written(result);
}

ArrayCore product_of(DType type, const MatrixOperands& operands) {
    const ArrayCore result = make_array(type, operands.matrices);
    multiply_into(operands, result);
    return reshaped(result, TargetShape(operands.result));
}

bool are_equal_vectors(const NodePointer& a, const NodePointer& b) {
    return a->shape.rank() == 1 && a->shape == b->shape;
}

}  // namespace

ArrayCore sum_of_products(DType type, const NodePointer& a, const NodePointer& b) {
    const DType element = accumulator(type);
    return reduce({.kind = Reduction::sum, .element = element, .result = type},
                  node(Op::multiply, element, element, a, b), ReduceOptions{});
}

ArrayCore matmul(DType type, const NodePointer& a, const NodePointer& b) {
    if (are_equal_vectors(a, b)) return sum_of_products(type, a, b);
    const MatrixOperands operands = operands_of(type, a, b);
    const DeviceGuard guard(operands.device);
    return product_of(type, operands);
}

void matmul_into(DType type, const NodePointer& a, const NodePointer& b, const ArrayCore& out) {
    if (out.storage == nullptr) throw_moved_from("matmul: gpu::out");
    const MatrixOperands operands = operands_of(type, a, b);
    if (out.dtype != type) {
        throw DTypeError("matmul: the result has " + std::string(name(type)) +
                         " elements, the array of gpu::out() has " + std::string(name(out.dtype)));
    }
    if (!(out.shape == operands.result)) {
        throw LinAlgError(operation_text("matmul", a->shape, b->shape) + ": the result has shape " +
                          to_string(operands.result) + ", the array of gpu::out() has " + to_string(out.shape));
    }
    const DeviceGuard guard(common_device({&operands.a, &operands.b, &out}, "matmul"));
    const bool directly = operands.matrices == out.shape && is_plain(out) && !share_memory(out, operands.a) &&
                          !share_memory(out, operands.b);
    if (directly) return multiply_into(operands, out);
    ArrayCore target = out;
    assign(target, leaf(product_of(type, operands)), false);
}

// Products that become one matrix product once axes are permuted.

namespace {

std::span<const int> span_of(const std::vector<int>& axes) { return axes; }

NodePointer flattened(DType type, const NodePointer& value) {
    return leaf(
        reshaped_or_copied(array_value(cast_node(type, value)), TargetShape{value->shape.size()}, Layout::row_major));
}

/// An operand as a matrix: the axes that stay by those that are summed over.
struct Side {
    ArrayCore matrix;
    std::vector<int> kept;
};

Side side_of(DType type, const NodePointer& value, const std::vector<int>& summed, bool summed_first) {
    const NamedAxes named = named_axes(span_of(summed), value->shape, "tensordot");
    std::vector<int> order, kept;
    std::int64_t rows = 1, inner = 1;
    for (int axis = 0; axis < value->shape.rank(); ++axis) {
        if (named.named[axis]) continue;
        kept.push_back(axis);
        rows *= value->shape[axis];
    }
    order = kept;
    const auto place = summed_first ? order.begin() : order.end();
    std::vector<int> contracted(named.order, named.order + summed.size());
    for (const int axis : contracted) inner *= value->shape[axis];
    order.insert(place, contracted.begin(), contracted.end());
    const ArrayCore turned = transposed(array_value(cast_node(type, value)), span_of(order));
    const TargetShape matrix = summed_first ? TargetShape{inner, rows} : TargetShape{rows, inner};
    return {reshaped_or_copied(turned, matrix, Layout::row_major), kept};
}

ArrayCore contracted(const char* operation, DType type, const NodePointer& a, const NodePointer& b,
                     const std::vector<int>& left, const std::vector<int>& right) {
    const Shape &of_a = a->shape, &of_b = b->shape;
    if (left.size() != right.size()) {
        throw LinAlgError(operation_text(operation, of_a, of_b) + ": " + std::to_string(left.size()) +
                          " axes are named on the left and " + std::to_string(right.size()) + " on the right");
    }
    const NamedAxes in_a = named_axes(span_of(left), of_a, operation),
                    in_b = named_axes(span_of(right), of_b, operation);
    for (std::size_t k = 0; k < left.size(); ++k) {
        const std::int64_t length = of_a[in_a.order[k]], other = of_b[in_b.order[k]];
        if (length != other) {
            throw LinAlgError(operation_text(operation, of_a, of_b) + ": inner dimensions " + std::to_string(length) +
                              " and " + std::to_string(other) + " differ");
        }
    }
    if (left.size() == 1 && of_a.rank() == 1 && of_b.rank() == 1) return sum_of_products(type, a, b);
    const Side first = side_of(type, a, left, false), second = side_of(type, b, right, true);
    Shape result;
    for (const int axis : first.kept) result.append(of_a[axis]);
    for (const int axis : second.kept) result.append(of_b[axis]);
    return reshaped(matmul(type, leaf(first.matrix), leaf(second.matrix)), TargetShape(result));
}

std::vector<int> vector_of(const Axes& axes) {
    std::vector<int> made;
    for (int k = 0; k < axes.count(); ++k) made.push_back(axes[k]);
    return made;
}

}  // namespace

ArrayCore tensordot(DType type, const NodePointer& a, const NodePointer& b, const TensordotAxes& axes) {
    return contracted("tensordot", type, a, b, vector_of(axes.left), vector_of(axes.right));
}

ArrayCore tensordot(DType type, const NodePointer& a, const NodePointer& b, int axes) {
    const int rank = a->shape.rank();
    if (axes < 0 || axes > rank || axes > b->shape.rank()) {
        throw LinAlgError(operation_text("tensordot", a->shape, b->shape) + ": a sum over " + std::to_string(axes) +
                          " axes needs as many in both arrays");
    }
    std::vector<int> left, right;
    for (int k = 0; k < axes; ++k) {
        left.push_back(rank - axes + k);
        right.push_back(k);
    }
    return contracted("tensordot", type, a, b, left, right);
}

ArrayCore outer(DType type, const NodePointer& a, const NodePointer& b) {
    const NodePointer column = leaf(expanded(flattened(type, a)->array, 1)), row = flattened(type, b);
    return evaluate(node(Op::multiply, type, type, column, row));
}

ArrayCore product(Product kind, DType type, const NodePointer& a, const NodePointer& b) {
    if (kind == Product::matmul) return matmul(type, a, b);
    if (kind == Product::vdot) {
        if (a->shape.size() != b->shape.size()) {
            throw LinAlgError(operation_text("vdot", a->shape, b->shape) + ": there are " +
                              std::to_string(a->shape.size()) + " and " + std::to_string(b->shape.size()) +
                              " elements");
        }
        const NodePointer first = flattened(type, a);
        return sum_of_products(type, is_complex(type) ? node(Op::conj, type, first) : first, flattened(type, b));
    }
    if (a->shape.rank() == 0 || b->shape.rank() == 0) return evaluate(node(Op::multiply, type, type, a, b));
    const int before_last = b->shape.rank() == 1 || kind == Product::inner ? -1 : -2;
    return contracted(kind == Product::dot ? "dot" : "inner", type, a, b, {-1}, {before_last});
}

}  // namespace gpu::detail
