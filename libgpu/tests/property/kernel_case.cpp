// SPDX-License-Identifier: MIT
// The bodies of kernel_bodies.cpp with random types, layouts, axes and sizes.
#include <algorithm>
#include <cmath>

#include "property/kernel_call.hpp"

namespace property {

namespace {

using gpu::DType;
using gpu::detail::ListedParameter;
using Position = std::vector<std::int64_t>;

// One result with a bound that grows with the type's rounding.
Element expected(DType type, double value, double error) {
    const Format& format = format_of(type);
    if (format.kind == Format::Kind::boolean) return {value != 0 ? 1.0L : 0.0L, 0, 0};
    if (format.kind == Format::Kind::integer) return wrapped(type, static_cast<Wide>(std::llround(value)));
    if (std::fabs(value) + error >= 0.9 * static_cast<double>(format.largest)) return unknown();
    return {value, 0, error};
}

double eps_of(DType type) { return static_cast<double>(format_of(type).eps); }

std::string quoted(const char* text) { return std::string("R\"(") + text + ")\""; }

void elementwise_body_case(Trial& trial, const ElementwiseBody& body, Random& plan, Random& draw, int size) {
    Call call(body.inputs, body.outputs, body.kinds, plan);
    const bool is_given = body.reads_outputs || call.needs_outputs() || plan.chance(35);
    const bool has_loop = std::any_of(call.parameters.inputs.begin(), call.parameters.inputs.end(),
                                      [](const ListedParameter& one) { return !one.is_raw && one.name != "s"; });
    const int block = plan.chance(20) ? 32 << plan.below(6) : 0;
    gpu::Shape shape = draw_shape(has_loop || is_given ? 1 + plan.below(4) : 1, draw, size);
    if (plan.chance(5)) shape = {};
    if (shape.rank() == 0 && !has_loop && !is_given) shape = gpu::Shape{3};
    add_inputs(call, shape, body.raw_rank, plan, draw);
    if (is_given) add_outputs(call, shape, plan, draw);
    gpu::ElementwiseLaunch launch{.block = block};
    if (!has_loop && !is_given) launch.size = shape.size();
    trial.program = call.definitions + "  gpu::ElementwiseKernel kernel(\"" + body.inputs + "\", \"" + body.outputs +
                    "\", " + quoted(body.text) + ", \"body\");\n  kernel(" + call.spelling + ", {" +
                    (launch.size.is_decided() ? ".size = " + std::to_string(shape.size()) + ", " : "") +
                    ".block = " + std::to_string(block) + "});";

    const WalkedInputs walked(call, shape);
    const std::size_t outputs = call.parameters.outputs.size();
    std::vector<Elements> wanted;
    for (const ListedParameter& output : call.parameters.outputs) wanted.push_back({call.type_of(output), shape, {}});
    std::int64_t i = 0;
    for_each_position(shape, [&](const Position& at) {
        const Position place = shape.rank() > 0 ? at : Position{0};
        Cell cell{.s = call.number,
                  .i = i,
                  .n = shape.size(),
                  .at = &place,
                  .t = &call.raw_values,
                  .lengths = &call.raw_lengths};
        const auto here = static_cast<std::size_t>(i++);
        walked.set(cell, here);
        const auto old = [&](std::size_t k) {
            return is_given ? call.inputs[call.inputs.size() - outputs + k].elements.values[here].re : 0;
        };
        cell.z = static_cast<double>(old(0));
        cell.w = outputs > 1 ? static_cast<double>(old(1)) : 0;
        body.function(cell);
        for (std::size_t k = 0; k < outputs; ++k) {
            const double value = k == 0 ? cell.z : cell.w;
            const double reach = std::max(body.scale, std::fabs(value));
            wanted[k].values.push_back(expected(wanted[k].dtype, value, 8 * eps_of(wanted[k].dtype) * reach));
        }
    });
    const gpu::ElementwiseKernel kernel(body.inputs, body.outputs, body.text, "body");
    tell(trial, call, wanted, run(kernel, call, launch), is_given);
}

/// The elements of one result, as they are mapped, and how much rounding they may cost.
struct Group {
    double total = 0, size = 0;
    std::int64_t count = 0;
};

double growth_of(const ReductionBody& body, const Group& group, double accumulator_eps) {
    const double n = static_cast<double>(group.count) + 4;
    switch (body.growth) {
        case Growth::sum: return n * accumulator_eps * (group.size + std::fabs(body.start));
        case Growth::product: return 2 * n * accumulator_eps * std::fabs(group.total);
        case Growth::choice: return 0;
    }
    return 0;
}

void reduction_body_case(Trial& trial, const ReductionBody& body, Random& plan, Random& draw, int size) {
    Call call(body.inputs, body.outputs, body.kinds, plan);
    const bool is_given = call.needs_outputs() || plan.chance(35), keepdims = plan.chance(30);
    gpu::Shape shape = draw_shape(1 + plan.below(4), draw, size);
    const int long_rows = plan.below(100);  // long enough for several groups and blocks
    if (size == 3 && long_rows < 15 && draw.chance(40)) {
        shape = long_rows < 8 ? gpu::Shape{draw.between(16'000, 40'000)} : gpu::Shape{3, draw.between(9'000, 17'000)};
    }
    for (int axis = 0; axis < shape.rank() && body.identity[0] == '\0'; ++axis) {
        shape[axis] = std::max<std::int64_t>(shape[axis], 1);
    }
    std::vector<bool> reduced(static_cast<std::size_t>(shape.rank()), true);
    std::vector<int> axes;
    const std::uint64_t choice = plan.next();
    if (choice % 3 != 0) {
        for (int axis = 0; axis < shape.rank(); ++axis) {
            const bool is_reduced = ((choice >> (8 + axis)) & 1) != 0 || axis + 1 == shape.rank();
            const int place = ((choice >> 20) & 1) != 0 && is_reduced ? shape.rank() - 1 - axis : axis;
            if (is_reduced && std::find(axes.begin(), axes.end(), place) == axes.end()) axes.push_back(place);
        }
        std::fill(reduced.begin(), reduced.end(), false);
        for (int axis : axes) reduced[static_cast<std::size_t>(axis)] = true;
    }
    gpu::Shape result;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const bool gone = reduced[static_cast<std::size_t>(axis)];
        if (!gone || keepdims) result.append(gone ? 1 : shape[axis]);
    }
    add_inputs(call, shape, -1, plan, draw);
    if (is_given) add_outputs(call, result, plan, draw);
    std::string list;
    for (int axis : axes) list += (list.empty() ? "" : ", ") + std::to_string(axis);
    trial.program = call.definitions + "  gpu::ReductionKernel kernel(\"" + body.inputs + "\", \"" + body.outputs +
                    "\", " + quoted(body.map) + ", " + quoted(body.reduce) + ", " + quoted(body.post) + ", \"" +
                    body.identity + "\", \"body\", {.reduce_type = \"" + body.reduce_type + "\"});\n  kernel(" +
                    call.spelling + ", {.axis = {" + list + "}, .keepdims = " + (keepdims ? "true" : "false") + "});";

    const WalkedInputs walked(call, shape);
    Cell cell{.s = call.number,
              .n = shape.size(),
              .results = result.size(),
              .t = &call.raw_values,
              .lengths = &call.raw_lengths};
    std::vector<Group> groups(static_cast<std::size_t>(result.size()));
    std::size_t number = 0;
    for_each_position(shape, [&](const Position& at) {
        Position there;
        std::int64_t place = 0;
        for (int axis = 0; axis < shape.rank(); ++axis) {
            const std::int64_t index = at[static_cast<std::size_t>(axis)];
            if (!reduced[static_cast<std::size_t>(axis)]) {
                there.push_back(index);
            } else {
                place = place * shape[axis] + index;
                if (keepdims) there.push_back(0);
            }
        }
        cell.i = place;
        walked.set(cell, number++);
        Group& group = groups[number_of(result, there)];
        const double value = body.map_function(cell);
        group.total = group.count++ == 0 ? value : body.reduce_function(group.total, value);
        group.size += std::fabs(value);
    });
    std::vector<Elements> wanted;
    for (const ListedParameter& output : call.parameters.outputs) wanted.push_back({call.type_of(output), result, {}});
    const DType first = wanted.front().dtype;
    const double wide_eps = eps_of(first == DType::float16 ? DType::float32 : first);
    for (Group& group : groups) {
        if (group.count == 0)
            group.total = body.start;
        else if (body.identity[0] != '\0')
            group.total = body.reduce_function(body.start, group.total);
        const double error = growth_of(body, group, wide_eps);
        body.post_function(cell, group.total);
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            const double value = k == 0 ? cell.z : cell.w, reach = std::fabs(value) + std::fabs(call.number);
            wanted[k].values.push_back(
                std::isnan(value) ? Element{not_a_number, 0, 0}
                                  : expected(wanted[k].dtype, value, error + 8 * eps_of(wanted[k].dtype) * reach));
        }
    }
    const gpu::ReductionKernel kernel(body.inputs, body.outputs, body.map, body.reduce, body.post, body.identity,
                                      "body", {.reduce_type = body.reduce_type});
    const gpu::ReductionLaunch launch{.axis = gpu::Axes(std::span<const int>(axes)), .keepdims = keepdims};
    tell(trial, call, wanted, run(kernel, call, launch), is_given);
}

}  // namespace

int kernel_body_count() { return static_cast<int>(elementwise_bodies().size() + reduction_bodies().size()); }

void kernel_case(Trial& trial, int body, Random& plan, Random& draw, int size) {
    const auto number = static_cast<std::size_t>(body);
    const std::size_t elementwise = elementwise_bodies().size();
    if (number < elementwise)
        elementwise_body_case(trial, elementwise_bodies()[number], plan, draw, size);
    else
        reduction_body_case(trial, reduction_bodies()[number - elementwise], plan, draw, size);
}

}  // namespace property
