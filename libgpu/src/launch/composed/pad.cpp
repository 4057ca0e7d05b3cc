// SPDX-License-Identifier: MIT
// gpu::pad: a constant around a copy, or elements taken at positions that are computed along each axis.
#include <gpu/join.hpp>

#include <cmath>
#include <string>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/indexing.hpp>

#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// The constant as a number of this type.
NodePointer padding(DType type, complex<double> value) {
    const NodePointer real = scalar_node(DType::float64, value.real());
    if (is_complex(type)) return scalar_node(type, value.real(), value.imag());
    if (value.imag() != 0) {
        throw DTypeError("pad: a value with an imaginary part for " + std::string(name(type)) + " elements");
    }
    if (is_floating(type)) return scalar_node(type, value.real());
    const bool fits_type = type == DType::boolean ? value.real() == 0 || value.real() == 1
                                                  : value.real() == std::trunc(value.real()) && fits(*real, type);
    if (!fits_type) {
        throw DTypeError("pad: the value " + number_text(*real) + " doesn't fit " + std::string(name(type)) +
                         ", the elements' type");
    }
    return scalar_node(
        type, type == DType::boolean ? static_cast<std::int64_t>(value.real()) : saturated(type, value.real()));
}

std::string text_of(const PadWidth& width) {
    return "{" + std::to_string(width.before) + ", " + std::to_string(width.after) + "}";
}

// A pair for each axis, checked.
std::vector<PadWidth> widths_of(const PadWidths& widths, const Shape& shape, PadMode mode) {
    if (widths.count() != 1 && widths.count() != shape.rank()) {
        throw ShapeError("pad: " + std::to_string(widths.count()) + " pairs of widths for an array of shape " +
                         to_string(shape) + ": give one for each axis, or one for all");
    }
    std::vector<PadWidth> pairs;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const PadWidth& width = pairs.emplace_back(widths[widths.count() == 1 ? 0 : axis]);
        const std::int64_t length = shape[axis];
        const std::string where = "pad: widths " + text_of(width) + " for axis " + std::to_string(axis) +
                                  " of an array of shape " + to_string(shape);
        if (width.before < 0 || width.after < 0) throw ShapeError(where + ": a width can't be negative");
        std::int64_t whole = 0;
        if (__builtin_add_overflow(width.before, width.after, &whole) ||
            __builtin_add_overflow(whole, length, &whole)) {
            throw ShapeError(where + ": more than 2^63 - 1 elements");
        }
        const bool needs_elements = mode != PadMode::constant && mode != PadMode::empty;
        if (needs_elements && length == 0 && width.before + width.after > 0) {
            throw ShapeError(where + ": there is no element to repeat; use PadMode::constant");
        }
    }
    return pairs;
}

// The array in the middle of a new one, which is filled with the number unless that is null.
ArrayCore surrounded(const ArrayCore& array, const std::vector<PadWidth>& widths, const NodePointer& number) {
    Shape shape = array.shape;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const PadWidth& width = widths[static_cast<std::size_t>(axis)];
        shape[axis] += width.before + width.after;
    }
    const ArrayCore result =
        number == nullptr ? make_array(array.dtype, shape) : full(array.dtype, shape, number, Layout::row_major);
    if (array.shape.size() == 0) return result;
    ArrayCore middle = result;
    middle.shape = array.shape;
    for (int axis = 0; axis < shape.rank(); ++axis)
        middle.offset += widths[static_cast<std::size_t>(axis)].before * result.strides[axis];
    assign(middle, leaf(array), false);
    return result;
}

// One axis, extended by elements of its own.
ArrayCore extended(const ArrayCore& array, int axis, const PadWidth& width, PadMode mode) {
    const std::int64_t n = array.shape[axis], one = 1;
    NodePointer place = leaf(arange(DType::int64, -width.before, n + width.after, one));
    const auto whole = [](std::int64_t value) { return scalar_node(DType::int64, value); };
    const auto both = [](Op op, const NodePointer& a, const NodePointer& b) {
        return node(op, DType::int64, DType::int64, a, b);
    };
    // Forwards and backwards in turn: the place in such a period, and its mirror image.
    const std::int64_t period = mode == PadMode::reflect ? 2 * (n - 1) : 2 * n;
    if ((mode == PadMode::reflect && n > 1) || mode == PadMode::symmetric) {
        const NodePointer at = both(Op::remainder, place, whole(period));
        const std::int64_t last = mode == PadMode::reflect ? period : period - 1;
        place = both(Op::minimum, at, both(Op::subtract, whole(last), at));
    }
    return take(leaf(array), place, {.axis = axis, .mode = mode == PadMode::wrap ? IndexMode::wrap : IndexMode::clip});
}

}  // namespace

}  // namespace gpu::detail

namespace gpu {

void PadWidths::add(const PadWidth& pair) {
    if (count_ == max_rank) throw ShapeError("pad: more than 8 pairs of widths: an array has at most 8 axes");
    pairs_[count_++] = pair;
}

}  // namespace gpu

namespace gpu::detail {

ArrayCore pad(const NodePointer& value, const PadWidths& widths, const PadOptions& options) {
    const std::vector<PadWidth> pairs = widths_of(widths, value->shape, options.mode);
    const NodePointer number = options.mode == PadMode::constant ? padding(value->dtype, options.value) : nullptr;
    const ArrayCore array = array_value(value);
    const DeviceGuard guard(array.storage->device());
    if (number != nullptr || options.mode == PadMode::empty) return surrounded(array, pairs, number);
    ArrayCore result = array;
    bool is_new = value->op != Op::leaf;
    for (int axis = 0; axis < result.shape.rank(); ++axis) {
        const PadWidth& width = pairs[static_cast<std::size_t>(axis)];
        if (width.before + width.after == 0) continue;
        result = extended(result, axis, width, options.mode);
        is_new = true;
    }
    return is_new ? result : copy_of(result, Layout::row_major);
}

}  // namespace gpu::detail
