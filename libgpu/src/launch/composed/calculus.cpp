// SPDX-License-Identifier: MIT
// Derivatives, integrals and values between points: gradient, trapezoid, interp.
#include <string>

#include <gpu/error.hpp>
#include <gpu/indexing.hpp>
#include <gpu/join.hpp>
#include <gpu/statistics.hpp>

#include "array/shape.hpp"
#include "codegen/indexing_text.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// Operations on real or complex numbers of one type.
struct Arithmetic {
    DType type;
    [[nodiscard]] NodePointer operator()(Op op, const NodePointer& a, const NodePointer& b) const {
        return node(op, type, type, a, b);
    }
    [[nodiscard]] NodePointer number(double value) const { return cast_node(type, scalar_node(DType::float64, value)); }
};

// A vector along one axis of an array with so many axes.
ArrayCore along_axis(ArrayCore vector, int axis, int rank) {
    for (int k = 0; k < axis; ++k) vector = expanded(vector, 0);
    for (int k = axis + 1; k < rank; ++k) vector = expanded(vector, k);
    return vector;
}

std::string axis_text(const char* operation, int axis, const Shape& shape) {
    return std::string(operation) + ": axis " + std::to_string(axis) + " of an array of shape " + to_string(shape);
}

int derived_axis(int axis, const Shape& shape) {
    const int along = checked_axis(axis, shape.rank(), shape, "gradient");
    if (shape[along] < 2) {
        throw ShapeError(axis_text("gradient", along, shape) + " has length " + std::to_string(shape[along]) +
                         "; a difference needs 2 elements");
    }
    return along;
}

void store(ArrayCore target, const NodePointer& value) { assign(target, cast_node(target.dtype, value), false); }

// The first and the last result: differences to the only neighbours. Both in one kernel: a step of n - 1 leads from one
// end to the other.
struct AtEnds {
    int along;
    std::int64_t n;
    [[nodiscard]] ArrayCore results(const ArrayCore& array) const { return window_of(array, along, 0, 2, n - 1); }
    [[nodiscard]] NodePointer change(const Arithmetic& of, const ArrayCore& array) const {
        return of(Op::subtract, leaf(window_of(array, along, 1, 2, n - 2)), leaf(window_of(array, along, 0, 2, n - 2)));
    }
};

}  // namespace

ArrayCore gradient(DType result, const NodePointer& value, const GradientOptions& options) {
    const Shape shape = value->shape;
    const int along = derived_axis(options.axis, shape);
    const std::int64_t n = shape[along];
    const Arithmetic of{comparable(result)};
    const ArrayCore f = array_value(cast_node(result, value));
    const DeviceGuard guard(f.storage->device());
    const ArrayCore made = make_array(result, shape);
    const NodePointer across =
        of(Op::subtract, leaf(window_of(f, along, 2, n - 2)), leaf(window_of(f, along, 0, n - 2)));
    store(window_of(made, along, 1, n - 2), of(Op::divide, across, of.number(2 * options.spacing)));
    const AtEnds ends{along, n};
    store(ends.results(made), of(Op::divide, ends.change(of, f), of.number(options.spacing)));
    return made;
}

ArrayCore gradient_at(DType result, const NodePointer& value, const NodePointer& places, int axis) {
    const Shape shape = value->shape;
    const int along = derived_axis(axis, shape);
    const std::int64_t n = shape[along];
    if (!(places->shape == Shape{n})) {
        throw ShapeError(axis_text("gradient", along, shape) + " has length " + std::to_string(n) +
                         ", the coordinates have shape " + to_string(places->shape));
    }
    const Arithmetic of{comparable(promote_types(result, floating(places->dtype)))};
    const ArrayCore f = array_value(cast_node(result, value));
    const ArrayCore x = along_axis(array_value(cast_node(of.type, places)), along, shape.rank());
    const DeviceGuard guard(common_device({&f, &x}, "gradient"));
    const ArrayCore made = make_array(result, shape);
    const auto at = [&](const ArrayCore& array, std::int64_t first) {
        return leaf(window_of(array, along, first, n - 2));
    };
    const NodePointer before = of(Op::subtract, at(x, 1), at(x, 0)), after = of(Op::subtract, at(x, 2), at(x, 1));
    const NodePointer sum = of(Op::add, before, after);
    const NodePointer a = of(Op::divide, node(Op::negate, of.type, after), of(Op::multiply, before, sum));
    const NodePointer b = of(Op::divide, of(Op::subtract, after, before), of(Op::multiply, before, after));
    const NodePointer c = of(Op::divide, before, of(Op::multiply, after, sum));
    const NodePointer two = of(Op::add, of(Op::multiply, a, at(f, 0)), of(Op::multiply, b, at(f, 1)));
    store(window_of(made, along, 1, n - 2), of(Op::add, two, of(Op::multiply, c, at(f, 2))));
    const AtEnds ends{along, n};
    store(ends.results(made), of(Op::divide, ends.change(of, f), ends.change(of, x)));
    return made;
}

std::vector<ArrayCore> gradients(DType result, const NodePointer& value, const GradientAxes& options) {
    const int rank = value->shape.rank(), count = options.axes.all() ? rank : options.axes.count();
    const std::size_t spacings = options.spacing.size();
    if (spacings > 1 && spacings != static_cast<std::size_t>(count)) {
        throw ShapeError("gradient: " + std::to_string(spacings) + " distances for " + std::to_string(count) +
                         " axes: give one for each, or one for all");
    }
    std::vector<int> axes;
    for (int k = 0; k < count; ++k) axes.push_back(options.axes.all() ? k : options.axes[k]);
    (void)named_axes(axes, value->shape, "gradient");
    const NodePointer f = leaf(array_value(value));
    std::vector<ArrayCore> made;
    for (std::size_t k = 0; k < axes.size(); ++k)
        made.push_back(gradient(
            result, f, {.axis = axes[k], .spacing = spacings == 0 ? 1 : options.spacing[spacings == 1 ? 0 : k]}));
    return made;
}

ArrayCore trapezoid(DType result, const NodePointer& value, const NodePointer& places,
                    const TrapezoidOptions& options) {
    const Shape shape = value->shape;
    const int rank = shape.rank(), along = checked_axis(options.axis, rank, shape, "trapezoid");
    const std::int64_t n = shape[along], gaps = n > 0 ? n - 1 : 0;
    const Arithmetic of{comparable(result)};
    const auto neighbours = [&](Op op, const ArrayCore& array) {
        return of(op, leaf(window_of(array, along, 1, gaps)), leaf(window_of(array, along, 0, gaps)));
    };
    const ArrayCore y = array_value(cast_node(of.type, value));
    NodePointer width = of.number(options.dx);
    if (places != nullptr) {
        const bool is_vector = places->shape == Shape{n};
        if (!is_vector && !(places->shape == shape)) {
            throw ShapeError(axis_text("trapezoid", along, shape) + ": the coordinates have shape " +
                             to_string(places->shape) + "; they are a vector of length " + std::to_string(n) +
                             ", or an array of the same shape");
        }
        const ArrayCore x = array_value(cast_node(of.type, places));
        width = neighbours(Op::subtract, is_vector ? along_axis(x, along, rank) : x);
    }
    const NodePointer areas = of(Op::divide, of(Op::multiply, width, neighbours(Op::add, y)), of.number(2));
    return reduce({.kind = Reduction::sum, .element = of.type, .result = result}, areas, {.axis = along});
}

ArrayCore interp(DType result, const NodePointer& value, const NodePointer& places, const NodePointer& values,
                 const InterpOptions& options) {
    const Shape &of_places = places->shape, &of_values = values->shape;
    const std::string shapes =
        "interp: xp has shape " + to_string(of_places) + " and fp shape " + to_string(of_values) + ": ";
    if (of_places.rank() != 1 || !(of_places == of_values)) {
        throw ShapeError(shapes + "each point needs a coordinate and a value, in two vectors");
    }
    if (of_places.size() == 0) throw ShapeError(shapes + "there must be a point");
    const DType element = comparable(result);
    const ArrayCore x = dense_value(value, element), xp = dense_value(places, element),
                    fp = dense_value(values, element);
    const Device device = common_device({&x, &xp, &fp}, "interp");
    const DeviceGuard guard(device);
    const ArrayCore made = make_array(element, x.shape);
    launch_builtin_with(
        device, std::string("interp") + static_cast<char>('a' + static_cast<int>(element)),
        [&] { return interp_text(element); }, {x.shape.size(), x.shape.size()}, address_of(x), address_of(xp),
        address_of(fp), address_of(made), xp.shape.size(), x.shape.size(), options.left.value_or(0),
        options.right.value_or(0),
        static_cast<int>(options.left.has_value()), static_cast<int>(options.right.has_value()));
    made.storage->mark_written();
    return result == element ? made : evaluate(cast_node(result, leaf(made)));
}

}  // namespace gpu::detail
