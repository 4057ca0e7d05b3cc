// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "property/kernel_case.hpp"

// The bodies of kernel_bodies.cpp with random types, layouts, axes and sizes.
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

// Each kernel's body, and beside it the same as a plain C++ function in double.

namespace {

using Integer = long long;

Integer whole(double value) { return static_cast<Integer>(value); }

}  // namespace

const std::vector<ElementwiseBody>& elementwise_bodies() {
    using enum Kinds;
    // clang-format off
    static const std::vector<ElementwiseBody> table{
        // Inputs, numbers, outputs.
        {"T x, T y", "T z", "z = (x - y) * (x - y)", any, 400, [](Cell& c) { c.z = (c.x - c.y) * (c.x - c.y); }},
        {"T x", "T z", "z = x", any, 1, [](Cell& c) { c.z = c.x; }},
        {"T x, T s", "T z", "z = x * s + s", any, 100, [](Cell& c) { c.z = c.x * c.s + c.s; }},
        {"T s, T x", "T z", "z = s - x", any, 20, [](Cell& c) { c.z = c.s - c.x; }},
        {"T x, T y, T s", "T z", "z = x > y ? T(x * s) : y", any, 100, [](Cell& c) { c.z = c.x > c.y ? c.x * c.s : c.y; }},
        {"T x, T y", "T z", "T d = x - y;\nz = d < T(0) ? T(-d) : d;", any, 20, [](Cell& c) { c.z = std::fabs(c.x - c.y); }},
        {"T x", "T z", "z = 0; for (int k = 1; k <= 4; ++k) z += x / T(k)", real, 40,
         [](Cell& c) { c.z = c.x + c.x / 2 + c.x / 3 + c.x / 4; }},
        {"T x", "T z", "z = exp(-x * x)", real, 1, [](Cell& c) { c.z = std::exp(-c.x * c.x); }},
        {"T x, T y", "T z", "z = sqrt(x * x + y * y)", real, 20, [](Cell& c) { c.z = std::hypot(c.x, c.y); }},
        {"T x", "T z", "z = sin(x) * cos(x)", real, 1, [](Cell& c) { c.z = std::sin(c.x) * std::cos(c.x); }},
        {"T x", "T z", "z = log1p(x * x)", real, 5, [](Cell& c) { c.z = std::log1p(c.x * c.x); }},
        {"T x, T y", "T z", "z = x / y; z = z * y + x % y", integer, 1, [](Cell& c) { c.z = c.x; }},
        {"T x, T y", "T z", "z = (x << 2) | (y & 3)", integer, 1,
         [](Cell& c) { c.z = static_cast<double>((whole(c.x) * 4) | (whole(c.y) & 3)); }},
        {"T x, T y", "bool z", "z = x < y", any, 1, [](Cell& c) { c.z = c.x < c.y; }},
        {"T x", "int64 z", "z = (long long)(x * 4)", any, 1, [](Cell& c) { c.z = std::trunc(c.x * 4); }},
        {"T x, float64 y", "float64 z", "z = x + y / 8", any, 20, [](Cell& c) { c.z = c.x + c.y / 8; }},
        {"T x, int32 y", "T z", "z = y % 2 == 0 ? x : T(-x)", any, 10,
         [](Cell& c) { c.z = whole(c.y) % 2 == 0 ? c.x : -c.x; }},
        {"bool x, T y, T s", "T z", "z = x ? y : s", any, 10, [](Cell& c) { c.z = c.x != 0 ? c.y : c.s; }},
        {"X x", "Z z", "z = (Z)x / 2", any, 10, [](Cell& c) { c.z = c.x / 2; }, -1, true},
        // Index and size.
        {"T x", "int64 z", "z = _ind.size() - 1 - i", any, 1, [](Cell& c) { c.z = static_cast<double>(c.n - 1 - c.i); }},
        {"T x", "T z", "z = i % 2 == 0 ? x : T(x * 2)", any, 20, [](Cell& c) { c.z = c.i % 2 == 0 ? c.x : c.x * 2; }},
        {"T x", "int64 z", "z = 10 * _ind.get()[0] + i", any, 1,
         [](Cell& c) { c.z = static_cast<double>(10 * (*c.at)[0] + c.i); }},
        {"T x, raw T t", "T z", "z = x + t[_ind.get()[0] % t.size()]", any, 20,
         [](Cell& c) { c.z = c.x + c.raw((*c.at)[0] % c.size()); }},
        // Several outputs, old values.
        {"T x, T y", "T z, T w", "z = x + y; w = x - y", any, 20, [](Cell& c) { c.z = c.x + c.y; c.w = c.x - c.y; }},
        {"T x", "T z, int64 w", "z = x; w = i", any, 1, [](Cell& c) { c.z = c.x; c.w = static_cast<double>(c.i); }},
        {"T x", "T z", "z += x", any, 20, [](Cell& c) { c.z += c.x; }, -1, true},
        {"T x", "T z", "if (x > T(3)) z = x", any, 10, [](Cell& c) { if (c.x > 3) c.z = c.x; }, -1, true},
        {"T x, T s", "T z, T w", "T old = z; z = w * s; w = old - x", any, 100,
         [](Cell& c) { const double old = c.z; c.z = c.w * c.s; c.w = old - c.x; }, -1, true},
        {"T x", "T z", "if (i % 3 == 0) return; z = x", any, 10, [](Cell& c) { if (c.i % 3 != 0) c.z = c.x; }, -1, true},
        // Raw arrays: by row-major index, backwards, by axes, with a shape.
        {"T x, raw T t", "T z", "z = x + t[i % t.size()]", any, 20, [](Cell& c) { c.z = c.x + c.raw(c.i % c.size()); }},
        {"T x, raw T t", "T z", "z = x * t[t.size() - 1 - i % t.size()]", any, 100,
         [](Cell& c) { c.z = c.x * c.raw(c.size() - 1 - c.i % c.size()); }},
        {"T x, raw T t", "T z", "z = x - t[{i % t.shape()[0], i % t.shape()[1]}]", any, 20,
         [](Cell& c) {
             const auto& lengths = *c.lengths;
             c.z = c.x - c.raw(c.i % lengths[0] * lengths[1] + c.i % lengths[1]);
         }, 2},
        {"T x, raw T t", "T z", "z = x + t[{i % t.shape()[0], 0, t.shape()[2] - 1}]", any, 20,
         [](Cell& c) {
             const auto& lengths = *c.lengths;
             c.z = c.x + c.raw((c.i % lengths[0] * lengths[1]) * lengths[2] + lengths[2] - 1);
         }, 3},
        {"raw T t, T x, T s", "T z", "z = s; for (long long k = 0; k < t.size(); ++k) z += t[k] > x ? T(1) : T(0)", any, 100,
         [](Cell& c) { c.z = c.s; for (double v : *c.t) c.z += v > c.x ? 1 : 0; }},
        {"T x, raw float64 t", "float64 z", "z = t[i % t.size()] * 0.5 + x", any, 20,
         [](Cell& c) { c.z = c.raw(c.i % c.size()) * 0.5 + c.x; }},
        {"raw T t", "T z", "z = t[(i * 7) % t.size()]", any, 10, [](Cell& c) { c.z = c.raw(c.i * 7 % c.size()); }},
        {"raw T t, T s", "T z, int64 w", "z = t[i % t.size()] * s; w = t.ndim", any, 100,
         [](Cell& c) { c.z = c.raw(c.i % c.size()) * c.s; c.w = static_cast<double>(c.lengths->size()); }},
    };
    // clang-format on
    return table;
}

const std::vector<ReductionBody>& reduction_bodies() {
    using enum Kinds;
    const auto add = [](double a, double b) { return a + b; };
    const auto keep = [](Cell& c, double a) { c.z = a; };
    const auto own = [](const Cell& c) { return c.x; };
    // clang-format off
    static const std::vector<ReductionBody> table{
        {"T x", "T z", "x", "a + b", "z = a", "0", any, Growth::sum, own, add, keep},
        {"T x", "T z", "x * x", "a + b", "z = sqrt(a)", "0", real, Growth::sum, [](const Cell& c) { return c.x * c.x; }, add,
         [](Cell& c, double a) { c.z = std::sqrt(a); }},
        {"T x, T y", "T z", "x * y", "a + b", "z = a", "0", any, Growth::sum, [](const Cell& c) { return c.x * c.y; }, add, keep},
        {"T x, T s", "T z", "x * s", "a + b", "z = a + s", "0", any, Growth::sum, [](const Cell& c) { return c.x * c.s; }, add,
         [](Cell& c, double a) { c.z = a + c.s; }},
        {"T x", "float64 z", "x", "a + b", "z = a * _out_ind.size() / _in_ind.size()", "0", any, Growth::sum, own, add,
         [](Cell& c, double a) { c.z = a * static_cast<double>(c.results) / static_cast<double>(c.n); }},
        {"T x", "T z", "x", "a < b ? b : a", "z = a", "", any, Growth::choice, own,
         [](double a, double b) { return std::max(a, b); }, keep},
        {"T x", "T z", "-x", "a < b ? b : a", "z = -a", "", any, Growth::choice, [](const Cell& c) { return -c.x; },
         [](double a, double b) { return std::max(a, b); }, [](Cell& c, double a) { c.z = -a; }},
        {"T x, T y", "T z", "x - y", "a < b ? a : b", "z = a", "", any, Growth::choice, [](const Cell& c) { return c.x - c.y; },
         [](double a, double b) { return std::min(a, b); }, keep},
        {"T x", "float64 z", "1 + (float)x / 512", "a * b", "z = a", "1", any, Growth::product,
         [](const Cell& c) { return 1 + c.x / 512; }, [](double a, double b) { return a * b; }, keep, 1},
        {"T x", "int64 z", "x > T(2)", "a + b", "z = a", "0", any, Growth::sum, [](const Cell& c) { return c.x > 2 ? 1. : 0.; }, add,
         keep},
        {"T x, T y", "bool z", "x < y", "a || b", "z = a", "false", any, Growth::choice,
         [](const Cell& c) { return c.x < c.y ? 1. : 0.; }, [](double a, double b) { return a != 0 || b != 0 ? 1. : 0.; }, keep},
        {"T x", "int64 z", "x > T(4) ? _J : -1", "a > b ? a : b", "z = a", "-1", any, Growth::choice,
         [](const Cell& c) { return c.x > 4 ? static_cast<double>(c.i) : -1.; }, [](double a, double b) { return std::max(a, b); },
         keep, -1},
        {"T x", "float64 z, int64 w", "x", "a + b", "z = a; w = _in_ind.size()", "0", any, Growth::sum, own, add,
         [](Cell& c, double a) { c.z = a; c.w = static_cast<double>(c.n); }},
        {"T x, raw T t", "float64 z", "x * t[_J % t.size()]", "a + b", "z = a + t[0]", "0", any, Growth::sum,
         [](const Cell& c) { return c.x * c.raw(c.i % c.size()); }, add, [](Cell& c, double a) { c.z = a + c.raw(0); }},
        {"T x", "T z", "x", "a + b", "z = a", "5", any, Growth::sum, own, add, keep, 5},  // enters once
        {"T x", "float64 z", "x", "a + b", "z = a", "0", any, Growth::sum, own, add, keep, 0, "float64"},
        {"int32 x", "int64 z", "x", "a ^ b", "z = a", "0", integer, Growth::choice, own,
         [](double a, double b) { return static_cast<double>(whole(a) ^ whole(b)); }, keep},
        {"X x", "Z z", "x", "a + b", "z = a", "0", any, Growth::sum, own, add, keep},
    };
    // clang-format on
    return table;
}

namespace {

using gpu::DType;
using gpu::detail::ListedParameter;

constexpr DType reals[] = {DType::float32, DType::float64, DType::float16};
constexpr DType integers[] = {DType::int32, DType::int64, DType::int16};

DType draw_type(Kinds kinds, Random& plan) {
    const bool real = kinds == Kinds::real || (kinds == Kinds::any && plan.chance(60));
    return real ? reals[plan.below(3)] : integers[plan.below(3)];
}

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

template <class Kernel, class Launch>
std::vector<gpu::detail::ArrayCore> run_any(const Kernel& kernel, const Call& call, const Launch& launch) {
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

}  // namespace

Call::Call(const char* in, const char* out, Kinds kinds, Random& plan)
    : parameters(gpu::detail::parse_parameters(in, out, "body")) {
    placeholders = {{"T", draw_type(kinds, plan)}, {"X", draw_type(kinds, plan)}, {"Z", draw_type(Kinds::real, plan)}};
}

bool Call::needs_outputs() const {
    return std::any_of(parameters.outputs.begin(), parameters.outputs.end(),
                       [](const ListedParameter& one) { return one.placeholder == "Z"; });
}

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

WalkedInputs::WalkedInputs(const Call& call, const gpu::Shape& shape) {
    std::size_t next = 0;
    for (const ListedParameter& parameter : call.parameters.inputs) {
        if (parameter.is_raw || parameter.name == "s") continue;
        elements_.push_back(broadcasted(call.inputs[next++].elements, shape));
        members_.push_back(parameter.name == "x" ? &Cell::x : &Cell::y);
    }
}

void WalkedInputs::set(Cell& cell, std::size_t number) const {
    for (std::size_t k = 0; k < elements_.size(); ++k)
        cell.*members_[k] = static_cast<double>(elements_[k].values[number].re);
}

std::vector<gpu::detail::ArrayCore> run(const gpu::ElementwiseKernel& kernel, const Call& call,
                                        const gpu::ElementwiseLaunch& launch) {
    return run_any(kernel, call, launch);
}
std::vector<gpu::detail::ArrayCore> run(const gpu::ReductionKernel& kernel, const Call& call,
                                        const gpu::ReductionLaunch& launch) {
    return run_any(kernel, call, launch);
}

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

}  // namespace property
