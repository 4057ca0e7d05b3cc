// SPDX-License-Identifier: MIT
// Sums of exponentials without overflow: softmax, logsumexp.
#include <limits>

#include <gpu/create.hpp>
#include <gpu/fuse.hpp>
#include <gpu/statistics.hpp>

#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "launch/operands.hpp"
#include "launch/rows/row_fusion.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

ArrayCore over_axes(Reduction kind, const NodePointer& value, const ReduceOptions& options) {
    const DType type = value->dtype;
    return reduce({.kind = kind, .element = type, .result = type}, value, options);
}

// What the reductions read: an expression is evaluated first, unless it can be part of their kernel.
NodePointer source_of(DType type, const NodePointer& value, const Axes& axes) {
    NodePointer x = cast_node(type, value);
    const int rank = x->shape.rank();
    const bool over_rows = axes.count() == 1 && (axes[0] == -1 || axes[0] == rank - 1);
    if (over_rows && x->shape.size() != 0 && fuses_rows(device_of(x))) return x;
    return leaf(array_value(x));
}

}  // namespace

ArrayCore softmax(DType result, const NodePointer& value, const Axes& axes) {
    RowFusion rows("softmax");
    const DType type = comparable(result);
    const NodePointer x = source_of(type, value, axes);
    const ReduceOptions over{.axis = axes, .keepdims = true};
    const NodePointer largest = leaf(over_axes(Reduction::max, x, over));
    const NodePointer power = node(Op::exp, type, node(Op::subtract, type, type, x, largest));
    const NodePointer sum = leaf(over_axes(Reduction::sum, power, over));
    return evaluate(cast_node(result, node(Op::divide, type, type, power, sum)));
}

// The largest elements are left out of the sum, s, and counted, m: log(m + s) is log(m) + log1p(s / m), which keeps the
// digits of a small s. Where the largest isn't finite, everything is in the sum, unshifted.
ArrayCore logsumexp(DType result, const NodePointer& value, const ReduceOptions& options) {
    RowFusion rows("logsumexp");
    const DType type = comparable(result);
    const NodePointer x = source_of(type, value, options.axis);
    const ReducedShape shapes = reduced_shape(x->shape, options);
    const auto number = [type](double real) { return scalar_node(type, real); };
    if (shapes.count == 0) {
        const DeviceGuard guard(x->array.storage->device());
        return full(result, shapes.result, scalar_node(result, -std::numeric_limits<double>::infinity()));
    }
    const auto both = [type](Op op, const NodePointer& a, const NodePointer& b) { return node(op, type, type, a, b); };
    const ReduceOptions over{.axis = options.axis, .keepdims = true};
    const NodePointer largest = leaf(over_axes(Reduction::max, x, over));
    const NodePointer is_finite = node(Op::isfinite, DType::boolean, largest);
    const NodePointer shift = where_node(type, is_finite, largest, number(0));
    const NodePointer apart = node(Op::logical_and, DType::boolean, DType::boolean, is_finite,
                                   node(Op::equal, DType::boolean, type, x, largest));
    const NodePointer power = node(Op::exp, type, both(Op::subtract, x, shift));
    const NodePointer s = leaf(over_axes(Reduction::sum, where_node(type, apart, number(0), power), over));
    const NodePointer m = leaf(over_axes(Reduction::sum, where_node(type, apart, number(1), number(0)), over));
    const NodePointer rest = node(Op::log1p, type, both(Op::divide, s, m));
    const NodePointer usual = both(Op::add, both(Op::add, rest, node(Op::log, type, m)), shift);
    ArrayCore made = evaluate(cast_node(result, where_node(type, is_finite, usual, node(Op::log, type, s))));
    return reshaped(made, TargetShape(shapes.result));
}

}  // namespace gpu::detail
