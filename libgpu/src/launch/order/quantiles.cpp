// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/sorting.hpp>
#include <gpu/statistics.hpp>

#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/gather.hpp"
#include "launch/operands.hpp"
#include "runtime/storage.hpp"

// Quantiles: sorted elements, and a kernel for each level.
namespace gpu::detail {

namespace {

constexpr DType real = DType::float64;

NodePointer either(const NodePointer& condition, const NodePointer& a, const NodePointer& b) {
    return where_node(real, condition, a, b);
}
NodePointer is(Op op, const NodePointer& a) { return node(op, DType::boolean, a); }
NodePointer compared(Op op, const NodePointer& a, const NodePointer& b) { return node(op, DType::boolean, real, a, b); }

// (1 - t) * a + t * b.
NodePointer weighted(const NodePointer& a, const NodePointer& b, const NodePointer& t) {
    const NodePointer rest = double_operation(Op::subtract, double_node(1), t);
    return double_operation(Op::add, double_operation(Op::multiply, a, rest), double_operation(Op::multiply, b, t));
}

// Between a and b, which isn't less, as NumPy computes it: from the nearer end. Of equal infinities it is that one; an
// infinite difference would make NaN of the rest.
NodePointer interpolated(const NodePointer& a, const NodePointer& b, const NodePointer& t) {
    const NodePointer difference = double_operation(Op::subtract, b, a);
    const NodePointer from_a = double_operation(Op::add, a, double_operation(Op::multiply, difference, t));
    const NodePointer rest = double_operation(Op::subtract, double_node(1), t);
    const NodePointer from_b = double_operation(Op::subtract, b, double_operation(Op::multiply, difference, rest));
    const NodePointer between = either(compared(Op::less, t, double_node(0.5)), from_a, from_b);
    const NodePointer is_a = node(Op::logical_or, DType::boolean, DType::boolean, compared(Op::equal, a, b),
                                  compared(Op::equal, t, double_node(0)));
    return either(is_a, a, either(is(Op::isinf, difference), weighted(a, b, t), between));
}

// The mean of both as NumPy's median has it, without its overflow; a alone if t is 0.
NodePointer middle(const NodePointer& a, const NodePointer& b, const NodePointer& t) {
    const NodePointer sum = double_operation(Op::add, a, b);
    const NodePointer half = double_node(0.5);
    const NodePointer mean =
        either(is(Op::isinf, sum), weighted(a, b, half), double_operation(Op::multiply, sum, half));
    return either(compared(Op::equal, t, double_node(0)), a, mean);
}

/// The elements to be reduced, as lines in ascending order.
struct Lines {
    ArrayCore sorted;  ///< (lines, n)
    std::int64_t lines, n;

    [[nodiscard]] NodePointer column(std::int64_t k) const {
        ArrayCore window = sorted;
        window.offset += k;
        window.shape = Shape{lines};
        window.strides = Strides{n};
        return leaf(window);
    }
};

// The reduced axes are moved to the end and become one.
Lines sorted_lines(const NodePointer& value, const ReducedShape& shapes) {
    int order[max_rank] = {}, places = 0;
    const int rank = value->shape.rank();
    for (const bool reduced : {false, true}) {
        for (int axis = 0; axis < rank; ++axis)
            if (shapes.reduced[static_cast<std::size_t>(axis)] == reduced) order[places++] = axis;
    }
    const std::span<const int> axes(order, static_cast<std::size_t>(rank));
    const std::int64_t lines = shapes.kept.size(), n = shapes.count;
    const ArrayCore dense = dense_value(leaf(transposed(array_value(value), axes)), value->dtype);
    return {sort(leaf(reshaped(dense, TargetShape{lines, n})), 1), lines, n};
}

/// The two elements next to a quantile, as doubles, and how far it is from the first to the second.
struct Neighbours {
    NodePointer low, high, share;
};

Neighbours neighbours(const Lines& of, double level) {
    const double place = static_cast<double>(of.n - 1) * level;
    const auto before = std::min(static_cast<std::int64_t>(std::floor(place)), of.n - 1);
    const std::int64_t after = std::min(before + 1, of.n - 1);
    const double share = after == before ? 0 : place - static_cast<double>(before);
    return {cast_node(real, of.column(before)), cast_node(real, of.column(after)), double_node(share)};
}

/// How many elements of each line aren't NaN, and where in the flat array the line starts.
struct Numbers {
    NodePointer count, start;

    explicit Numbers(const Lines& of) {
        const NodePointer present = node(Op::equal, DType::boolean, of.sorted.dtype, leaf(of.sorted), leaf(of.sorted));
        count = leaf(reduce({.kind = Reduction::count_nonzero, .element = DType::boolean, .result = DType::int64},
                            present, {.axis = 1}));
        start = leaf(arange(DType::int64, std::int64_t{0}, of.lines * of.n, of.n));
    }
};

Neighbours neighbours(const Lines& of, const Numbers& numbers, double level) {
    const auto whole = [](Op op, const NodePointer& a, const NodePointer& b) {
        return node(op, DType::int64, DType::int64, a, b);
    };
    const NodePointer zero = scalar_node(DType::int64, std::int64_t{0}),
                      one = scalar_node(DType::int64, std::int64_t{1});
    const NodePointer last = whole(Op::maximum, whole(Op::subtract, numbers.count, one), zero);
    const NodePointer place = double_operation(Op::multiply, last, double_node(level));
    const NodePointer before = cast_node(DType::int64, node(Op::floor, real, place));
    const NodePointer after = whole(Op::minimum, whole(Op::add, before, one), last);
    const ArrayCore flat = reshaped(of.sorted, TargetShape{of.lines * of.n});
    const auto at = [&](const NodePointer& index) {
        const ArrayCore places = evaluate(whole(Op::add, numbers.start, index));
        return cast_node(real, leaf(gather(flat, {.first = 0, .count = 1, .mode = IndexMode::clip}, places)));
    };
    return {at(before), at(after), double_operation(Op::subtract, place, before)};
}

std::vector<double> checked_levels(const QuantileRequest& request, const QuantileLevels& levels) {
    std::vector<double> shares;
    for (const double level : levels.levels()) {
        if (!(level >= 0 && level <= request.one)) {
            throw Error(std::string(request.name) + ": a level of " + number_text(*double_node(level)) +
                        "; levels are from 0 to " + number_text(*double_node(request.one)));
        }
        shares.push_back(level / request.one);
    }
    return shares;
}

}  // namespace

ArrayCore quantile(const QuantileRequest& request, const NodePointer& value, const QuantileLevels& levels,
                   const ReduceOptions& options) {
    const std::vector<double> shares = checked_levels(request, levels);
    const ReducedShape shapes = reduced_shape(value->shape, options);
    Shape result;
    if (levels.is_list()) result.append(static_cast<std::int64_t>(shares.size()));
    for (const std::int64_t length : shapes.result) result.append(length);
    const ArrayCore input = array_value(value);
    const DeviceGuard guard(input.storage->device());
    const NodePointer nan = scalar_node(request.result, std::numeric_limits<double>::quiet_NaN());
    if (result.size() == 0 || value->shape.size() == 0) return full(request.result, result, nan);

    const Lines lines = sorted_lines(leaf(input), shapes);
    const bool may_be_nan = is_floating(lines.sorted.dtype), skips = may_be_nan && request.without_nan;
    const std::optional<Numbers> numbers = skips ? std::optional<Numbers>(lines) : std::nullopt;
    const NodePointer last = lines.column(lines.n - 1);
    NodePointer is_nan = may_be_nan ? node(Op::isnan, DType::boolean, last) : nullptr;
    if (skips) {
        const NodePointer zero = scalar_node(DType::int64, std::int64_t{0});
        is_nan = node(Op::equal, DType::boolean, DType::int64, numbers->count, zero);
    }
    const ArrayCore made = make_array(request.result, Shape{shares.size(), lines.lines});
    for (std::size_t k = 0; k < shares.size(); ++k) {
        const Neighbours at = skips ? neighbours(lines, *numbers, shares[k]) : neighbours(lines, shares[k]);
        NodePointer level =
            request.midpoint ? middle(at.low, at.high, at.share) : interpolated(at.low, at.high, at.share);
        if (is_nan != nullptr) level = either(is_nan, double_node(std::numeric_limits<double>::quiet_NaN()), level);
        ArrayCore row = made;
        row.offset += static_cast<std::int64_t>(k) * lines.lines;
        row.shape = Shape{lines.lines};
        row.strides = Strides{1};
        assign(row, cast_node(request.result, level), false);
    }
    return reshaped(made, TargetShape(result));
}

}  // namespace gpu::detail
