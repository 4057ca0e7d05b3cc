// SPDX-License-Identifier: MIT
// Products that become one matrix product once axes have changed places.
#include <span>
#include <vector>

#include <gpu/error.hpp>

#include "array/axis.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "linalg/batches.hpp"
#include "linalg/products.hpp"
#include "runtime/array_buffers.hpp"

namespace gpu::detail {

namespace {

std::span<const int> span_of(const std::vector<int>& axes) { return axes; }

NodePointer flattened(DType type, const NodePointer& value) {
    return leaf(
        reshaped_or_copied(array_value(cast_node(type, value)), TargetShape{value->shape.size()}, Layout::row_major));
}

/// An operand as a matrix: the axes that are kept, and those that are summed over.
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
