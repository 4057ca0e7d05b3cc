// SPDX-License-Identifier: MIT
// Arrays of several types and layouts, one behind the other and on a new axis; files.
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "property/operations.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"
#include "support/temporary_folder.hpp"

namespace property {

namespace {

using gpu::DType;

DType draw_type(DType favourite, Random& plan) {
    return plan.chance(60) ? favourite : static_cast<DType>(plan.below(dtype_count));
}

}  // namespace

void join_case(Trial& trial, Random& plan, Random& draw, int size) {
    const bool stacks = plan.chance(40);
    const int rank = stacks ? plan.below(4) : 1 + plan.below(3), places = stacks ? rank + 1 : rank;
    const int axis = plan.below(places), written = plan.chance(30) ? axis - places : axis;
    const gpu::Shape shape = draw_shape(rank, draw, std::min(size, 2));
    const DType favourite = static_cast<DType>(plan.below(dtype_count));
    const int count = 1 + plan.below(4);
    std::vector<Input> parts;
    std::vector<gpu::detail::NodePointer> nodes;
    DType type = DType::boolean;
    std::int64_t length = stacks ? count : 0;
    std::string list;
    for (int k = 0; k < count; ++k) {
        gpu::Shape own = shape;
        if (!stacks) length += own[axis] = draw.between(0, 6);
        const DType of = draw_type(favourite, plan);
        parts.push_back(
            draw_input("x" + std::to_string(k), of, own, {false, draw.chance(15), false, false}, plan, draw));
        nodes.push_back(gpu::detail::leaf(parts.back().window));
        type = k == 0 ? of : promoted(type, of);
        trial.program += "  " + parts.back().definition + "\n";
        list += (k == 0 ? "" : ", ") + parts.back().spelling;
    }
    trial.program += std::string("  auto z = gpu::") + (stacks ? "stack" : "concatenate") + "({" + list +
                     "}, {.axis = " + std::to_string(written) + "});";
    trial.want.dtype = type;
    for (int k = 0, from = 0; k < (stacks ? rank + 1 : rank); ++k) {
        trial.want.shape.append(k == axis ? length : shape[from]);
        if (!stacks || k != axis) ++from;
    }
    for_each_position(trial.want.shape, [&](const std::vector<std::int64_t>& at) {
        std::vector<std::int64_t> there = at;
        std::int64_t& along = there[static_cast<std::size_t>(axis)];
        std::size_t part = 0;
        if (stacks) {
            part = static_cast<std::size_t>(along);
            there.erase(there.begin() + axis);
        } else {
            while (along >= parts[part].elements.shape[axis]) along -= parts[part++].elements.shape[axis];
        }
        const Elements& from = parts[part].elements;
        trial.want.values.push_back(converted(from.dtype, type, from.values[number_of(from.shape, there)]));
    });
    trial.got = to_elements(stacks ? gpu::detail::stack(nodes, written) : gpu::detail::concatenate(nodes, written));
}

void file_case(Trial& trial, Random& plan, Random& draw, int size) {
    const DType type = static_cast<DType>(plan.below(dtype_count));
    const gpu::Shape shape = draw_shape(plan.below(5), draw, size);
    const Input x = draw_input("x", type, shape, {false, draw.chance(30), false, false}, plan, draw);
    trial.program =
        "  " + x.definition + "\n  gpu::save_npy(file, " + x.spelling + ");\n  auto z = gpu::load_npy(file);";
    trial.want = x.elements;
    const support::TemporaryFolder folder;
    const std::string file = folder / "x.npy";
    with_type(type, [&]<class T>(Type<T>) {
        gpu::save_npy(file, gpu::View<const T>(x.window));
        const gpu::Array<T> typed = gpu::load_npy<T>(file);
        trial.got = to_elements(gpu::load_npy(file).core());
        if (!judge({"", trial.got, to_elements(typed.core())}).problem.empty())
            throw std::logic_error("load_npy<T> and load_npy give different elements");
        // A whole array comes back in its own order; one without elements has both, and is written in C order.
        if (x.spelling == "x" && shape.size() > 0 &&
            typed.core().strides != gpu::detail::make_array(type, shape, x.layout).strides)
            throw std::logic_error("the file has turned the array's order round");
    });
}

}  // namespace property
