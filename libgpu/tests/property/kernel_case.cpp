// SPDX-License-Identifier: MIT
// The bodies of kernel_bodies.cpp with random types, layouts, axes and sizes.
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "codegen/parameter_list.hpp"
#include "property/kernel_bodies.hpp"
#include "property/trial.hpp"

namespace property {

namespace {

using gpu::DType;
using gpu::detail::ListedParameter;
using gpu::detail::ListedParameters;
using Position = std::vector<std::int64_t>;

constexpr DType reals[] = {DType::float32, DType::float64, DType::float16};
constexpr DType integers[] = {DType::int32, DType::int64, DType::int16};

DType draw_type(Kinds kinds, Random& plan) {
    const bool real = kinds == Kinds::real || (kinds == Kinds::any && plan.chance(60));
    return real ? reals[plan.below(3)] : integers[plan.below(3)];
}

/// What a call is made of: the same for both kinds of kernels.
struct Call {
    Call(const char* in, const char* out, Kinds kinds, Random& plan)
        : parameters(gpu::detail::parse_parameters(in, out, "body")) {
        placeholders = {
            {"T", draw_type(kinds, plan)}, {"X", draw_type(kinds, plan)}, {"Z", draw_type(Kinds::real, plan)}};
    }
    [[nodiscard]] DType type_of(const ListedParameter& one) const {
        return one.dtype ? *one.dtype : placeholders.at(one.placeholder);
    }
    // Z is an output's only: nothing else decides it.
    [[nodiscard]] bool needs_outputs() const {
        return std::any_of(parameters.outputs.begin(), parameters.outputs.end(),
                           [](const ListedParameter& one) { return one.placeholder == "Z"; });
    }

    ListedParameters parameters;
    std::map<std::string, DType> placeholders;
    std::vector<gpu::Operand> operands;
    std::vector<Input> inputs;  ///< of x and y, then outputs that are given
    Input raw;
    std::vector<double> raw_values;
    Position raw_lengths;
    double number = 0;
    std::string definitions, spelling;
};

Values values_for(DType type) {
    Values values;
    values.exact = true;
    values.divisor = type != DType::boolean && is_integral(type);
    return values;
}

void add_operand(Call& call, const gpu::Operand& operand, const std::string& spelling) {
    call.operands.push_back(operand);
    call.spelling += (call.spelling.empty() ? "" : ", ") + spelling;
}

gpu::Operand operand_of(const Input& input) { return gpu::Operand(gpu::AnyArray(input.window)); }

void add_raw(Call& call, DType type, int wanted, Random& plan, Random& draw) {
    gpu::Shape shape;
    const int rank = wanted >= 0 ? wanted : plan.below(4);
    for (int axis = 0; axis < rank; ++axis) shape.append(draw.between(1, 6));
    call.raw = draw_input("t", type, shape, values_for(type), plan, draw, 4);
    for (const Element& element : call.raw.elements.values) call.raw_values.push_back(static_cast<double>(element.re));
    for (std::int64_t length : shape) call.raw_lengths.push_back(length);
    call.definitions += "  " + call.raw.definition + "\n";
    add_operand(call, operand_of(call.raw), call.raw.spelling);
}

// A part of the shape, as broadcasting completes it.
gpu::Shape draw_smaller(const gpu::Shape& shape, Random& plan) {
    if (plan.chance(50)) return shape;
    gpu::Shape smaller;
    for (int axis = plan.below(shape.rank() + 1); axis < shape.rank(); ++axis) {
        smaller.append(plan.chance(30) ? 1 : shape[axis]);
    }
    return smaller;
}

// The first array has the whole shape.
void add_inputs(Call& call, const gpu::Shape& shape, int raw_rank, Random& plan, Random& draw) {
    bool first = true;
    for (const ListedParameter& parameter : call.parameters.inputs) {
        const DType type = call.type_of(parameter);
        if (parameter.name == "s") {
            call.number = static_cast<double>(draw_value(type, values_for(type), draw).re);
            add_operand(call, gpu::Operand(call.number), std::to_string(call.number));
        } else if (parameter.is_raw) {
            add_raw(call, type, raw_rank, plan, draw);
        } else {
            const gpu::Shape own = first ? shape : draw_smaller(shape, plan);
            call.inputs.push_back(draw_input(parameter.name, type, own, values_for(type), plan, draw, 4));
            call.definitions += "  " + call.inputs.back().definition + "\n";
            add_operand(call, operand_of(call.inputs.back()), call.inputs.back().spelling);
            first = false;
        }
    }
}

void add_outputs(Call& call, const gpu::Shape& shape, Random& plan, Random& draw) {
    for (const ListedParameter& parameter : call.parameters.outputs) {
        const DType type = call.type_of(parameter);
        const Input target = draw_input(parameter.name, type, shape, values_for(type), plan, draw);
        call.definitions += "  " + target.definition + "\n";
        add_operand(call, gpu::Operand(gpu::Output(target.window)), "gpu::out(" + target.spelling + ")");
        call.inputs.push_back(target);
    }
}

template <class Kernel, class Launch>
std::vector<gpu::detail::ArrayCore> run(const Kernel& kernel, const Call& call, const Launch& launch) {
    const auto with = [&](std::initializer_list<gpu::Operand> operands) -> std::vector<gpu::detail::ArrayCore> {
        if (call.parameters.outputs.size() == 1) {
            const auto [z] = kernel.template all<1>(operands, launch);
            return {z.core()};
        }
        const auto [z, w] = kernel.template all<2>(operands, launch);
        return {z.core(), w.core()};
    };
    const std::vector<gpu::Operand>& o = call.operands;
    switch (o.size()) {
        case 1: return with({o[0]});
        case 2: return with({o[0], o[1]});
        case 3: return with({o[0], o[1], o[2]});
        case 4: return with({o[0], o[1], o[2], o[3]});
        case 5: return with({o[0], o[1], o[2], o[3], o[4]});
        default: throw std::logic_error("a body with too many operands");
    }
}

// One result with a bound that grows with the type's rounding.
Element expected(DType type, double value, double error) {
    const Format& format = format_of(type);
    if (format.kind == Format::Kind::boolean) return {value != 0 ? 1.0L : 0.0L, 0, 0};
    if (format.kind == Format::Kind::integer) return wrapped(type, static_cast<Wide>(std::llround(value)));
    if (std::fabs(value) + error >= 0.9 * static_cast<double>(format.largest)) return unknown();
    return {value, 0, error};
}

double eps_of(DType type) { return static_cast<double>(format_of(type).eps); }

// What was wanted and what came of all outputs, one behind the other; of those that were given, the whole array.
void tell(Trial& trial, const Call& call, const std::vector<Elements>& wanted,
          const std::vector<gpu::detail::ArrayCore>& got, bool given) {
    // The judge compares arrays of one type: of two outputs, one after the other, as double.
    std::int64_t count = 0;
    const std::size_t outputs = wanted.size();
    for (std::size_t k = 0; k < outputs; ++k) {
        Elements want = wanted[k], result;
        if (given) {
            const Input& target = call.inputs[call.inputs.size() - outputs + k];
            result = to_elements(target.array);
            want = target.base;
            for (std::size_t at = 0; at < target.place.size(); ++at) {
                want.values[target.place[at]] = wanted[k].values[at];
            }
        } else {
            result = to_elements(got[k]);
            if (result.dtype != want.dtype || !(result.shape == want.shape)) {
                throw std::runtime_error("an output has another type or shape: " + gpu::to_string(result.shape));
            }
        }
        if (outputs == 1) {
            trial.want = want;
            trial.got = result;
            return;
        }
        count += want.shape.size();
        trial.want.values.insert(trial.want.values.end(), want.values.begin(), want.values.end());
        trial.got.values.insert(trial.got.values.end(), result.values.begin(), result.values.end());
    }
    trial.want.dtype = trial.got.dtype = DType::float64;
    trial.want.shape = trial.got.shape = gpu::Shape{count};
}

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

    // In the order of the parameters: x or y, or both.
    std::vector<Elements> walked;
    std::vector<double Cell::*> members;
    std::size_t next = 0;
    for (const ListedParameter& parameter : call.parameters.inputs) {
        if (parameter.is_raw || parameter.name == "s") continue;
        walked.push_back(broadcasted(call.inputs[next++].elements, shape));
        members.push_back(parameter.name == "x" ? &Cell::x : &Cell::y);
    }
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
        for (std::size_t k = 0; k < walked.size(); ++k)
            cell.*members[k] = static_cast<double>(walked[k].values[here].re);
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

    std::vector<Elements> walked;
    std::vector<double Cell::*> members;
    std::size_t next = 0;
    for (const ListedParameter& parameter : call.parameters.inputs) {
        if (parameter.is_raw || parameter.name == "s") continue;
        walked.push_back(broadcasted(call.inputs[next++].elements, shape));
        members.push_back(parameter.name == "x" ? &Cell::x : &Cell::y);
    }
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
        for (std::size_t k = 0; k < walked.size(); ++k) {
            cell.*members[k] = static_cast<double>(walked[k].values[number].re);
        }
        ++number;
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
