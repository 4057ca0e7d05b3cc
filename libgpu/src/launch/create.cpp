// SPDX-License-Identifier: MIT
#include <gpu/create.hpp>

#include <cmath>

#include <gpu/error.hpp>

#include "launch/generated_call.hpp"
#include "runtime/context.hpp"

namespace gpu::detail {

namespace {

// start + i * step in double, converted to the element type: the i-th element needs no other.
ArrayCore ramp(DType dtype, std::int64_t count, double start, double step, double last, const char* name) {
    ArrayCore result = make_array(dtype, Shape{count});
    const std::string type(kernel_name(dtype));
    const NodePointer numbers[] = {scalar_node(DType::float64, start), scalar_node(DType::float64, step),
                                   scalar_node(DType::float64, last)};
    ElementwiseCall call{.device = current_device(),
                         .shape = result.shape,
                         .bindings = {},
                         .in_order = true,
                         .key = std::string("ramp") + static_cast<char>(dtype),
                         .text = {}};
    const char* const names[] = {"start", "step", "last"};
    for (int k = 0; k < 3; ++k) {
        const Parameter parameter{Parameter::Role::scalar, "double", names[k], false};
        call.bindings.push_back({parameter, DType::float64, nullptr, numbers[k].get()});
    }
    call.bindings.push_back({{.role = Parameter::Role::output, .type = type, .name = "out", .strided = false}, dtype,
                             &result, nullptr});
    call.text = [&] {
        return ElementwiseText{.name = name,
                               .parameters = {},
                               .rank = 1,
                               .typedefs = {},
                               .preamble = {},
                               .body = {"out = (" + type + ")(i == _ind.size() - 1 ? last : start + (double)i * step)",
                                        name, 1}};
    };
    launch_elementwise(call);
    return result;
}

}  // namespace

ArrayCore full(DType dtype, const Shape& shape, const NodePointer& value) {
    ArrayCore result = make_array(dtype, shape);
    assign(result, cast_node(dtype, value), false);
    return result;
}

ArrayCore arange(DType dtype, double start, double stop, double step) {
    if (step == 0 || std::isnan(start) || std::isnan(stop) || std::isnan(step)) {
        throw ShapeError("arange: the step can't be 0, and no end can be NaN");
    }
    const auto count = static_cast<std::int64_t>(std::max(0.0, std::ceil((stop - start) / step)));
    return ramp(dtype, count, start, step, start + static_cast<double>(count - 1) * step, "arange");
}

ArrayCore linspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint) {
    if (count < 0) throw ShapeError("linspace: a count of " + std::to_string(count));
    const auto gaps = static_cast<double>(endpoint ? count - 1 : count);
    const double step = gaps > 0 ? (stop - start) / gaps : 0;
    // The last element is `stop` itself, whatever rounding did on the way; a single one is `start`.
    const double last = count == 1 ? start : (endpoint ? stop : start + static_cast<double>(count - 1) * step);
    return ramp(dtype, count, start, step, last, "linspace");
}

}  // namespace gpu::detail
