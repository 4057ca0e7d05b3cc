// SPDX-License-Identifier: MIT
// Windows are drawn from the inside out: the wanted shape is known, each step finds a shape that it can be cut from.
#include <algorithm>
#include <functional>

#include "property/input.hpp"

namespace property {

namespace {

using gpu::Shape;
using gpu::detail::ArrayCore;
using Position = std::vector<std::int64_t>;

/// One step from a larger window to a smaller one.
struct Step {
    Shape from;                                          ///< the shape that it is applied to
    std::function<ArrayCore(const ArrayCore&)> apply;
    std::function<Position(const Position&)> place;      ///< where a position of the result lies in `from`
    std::string spelling;                                ///< ".transpose()"
};

gpu::detail::Index every() { return gpu::detail::to_index(gpu::all); }

// a(slice(...), all, ...): each axis may start late, end early, and be walked in steps or backwards.
Step slices(const Shape& wanted, Random& plan, Random& draw) {
    Step step;
    std::vector<gpu::detail::Index> indices;
    std::vector<std::int64_t> starts, strides;
    for (int axis = 0; axis < wanted.rank(); ++axis) {
        const int choice = plan.below(6);
        const std::int64_t stride = choice < 2 ? 1 : choice == 2 ? 2 : choice == 3 ? 3 : choice == 4 ? -1 : -2;
        const bool whole = choice == 0;
        const std::int64_t count = wanted[axis], span = count == 0 ? 0 : (count - 1) * std::abs(stride) + 1;
        const std::int64_t before = whole ? 0 : draw.between(0, 2), after = whole ? 0 : draw.between(0, 2);
        const std::int64_t length = before + span + after;
        step.from.append(length);
        const std::int64_t start = stride > 0 ? before : before + span - 1;
        starts.push_back(start);
        strides.push_back(stride);
        std::string text = "gpu::all";
        if (whole) {
            indices.push_back(every());
        } else if (count == 0) {
            indices.push_back(gpu::slice(before, before));
            text = "gpu::slice(" + std::to_string(before) + ", " + std::to_string(before) + ")";
        } else {
            const std::int64_t last = start + (count - 1) * stride;
            std::int64_t stop = stride > 0 ? last + 1 : last - 1 >= 0 ? last - 1 : -length - 1;
            std::int64_t first = start;
            if (draw.chance(20)) first -= length;  // the same, counted from the end
            indices.push_back(gpu::slice(first, stop, stride));
            text = "gpu::slice(" + std::to_string(first) + ", " + std::to_string(stop) + ", " + std::to_string(stride) + ")";
        }
        step.spelling += (axis == 0 ? "(" : ", ") + text;
    }
    step.spelling += wanted.rank() == 0 ? "()" : ")";
    step.apply = [indices](const ArrayCore& a) { return gpu::detail::sliced(a, indices); };
    step.place = [starts, strides](const Position& at) {
        Position there;
        for (std::size_t k = 0; k < at.size(); ++k) there.push_back(starts[k] + at[k] * strides[k]);
        return there;
    };
    return step;
}

Step transposition(const Shape& wanted) {
    Step step;
    for (int axis = wanted.rank() - 1; axis >= 0; --axis) step.from.append(wanted[axis]);
    step.apply = [](const ArrayCore& a) { return gpu::detail::transposed(a); };
    step.place = [](const Position& at) { return Position(at.rbegin(), at.rend()); };
    step.spelling = ".transpose()";
    return step;
}

// a(all, 3): one axis less.
Step single_index(const Shape& wanted, Random& plan, Random& draw) {
    Step step;
    const int axis = plan.below(wanted.rank() + 1);
    const std::int64_t length = draw.between(1, 3), at = draw.between(0, length - 1);
    std::vector<gpu::detail::Index> indices;
    for (int k = 0; k <= wanted.rank(); ++k) {
        if (k == axis) step.from.append(length);
        if (k < wanted.rank()) step.from.append(wanted[k]);
        const std::int64_t written = draw.chance(30) ? at - length : at;
        indices.push_back(k == axis ? gpu::detail::to_index(written) : every());
        step.spelling += (k == 0 ? "(" : ", ") + (k == axis ? std::to_string(written) : std::string("gpu::all"));
    }
    step.spelling += ")";
    step.apply = [indices](const ArrayCore& a) { return gpu::detail::sliced(a, indices); };
    step.place = [axis, at](const Position& position) {
        Position there = position;
        there.insert(there.begin() + axis, at);
        return there;
    };
    return step;
}

// Reading a smaller array as if it were larger. Only the reference's positions know that the axes repeat.
Step broadcasting(const Shape& wanted, Random& plan) {
    Step step;
    const int missing = plan.below(wanted.rank() + 1);
    std::vector<bool> one;
    for (int axis = missing; axis < wanted.rank(); ++axis) {
        one.push_back(plan.chance(40));
        step.from.append(one.back() ? 1 : wanted[axis]);
    }
    step.apply = [wanted](const ArrayCore& a) { return gpu::detail::broadcasted(a, wanted); };
    step.place = [missing, one](const Position& at) {
        Position there(at.begin() + missing, at.end());
        for (std::size_t k = 0; k < there.size(); ++k) there[k] = one[k] ? 0 : there[k];
        return there;
    };
    step.spelling = ".broadcast_to(" + braces(wanted) + ")";
    return step;
}

// Of a dense row-major array: the last step only. The length of each axis moves to another place.
Step reshaping(const Shape& wanted, Random& plan) {
    Step step;
    switch (plan.below(3)) {
        case 0: step.from = Shape{wanted.size()}; break;
        case 1:
            step.from.append(1);
            for (std::int64_t length : wanted) step.from.append(length);
            break;
        default:
            for (int axis = wanted.rank() - 1; axis >= 0; --axis) step.from.append(wanted[axis]);
    }
    const Shape from = step.from;
    step.apply = [wanted](const ArrayCore& a) { return gpu::detail::reshaped(a, wanted); };
    step.place = [wanted, from](const Position& at) {
        std::int64_t number = static_cast<std::int64_t>(number_of(wanted, at));
        Position there(static_cast<std::size_t>(from.rank()));
        for (int axis = from.rank() - 1; axis >= 0; --axis) {
            there[static_cast<std::size_t>(axis)] = number % from[axis];
            number /= from[axis];
        }
        return there;
    };
    step.spelling = ".reshape(" + braces(wanted) + ")";
    return step;
}

}  // namespace

void draw_window(Input& input, const std::string& name, const Shape& wanted, Random& plan, Random& draw,
                 int most_steps) {
    std::vector<Step> steps;  // the last one first
    Shape shape = wanted;
    const int count = most_steps == 0 ? 0 : plan.below(most_steps + 1);
    bool dense = false;
    for (int k = 0; k < count && !dense; ++k) {
        const int choice = plan.below(most_steps > 2 ? 12 : 10);
        if (choice < 5) steps.push_back(slices(shape, plan, draw));
        else if (choice < 7) steps.push_back(transposition(shape));
        else if (choice < 9 && shape.rank() < 5) steps.push_back(single_index(shape, plan, draw));
        else if (choice == 9) steps.push_back(reshaping(shape, plan));
        else steps.push_back(broadcasting(shape, plan));
        dense = choice == 9;
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

Input draw_input(const std::string& name, gpu::DType type, const Shape& wanted, const Values& values, Random& plan,
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
        input.definition += "  " + name + ".copy_from(std::array<" + cpp_name(type) + ", " + std::to_string(size) +
                            ">{" + list + "});";
    } else {
        input.definition += "  // filled with " + std::to_string(size) + " drawn values";
    }
    return input;
}

gpu::Shape draw_shape(int rank, Random& draw, int size) {
    Shape shape;
    for (int axis = 0; axis < rank; ++axis) {
        const int choice = draw.below(100);
        std::int64_t length = draw.between(2, size == 1 ? 3 : rank > 3 ? 5 : 9);
        if (choice < 4) length = 0;
        else if (choice < 14) length = 1;
        else if (choice >= 88 && size > 2) length = draw.between(30, rank <= 1 ? 2000 : rank == 2 ? 70 : 34);
        shape.append(length);
    }
    while (shape.size() > 6000) {
        int longest = 0;
        for (int axis = 1; axis < rank; ++axis) longest = shape[axis] > shape[longest] ? axis : longest;
        shape[longest] /= 2;
    }
    return shape;
}

}  // namespace property
