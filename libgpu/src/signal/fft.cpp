// SPDX-License-Identifier: MIT
// Fourier transforms: shapes, copies where they are needed, and groups of axes that one call of the backend can do.
#include "signal/fft.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/fft.hpp>
#include <gpu/join.hpp>

#include "array/shape.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/library_call.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::atomic<FourierTransforms*> replaced_fourier{nullptr};

}  // namespace

FourierTransforms& fourier_of(Device device) {
    if (FourierTransforms* const other = replaced_fourier.load()) return *other;
    return backend(device).fourier(device.index());
}

void replace_fourier(FourierTransforms* other) noexcept { replaced_fourier.store(other); }

namespace {

/// One call of a function of gpu::fft, with its arguments checked.
struct FourierPlan {
    const char* operation;
    Transform transform;
    DType real;
    NamedAxes axes;
    int half = -1;      ///< the axis along which a real array's transform has only its first half; -1: there is none
    Shape points = {};  ///< of the array that is transformed, of the real one if there is one
    Shape input = {};   ///< what the argument is cut or extended to
    Shape output = {};
    double scale = 1;

    [[nodiscard]] bool is_inverse() const noexcept {
        return transform == Transform::ifft || transform == Transform::irfft;
    }
    [[nodiscard]] DType complex() const noexcept { return complex_dtype(real); }
    [[nodiscard]] DType input_dtype() const noexcept { return transform == Transform::rfft ? real : complex(); }
    [[nodiscard]] DType output_dtype() const noexcept { return transform == Transform::irfft ? real : complex(); }
    /// The shape while the numbers are complex.
    [[nodiscard]] const Shape& spectrum() const noexcept { return transform == Transform::rfft ? output : input; }
};

/// Neighbouring axes that are transformed together, and what is before and behind them.
struct AxisGroup {
    std::vector<int> axes;
    std::int64_t before = 1, behind = 1;
};

std::string axis_text(int axis, const Shape& shape) {
    return "axis " + std::to_string(axis) + " of an array of shape " + to_string(shape);
}

// NumPy's rule: the last axes if only their lengths are given.
std::vector<int> wanted_axes(const char* operation, const Shape& shape, const TargetShape& s, const Axes& axes) {
    std::vector<int> wanted;
    if (axes.all()) {
        const int count = s.rank() > 0 ? s.rank() : shape.rank();
        if (count > shape.rank()) {
            throw ShapeError(std::string(operation) + ": s " + to_string(s) +
                             " has more lengths than an array of shape " + to_string(shape) + " has axes");
        }
        for (int axis = shape.rank() - count; axis < shape.rank(); ++axis) wanted.push_back(axis);
        return wanted;
    }
    for (int k = 0; k < axes.count(); ++k) wanted.push_back(axes[k]);
    if (s.rank() > 0 && s.rank() != axes.count()) {
        throw ShapeError(std::string(operation) + ": s " + to_string(s) + " doesn't have one length for each axis: " +
                         (axes.count() == 1 ? "1 axis is" : std::to_string(axes.count()) + " axes are") + " named");
    }
    return wanted;
}

// The number of points along an axis of the array that is transformed.
std::int64_t points_along(const FourierPlan& plan, const Shape& shape, int axis, std::int64_t wanted) {
    const std::string operation = plan.operation;
    if (wanted != -1) {
        if (wanted >= 1) return wanted;
        throw ShapeError(operation + ": " + std::to_string(wanted) + " points along " + axis_text(axis, shape) +
                         ": a transform has at least 1");
    }
    const bool doubles = plan.transform == Transform::irfft && axis == plan.half;
    const std::int64_t points = doubles ? 2 * (shape[axis] - 1) : shape[axis];
    if (points >= 1) return points;
    throw ShapeError(operation + ": " + axis_text(axis, shape) + " gives " + std::to_string(points) +
                     " points, but a transform has at least 1: say how many with " +
                     (operation.ends_with("fft") ? "n" : "s"));
}

FourierPlan plan_of(const char* operation, Transform transform, DType real, const Shape& shape, const TargetShape& s,
                    const Axes& axes, fft::Norm norm) {
    FourierPlan plan{.operation = operation, .transform = transform, .real = real, .axes = {}};
    const std::vector<int> wanted = wanted_axes(operation, shape, s, axes);
    plan.axes = named_axes(wanted, shape, operation);
    if (transform == Transform::rfft || transform == Transform::irfft) {
        if (wanted.empty()) throw AxisError(std::string(operation) + ": an array of shape () has no axis");
        plan.half = plan.axes.order[wanted.size() - 1];
    }
    plan.points = shape;
    double count = 1;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const int axis = plan.axes.order[k];
        plan.points[axis] = points_along(plan, shape, axis, s.rank() > 0 ? s[static_cast<int>(k)] : -1);
        count *= static_cast<double>(plan.points[axis]);
    }
    plan.input = plan.output = plan.points;
    if (plan.half >= 0) {
        Shape& complex = transform == Transform::rfft ? plan.output : plan.input;
        complex[plan.half] = complex[plan.half] / 2 + 1;
    }
    if (norm == fft::Norm::ortho)
        plan.scale = 1 / std::sqrt(count);
    else if (plan.is_inverse() == (norm == fft::Norm::backward))
        plan.scale = 1 / count;
    return plan;
}

NodePointer scaled(const FourierPlan& plan, DType type, const NodePointer& value) {
    if (plan.scale == 1) return value;
    return node(Op::multiply, type, type, value, scalar_node(type, plan.scale));
}

void assign_to(ArrayCore target, const NodePointer& value) { assign(target, value, false); }

/// The input as the backend takes it: dense, of the plan's type and lengths.
struct FourierInput {
    ArrayCore array;
    bool is_ours = false;  ///< a copy, which is already scaled
};

bool is_aligned(const ArrayCore& array, DType complex) {
    return reinterpret_cast<std::uintptr_t>(address_of(array)) % size_of(complex) == 0;
}

FourierInput input_of(const FourierPlan& plan, const NodePointer& value, bool must_be_ours) {
    const DType type = plan.input_dtype();
    const NodePointer typed = cast_node(type, value);
    if (value->shape == plan.input) {
        if (typed->op != Op::leaf) return {evaluate(scaled(plan, type, typed)), true};
        const ArrayCore array = array_value(typed);
        if (!must_be_ours && is_dense(array, Layout::row_major) && is_aligned(array, plan.complex())) return {array};
        return {plan.scale == 1 ? copy_of(array, Layout::row_major) : evaluate(scaled(plan, type, typed)), true};
    }
    ArrayCore part = array_value(value);
    const DeviceGuard guard(part.storage->device());
    const ArrayCore whole = make_array(type, plan.input);
    ArrayCore target = whole;
    bool is_longer = false;
    for (int axis = 0; axis < part.shape.rank(); ++axis) {
        is_longer = is_longer || plan.input[axis] > part.shape[axis];
        part.shape[axis] = target.shape[axis] = std::min(plan.input[axis], part.shape[axis]);
    }
    if (is_longer) assign_to(whole, scalar_node(type, 0.0));
    if (part.shape.size() > 0) assign_to(target, scaled(plan, type, cast_node(type, leaf(part))));
    return {whole, true};
}

// The axes along which complex numbers become others, in groups of up to three that lie side by side. Axes of length 1
// stay as they are. A group that ends at `plan.half` comes last.
std::vector<AxisGroup> groups_of(const FourierPlan& plan) {
    const Shape& shape = plan.spectrum();
    constexpr std::size_t max_axes = 3;
    std::vector<AxisGroup> groups;
    AxisGroup last;
    const auto wanted = [&](int axis) { return plan.axes.named[axis] && plan.points[axis] > 1; };
    if (plan.half >= 0 && plan.points[plan.half] > 1) {
        for (int axis = plan.half; axis >= 0 && last.axes.size() < max_axes; --axis) {
            if (wanted(axis))
                last.axes.insert(last.axes.begin(), axis);
            else if (shape[axis] > 1)
                break;
        }
    }
    bool continues = false;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (plan.points[axis] <= 1) continue;
        const bool is_last = std::find(last.axes.begin(), last.axes.end(), axis) != last.axes.end();
        if (!wanted(axis) || is_last) {
            continues = false;
            continue;
        }
        if (!continues || groups.back().axes.size() == max_axes) groups.emplace_back();
        groups.back().axes.push_back(axis);
        continues = true;
    }
    if (!last.axes.empty()) groups.push_back(last);
    for (AxisGroup& group : groups) {
        for (int axis = 0; axis < group.axes.front(); ++axis) group.before *= shape[axis];
        for (int axis = group.axes.back() + 1; axis < shape.rank(); ++axis) group.behind *= shape[axis];
    }
    return groups;
}

void call_backend(const FourierPlan& plan, const FourierProblem& problem, const ArrayCore& from, const ArrayCore& to) {
    const Device device = to.storage->device();
    const auto describe = [&]() -> LibraryCallText {
        const bool from_real = problem.kind == FourierKind::real_to_complex;
        const DType type = from_real ? plan.real : plan.complex();
        std::string text = std::string(name(type)) + ", ";
        for (int axis = 0; axis < problem.lengths.rank(); ++axis)
            text += (axis > 0 ? " x " : "") + std::to_string(problem.lengths[axis]);
        if (problem.batch > 1) text += ", " + std::to_string(problem.batch) + " of them";
        return {text, static_cast<std::size_t>(from.shape.size()) * size_of(from.dtype) +
                          static_cast<std::size_t>(to.shape.size()) * size_of(to.dtype)};
    };
    FourierTransforms& transforms = fourier_of(device);
    call_library(device, problem.stream, LedgerEntry::Kind::launch, plan.operation, describe,
                 [&] { transforms.transform(problem, address_of(from), address_of(to)); });
    mark_written(to);
}

// A window with one of these axes replaced by the given length, seen as (before, length, behind).
ArrayCore in_three(const ArrayCore& array, const AxisGroup& group, std::int64_t length) {
    return reshaped(array, TargetShape{group.before, length, group.behind});
}

// Transforms one group. Where it is neither the first nor the last of the axes, its lines are moved side by side, and
// back.
void transform_group(const FourierPlan& plan, const AxisGroup& group, FourierKind kind, const ArrayCore& from,
                     const ArrayCore& to) {
    const Device device = to.storage->device();
    FourierProblem problem{.device = device.index(),
                           .stream = native_stream({}, device),
                           .real = plan.real,
                           .kind = kind,
                           .lengths = {},
                           .batch = group.before * group.behind};
    for (const int axis : group.axes)
        problem.lengths.append(problem.is_real() ? plan.points[axis] : plan.spectrum()[axis]);
    if (group.behind == 1 || group.before == 1) {
        problem.interleaved = group.behind > 1;
        return call_backend(plan, problem, from, to);
    }
    const std::int64_t complex = problem.complex_lengths().size(), real = problem.lengths.size();
    const std::int64_t from_length = kind == FourierKind::real_to_complex ? real : complex;
    const std::int64_t to_length = kind == FourierKind::complex_to_real ? real : complex;
    const ArrayCore lines = copy_of(axes_swapped(in_three(from, group, from_length), 1, 2), Layout::row_major);
    const ArrayCore results =
        problem.is_real() ? make_array(to.dtype, Shape{group.before, group.behind, to_length}) : lines;
    call_backend(plan, problem, lines, results);
    assign_to(in_three(to, group, to_length), leaf(axes_swapped(results, 1, 2)));
}

// The half spectrum of a real array has planes that are their own conjugates, mirrored: the first one, and, of an even
// number of points, the last. Libraries may take this for granted; NumPy's meaning is that what differs is ignored.
void make_hermitian(const FourierPlan& plan, const AxisGroup& group, const ArrayCore& spectrum) {
    Shape shape{group.before};
    for (const int axis : group.axes) shape.append(spectrum.shape[axis]);
    const int half = shape.rank() - 1;
    shape.append(group.behind);
    ArrayCore planes = reshaped(spectrum, TargetShape(shape));
    const std::int64_t points = plan.points[group.axes.back()];
    const bool has_two = points % 2 == 0;
    planes.strides[half] *= points / 2;
    planes.shape[half] = has_two ? 2 : 1;
    const DType type = plan.complex();
    if (half == 1) return assign_to(planes, cast_node(type, node(Op::real, plan.real, leaf(planes))));
    NodePointer mirrored = leaf(planes);
    for (int axis = 1; axis < half; ++axis) {
        const int mirrored_axis[] = {axis};
        mirrored = leaf(roll(leaf(flipped(mirrored->array, mirrored_axis)), 1, axis));
    }
    const NodePointer sum = node(Op::add, type, type, leaf(planes), node(Op::conj, type, mirrored));
    assign_to(planes, node(Op::multiply, type, type, sum, scalar_node(type, 0.5)));
}

}  // namespace

ArrayCore transformed(const char* operation, Transform transform, DType real, const NodePointer& value,
                      const TargetShape& s, const Axes& axes, fft::Norm norm) {
    const FourierPlan plan = plan_of(operation, transform, real, value->shape, s, axes, norm);
    refuse_in_capture(operation);
    std::vector<AxisGroup> groups = groups_of(plan);
    const bool is_inverse_real = transform == Transform::irfft, is_forward_real = transform == Transform::rfft;
    const FourierInput input = input_of(plan, value, groups.empty() || is_inverse_real);
    const DeviceGuard guard(input.array.storage->device());
    const bool reuses = input.is_ours && !is_inverse_real && !is_forward_real;
    const ArrayCore output = reuses ? input.array : make_array(plan.output_dtype(), plan.output);
    if (plan.output.size() == 0) return output;

    // The group with the real axis comes first if the numbers become complex, and last if they become real.
    const bool has_real_group = plan.half >= 0 && plan.points[plan.half] > 1;
    ArrayCore current = input.array;
    if (is_forward_real) {
        if (has_real_group) {
            transform_group(plan, groups.back(), FourierKind::real_to_complex, current, output);
            groups.pop_back();
        } else {
            assign_to(output, cast_node(plan.complex(), leaf(current)));
        }
        current = output;
    }
    const FourierKind kind = plan.is_inverse() ? FourierKind::inverse : FourierKind::forward;
    const std::size_t complex_groups = groups.size() - (is_inverse_real && has_real_group ? 1 : 0);
    for (std::size_t k = 0; k < complex_groups; ++k) {
        const ArrayCore& target = is_inverse_real ? current : output;
        transform_group(plan, groups[k], kind, current, target);
        current = target;
    }
    if (is_inverse_real) {
        if (has_real_group) {
            make_hermitian(plan, groups.back(), current);
            transform_group(plan, groups.back(), FourierKind::complex_to_real, current, output);
        } else {
            assign_to(output, node(Op::real, real, leaf(current)));
        }
    }
    if (!input.is_ours && plan.scale != 1) assign_to(output, scaled(plan, plan.output_dtype(), leaf(output)));
    return output;
}

ArrayCore frequencies(const char* operation, DType dtype, std::int64_t n, double d, bool half) {
    const auto refused = [&](const std::string& text) { return ShapeError(std::string(operation) + ": " + text); };
    if (n < 1) throw refused("n is " + std::to_string(n) + ": a transform has at least 1 point");
    if (d == 0) throw refused("d, the distance of two points, is 0");
    const DType whole = DType::int64;
    const NodePointer place = leaf(arange(whole, 0, half ? n / 2 + 1 : n, 1));
    NodePointer number = place;
    if (!half) {
        const NodePointer is_low = node(Op::less, DType::boolean, whole, place, scalar_node(whole, (n + 1) / 2));
        number = where_node(whole, is_low, place, node(Op::subtract, whole, whole, place, scalar_node(whole, n)));
    }
    const DType wide = DType::float64;
    const double unit = 1 / (static_cast<double>(n) * d);
    return evaluate(cast_node(dtype, node(Op::multiply, wide, wide, number, scalar_node(wide, unit))));
}

ArrayCore shifted(const char* operation, const NodePointer& value, const Axes& axes, bool back) {
    const Shape shape = value->shape;
    const std::vector<int> wanted = wanted_axes(operation, shape, {}, axes);
    const NamedAxes named = named_axes(wanted, shape, operation);
    ArrayCore array = array_value(value);
    if (wanted.empty()) return copy_of(array, Layout::row_major);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const std::int64_t middle = shape[named.order[k]] / 2;
        array = roll(leaf(array), back ? -middle : middle, named.order[k]);
    }
    return array;
}

}  // namespace gpu::detail
