// SPDX-License-Identifier: MIT
// Windows are drawn from the inside out: the wanted shape is known, each step finds a shape that it can be cut from.
#include <utility>

#include "property/window_steps.hpp"

namespace property {

namespace {

// Steps of slices multiply: several of them on five axes would ask for all of the memory.
constexpr std::int64_t largest_base = 100'000;

// An axis of length 0 doesn't count: an array that the window is cut from may have elements there.
std::int64_t room(const gpu::Shape& shape) {
    std::int64_t count = 1;
    for (std::int64_t length : shape) count *= length > 0 ? length : 1;
    return count;
}

}  // namespace

void draw_window(Input& input, const std::string& name, const gpu::Shape& wanted, Random& plan, Random& draw,
                 int most_steps) {
    std::vector<Step> steps;  // the last one first
    gpu::Shape shape = wanted;
    const int count = most_steps == 0 ? 0 : plan.below(most_steps + 1);
    const auto draw_kind = [&]() -> const StepKind& {
        int total = 0;
        for (const StepKind& kind : step_kinds()) total += kind.weight;
        int at = plan.below(total);
        for (const StepKind& kind : step_kinds()) {
            if (at < kind.weight) return kind;
            at -= kind.weight;
        }
        return step_kinds().front();
    };
    bool dense = false;
    for (int k = 0; k < count && !dense; ++k) {
        const StepKind& kind = draw_kind();
        if ((kind.read_only && most_steps <= 2) || shape.rank() > 5) continue;
        Step step = kind.draw(shape, plan, draw);
        if (room(step.from) > largest_base) continue;
        steps.push_back(std::move(step));
        dense = kind.dense;
        shape = steps.back().from;
    }
    input.layout = dense || !plan.chance(25) ? gpu::Layout::row_major : gpu::Layout::column_major;
    input.base.shape = shape;
    input.spelling = name;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) input.spelling += step->spelling;
    input.elements = {input.dtype, wanted, {}};
    for_each_position(wanted, [&](const Position& at) {
        Position there = at;
        for (const Step& step : steps) there = step.place(there);
        input.place.push_back(number_of(shape, there));
    });
    input.array = gpu::detail::make_array(input.dtype, shape, input.layout);
    input.window = input.array;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) input.window = step->apply(input.window);
}

Input draw_input(const std::string& name, gpu::DType type, const gpu::Shape& wanted, const Values& values, Random& plan,
                 Random& draw, int most_steps) {
    Input input;
    input.dtype = input.base.dtype = type;
    input.divisor = values.divisor;
    draw_window(input, name, wanted, plan, draw, most_steps);
    const std::int64_t size = input.base.shape.size();
    for (std::int64_t k = 0; k < size; ++k) input.base.values.push_back(draw_value(type, values, draw));
    const Bytes bytes = stored(input.base);
    gpu::detail::copy_from_host(input.array, bytes.data(), size);
    for (std::size_t place : input.place) input.elements.values.push_back(input.base.values[place]);

    input.definition = "gpu::Array<" + cpp_name(type) + "> " + name + " = gpu::empty<" + cpp_name(type) + ">(" +
                       braces(input.base.shape) +
                       (input.layout == gpu::Layout::row_major ? ")" : ", gpu::Layout::column_major)") + ";";
    if (size <= 24) {
        std::string list;
        for (const Element& value : input.base.values) list += (list.empty() ? "" : ", ") + literal(type, value);
        input.definition +=
            "  " + name + ".copy_from(std::array<" + cpp_name(type) + ", " + std::to_string(size) + ">{" + list + "});";
    } else {
        input.definition += "  // filled with " + std::to_string(size) + " drawn values";
    }
    return input;
}

gpu::Shape draw_shape(int rank, Random& draw, int size) {
    gpu::Shape shape;
    for (int axis = 0; axis < rank; ++axis) {
        const int choice = draw.below(100);
        std::int64_t length = draw.between(2, size == 1 ? 3 : rank > 3 ? 5 : 9);
        if (choice < 4)
            length = 0;
        else if (choice < 14)
            length = 1;
        else if (choice >= 92 && size > 2)
            length = draw.between(30, rank <= 1 ? 2000 : rank == 2 ? 70 : 34);
        shape.append(length);
    }
    while (room(shape) > 3000) {
        int longest = 0;
        for (int axis = 1; axis < rank; ++axis) longest = shape[axis] > shape[longest] ? axis : longest;
        shape[longest] /= 2;
    }
    return shape;
}

}  // namespace property
