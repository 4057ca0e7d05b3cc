// SPDX-License-Identifier: MIT
#include <gpu/counting.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/indexing.hpp>
#include <gpu/ranges.hpp>

#include "codegen/node.hpp"
#include "codegen/sort_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::int64_t extreme(Reduction kind, const ArrayCore& array) {
    std::int64_t value = 0;
    read_item(reduce({.kind = kind, .element = DType::int64, .result = DType::int64}, leaf(array), {}), &value);
    return value;
}

NodePointer arithmetic(Op op, const NodePointer& a, const NodePointer& b) {
    return node(op, DType::float64, DType::float64, a, b);
}
NodePointer number(double value) { return scalar_node(DType::float64, value); }

// The ends of the range as doubles: given, or the array's extremes, half a unit apart from them where they are equal.
struct Ends {
    NodePointer low, high;
};
Ends ends_of(const ArrayCore& array, const HistogramRange& range) {
    NodePointer low = number(range.low()), high = number(range.high());
    if (!range.given()) {
        if (array.shape.size() == 0) return {number(0), number(1)};
        const auto least = [&](Reduction kind) {
            return cast_node(DType::float64, leaf(reduce({.kind = kind, .element = array.dtype, .result = array.dtype},
                                                         leaf(array), {})));
        };
        low = least(Reduction::min);
        high = least(Reduction::max);
        // NaN from here on if an end isn't finite.
        const NodePointer nothing = arithmetic(Op::multiply, arithmetic(Op::subtract, high, low), number(0));
        low = arithmetic(Op::add, low, nothing);
        high = arithmetic(Op::add, high, nothing);
    }
    const NodePointer equal = node(Op::equal, DType::boolean, DType::float64, low, high);
    const auto apart = [&](Op op, const NodePointer& end) {
        return where_node(DType::float64, equal, arithmetic(op, end, number(0.5)), end);
    };
    return {apart(Op::subtract, low), apart(Op::add, high)};
}

}  // namespace

ArrayCore bincount(const NodePointer& value, const NodePointer& weights, std::int64_t minlength) {
    if (value->shape.rank() != 1)
        throw ShapeError("bincount: an array of shape " + to_string(value->shape) + "; it takes vectors");
    if (weights != nullptr && !(weights->shape == value->shape)) {
        throw ShapeError("bincount: weights of shape " + to_string(weights->shape) + " for an array of shape " +
                         to_string(value->shape));
    }
    if (minlength < 0) throw ShapeError("bincount: a minlength of " + std::to_string(minlength) + " is negative");
    const DType type = value->dtype == DType::boolean ? DType::uint8 : value->dtype;
    const ArrayCore array = dense_value(value, type);
    const DeviceGuard guard(array.storage->device());
    std::int64_t length = minlength;
    if (array.shape.size() > 0) {
        const std::int64_t most = extreme(Reduction::max, array),
                           least = type == DType::uint64 || !is_unsigned(type) ? extreme(Reduction::min, array) : 0;
        if (least < 0 || most == std::numeric_limits<std::int64_t>::max())
            throw IndexError("bincount: an element is " + std::to_string(least < 0 ? least : most) +
                             "; elements are counted by 0, 1, 2, ...");
        length = std::max(length, most + 1);
    }
    const DType result = weights == nullptr ? DType::int64 : DType::float64;
    const ArrayCore counts = full(result, Shape{length}, scalar_node(result, std::int64_t{0}));
    if (array.shape.size() == 0) return counts;
    add_at(counts, leaf(array), weights == nullptr ? scalar_node(result, std::int64_t{1}) : cast_node(result, weights),
           {.mode = IndexMode::clip});
    return counts;
}

HistogramCores histogram(DType type, const NodePointer& value, const HistogramOptions& options) {
    const HistogramRange& range = options.range;
    if (options.bins < 1)
        throw ShapeError("histogram: " + std::to_string(options.bins) + " bins; there must be at least one");
    if (range.given() && !(range.low() <= range.high() && std::isfinite(range.high() - range.low()))) {
        throw ShapeError("histogram: a range from " + number_text(*number(range.low())) + " to " +
                         number_text(*number(range.high())) + "; it must be finite, and not end before it starts");
    }
    const DType wide = comparable(type);
    const ArrayCore array = dense_value(value, wide);
    const DeviceGuard guard(array.storage->device());
    const Ends ends = ends_of(array, range);
    const NodePointer k = leaf(arange(DType::float64, std::int64_t{0}, options.bins + 1, std::int64_t{1}));
    const NodePointer bins = number(static_cast<double>(options.bins));
    const NodePointer step = arithmetic(Op::divide, arithmetic(Op::subtract, ends.high, ends.low), bins);
    const NodePointer inner = arithmetic(Op::add, arithmetic(Op::multiply, k, step), ends.low);
    const NodePointer is_last = node(Op::equal, DType::boolean, DType::float64, k, bins);
    const ArrayCore edges = evaluate(cast_node(type, where_node(DType::float64, is_last, ends.high, inner)));
    const ArrayCore borders = dense_value(leaf(edges), wide);
    const ArrayCore counts = full(DType::int64, Shape{options.bins}, scalar_node(DType::int64, std::int64_t{0}));
    launch_builtin_with(
        array.storage->device(), std::string("histogram") + static_cast<char>('a' + static_cast<int>(wide)),
        [&] { return histogram_text(wide); }, array.shape.size(), data_of(array), data_of(borders), data_of(counts),
        array.shape.size(), options.bins);
    counts.storage->mark_written();
    return {counts, edges};
}

}  // namespace gpu::detail
