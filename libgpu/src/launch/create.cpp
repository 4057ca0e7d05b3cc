// SPDX-License-Identifier: MIT
// Arrays filled on the device.
#include <gpu/create.hpp>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <gpu/error.hpp>

#include "launch/builtin_kernel.hpp"
#include "launch/generated_call.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

/// Fills a new 1-D array with a statement over `i` and numbers called start, step, ....
struct Ramp {
    const char* name;
    const char* body;  ///< the i-th element, before conversion
    DType dtype;
    std::int64_t count;
};

struct Number {
    const char* name;
    NodePointer value;
};

std::string shortest(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

ArrayCore filled(const Ramp& ramp, std::initializer_list<Number> numbers) {
    ArrayCore result = make_array(ramp.dtype, Shape{ramp.count});
    const std::string type(kernel_name(ramp.dtype));
    const std::string key = std::string(ramp.name) + static_cast<char>(ramp.dtype);
    ElementwiseCall call{.device = current_device(),
                         .shape = result.shape,
                         .bindings = {},
                         .key = key,
                         .text = {},
                         .needs = {.uses_index = true}};
    for (const Number& number : numbers) {
        const bool is_double = number.value->dtype == DType::float64;
        const Parameter parameter{Parameter::Role::scalar, is_double ? "double" : "long long", number.name, false};
        call.bindings.push_back({parameter, number.value->dtype, nullptr, number.value.get()});
    }
    call.bindings.push_back(output_binding("out", result));
    call.text = [&] {
        return ElementwiseText{.name = ramp.name,
                               .parameters = {},
                               .rank = 1,
                               .typedefs = {},
                               .preamble = {},
                               .body = {"out = (" + type + ")(" + ramp.body + ")", ramp.name, 1}};
    };
    launch_elementwise(call);
    return result;
}

// The first and the last of an array's evenly spaced numbers.
void check_ends(DType dtype, const NodePointer& start, const NodePointer& last, std::int64_t count, const char* name) {
    if (!is_integer(dtype) || count < 1) return;
    (void)element_node(start, dtype, name);
    (void)element_node(last, dtype, name);
}

// start + i * step in double: each element is independent. One rounding, the same on every device.
ArrayCore ramp(DType dtype, std::int64_t count, double start, double step, double last, const char* name) {
    check_ends(dtype, scalar_node(DType::float64, start), scalar_node(DType::float64, last), count, name);
    return filled({name, "i == _ind.size() - 1 ? last : fma((double)i, step, start)", dtype, count},
                  {{"start", scalar_node(DType::float64, start)},
                   {"step", scalar_node(DType::float64, step)},
                   {"last", scalar_node(DType::float64, last)}});
}

ArrayCore filled_with(ArrayCore result, const NodePointer& value) {
    assign(result, cast_node(result.dtype, value), false);
    return result;
}

}  // namespace

ArrayCore full(DType dtype, const Shape& shape, const NodePointer& value, Layout layout) {
    return filled_with(make_array(dtype, shape, layout), value);
}

ArrayCore model_of(const NodePointer& value) {
    if (value->op == Op::leaf) return value->array;
    ArrayCore model = make_array_on(device_of(value), value->dtype, Shape{0}, Layout::row_major);  // without elements
    model.shape = value->shape;
    model.strides = dense_strides(value->shape);
    return model;
}

ArrayCore empty_like(const ArrayCore& model, DType dtype) {
    return make_array_on(model.storage->device(), dtype, model.shape, own_layout(model));
}

ArrayCore full_like(const ArrayCore& model, DType dtype, const NodePointer& value) {
    const DeviceGuard guard(model.storage->device());
    return filled_with(empty_like(model, dtype), value);
}

ArrayCore arange(DType dtype, double start, double stop, double step) {
    const double wanted = std::ceil((stop - start) / step);
    if (step == 0 || !std::isfinite(start) || !std::isfinite(stop) || std::isnan(step) || wanted > 9e18) {
        throw ShapeError("arange(" + shortest(start) + ", " + shortest(stop) + ", " + shortest(step) +
                         "): the step can't be 0, both ends must be finite, and the array's " +
                         "size must fit 63 bits");
    }
    const auto count = static_cast<std::int64_t>(std::max(0.0, wanted));
    return ramp(dtype, count, start, step, std::fma(static_cast<double>(count - 1), step, start), "arange");
}

void check_arange(std::uint64_t start, bool signed_start, std::uint64_t stop, bool signed_stop, std::uint64_t step,
                  bool signed_step) {
    __extension__ using Wide = __int128;
    const auto value = [](std::uint64_t bits, bool is_signed) {
        return is_signed ? Wide{static_cast<std::int64_t>(bits)} : Wide{bits};
    };
    const Wide first = value(start, signed_start), end = value(stop, signed_stop), by = value(step, signed_step);
    const Wide towards = by > 0 ? 1 : -1, span = end - first;
    if (by == 0 || span * towards <= 0) return;
    const Wide last = first + (span - towards) / by * by, min_value = by > 0 ? first : last;
    if (min_value >= 0) return;
    throw DTypeError("arange: " + std::to_string(static_cast<std::int64_t>(min_value)) +
                     " would be an element, and uint64 holds no negative numbers");
}

ArrayCore arange(DType dtype, std::int64_t start, std::int64_t stop, std::int64_t step) {
    if (step == 0) throw ShapeError("arange: the step can't be 0");
    __extension__ using Wide = __int128;
    const Wide span = Wide{stop} - start, towards = step > 0 ? 1 : -1;
    const Wide count = span * towards <= 0 ? 0 : (span - towards) / step + 1;
    if (count > std::numeric_limits<std::int64_t>::max()) throw ShapeError("arange: more than 2^63 - 1 elements");
    if (size_of(dtype) < 8) {  // with 64 bits all arguments fit; an uint64's upper half comes as negative numbers
        const auto last = static_cast<std::int64_t>(start + (count - 1) * step);
        check_ends(dtype, scalar_node(DType::int64, start), scalar_node(DType::int64, last),
                   static_cast<std::int64_t>(count), "arange");
    }
    return filled({"integers", "(unsigned long long)start + (unsigned long long)i * (unsigned long long)step", dtype,
                   static_cast<std::int64_t>(count)},
                  {{"start", scalar_node(DType::int64, start)}, {"step", scalar_node(DType::int64, step)}});
}

ArrayCore linspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint) {
    if (count < 0) throw ShapeError("linspace: a count of " + std::to_string(count));
    const auto gaps = static_cast<double>(endpoint ? count - 1 : count);
    const double step = gaps > 0 ? (stop - start) / gaps : 0;
    // The last element is exactly `stop`, whatever rounding did before it; a single one is `start`.
    const double last = count == 1 ? start : (endpoint ? stop : std::fma(static_cast<double>(count - 1), step, start));
    return ramp(dtype, count, start, step, last, "linspace");
}

ArrayCore logspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint, double base) {
    const NodePointer powers = leaf(linspace(DType::float64, start, stop, count, endpoint));
    return evaluate(
        cast_node(dtype, node(Op::pow, DType::float64, DType::float64, scalar_node(DType::float64, base), powers)));
}

ArrayCore eye(DType dtype, std::int64_t rows, std::int64_t columns, std::int64_t offset) {
    const ArrayCore result = full(dtype, Shape{rows, columns}, scalar_node(dtype, std::int64_t{0}), Layout::row_major);
    (void)filled_with(diagonal(result, offset, 0, 1), scalar_node(dtype, std::int64_t{1}));
    return result;
}

NodePointer diagonal_node(const NodePointer& value, std::int64_t offset, int axis1, int axis2) {
    return leaf(diagonal(array_value(value), offset, axis1, axis2));
}

ArrayCore diag(const NodePointer& value, std::int64_t offset) {
    const int rank = value->shape.rank();
    if (rank == 2) return copy_of(diagonal(array_value(value), offset, 0, 1), Layout::row_major);
    if (rank != 1) {
        throw ShapeError("diag: an array of shape " + to_string(value->shape) + " is neither a vector nor a matrix");
    }
    std::int64_t n = 0;
    const std::int64_t beside = offset < 0 ? -std::max(offset, -std::numeric_limits<std::int64_t>::max()) : offset;
    if (__builtin_add_overflow(value->shape[0], beside, &n)) throw ShapeError("diag: more than 2^63 - 1 rows");
    const ArrayCore elements = array_value(value);
    const DeviceGuard guard(elements.storage->device());
    const ArrayCore result = full(value->dtype, Shape{n, n}, scalar_node(value->dtype, std::int64_t{0}));
    ArrayCore line = diagonal(result, offset, 0, 1);
    assign(line, leaf(elements), false);
    return result;
}

ArrayCore triangle(const NodePointer& value, std::int64_t offset, bool lower) {
    const Shape& shape = shape_of(*value);
    if (shape.rank() < 2) {
        throw ShapeError(std::string(lower ? "tril" : "triu") + ": an array of shape " + to_string(shape) +
                         " has fewer than 2 axes");
    }
    const std::int64_t rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
    // lower: column <= row + offset; a diagonal outside the array is equivalent to one at its edge
    const std::int64_t at = std::clamp(offset, -rows - 1, columns + 1);
    const NodePointer row = leaf(expanded(arange(DType::int64, at, at + rows, std::int64_t{1}), 1));
    const NodePointer column = leaf(arange(DType::int64, std::int64_t{0}, columns, std::int64_t{1}));
    const NodePointer kept = lower ? node(Op::less_equal, DType::boolean, DType::int64, column, row)
                                   : node(Op::greater_equal, DType::boolean, DType::int64, column, row);
    return evaluate(where_node(value->dtype, kept, value, scalar_node(value->dtype, std::int64_t{0})));
}

std::vector<ArrayCore> meshgrid(const std::vector<ArrayCore>& axes, bool first_is_row) {
    Shape shape;
    for (const ArrayCore& axis : axes) {
        if (axis.shape.rank() > 1) {
            throw ShapeError("meshgrid: an input has shape " + to_string(axis.shape) + "; each must have one axis");
        }
        shape.append(axis.shape.size());
    }
    const bool swapped = !first_is_row && axes.size() > 1;
    if (swapped) std::swap(shape[0], shape[1]);
    std::vector<ArrayCore> grids;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const std::size_t place = swapped && k < 2 ? 1 - k : k;
        TargetShape along;  // this input varies along one axis
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            along.push_back(axis == place ? axes[k].shape.size() : 1);
        const ArrayCore line = reshaped(axes[k], along);
        const DeviceGuard guard(line.storage->device());
        grids.push_back(copy_of(broadcasted(line, shape), Layout::row_major));
    }
    return grids;
}

}  // namespace gpu::detail
