// SPDX-License-Identifier: MIT
#include "property/window_steps.hpp"

#include <cstdlib>
#include <utility>

namespace property {

namespace {

using gpu::Shape;
using gpu::detail::ArrayCore;

gpu::detail::Index every() { return gpu::detail::to_index(gpu::all); }

// a(slice(...), all, ...): each axis may start late, end early, and be walked in steps or backwards.
Step slices(const Shape& wanted, Random& plan, Random& draw) {
    Step step;
    std::vector<gpu::detail::Index> indices;
    std::vector<std::int64_t> starts, strides;
    for (int axis = 0; axis < wanted.rank(); ++axis) {
        const int choice = plan.below(6);
        const std::int64_t stride = choice < 2 ? 1 : choice == 2 ? 2 : choice == 3 ? 3 : choice == 4 ? -1 : -2;
        const bool whole = choice == 0, open = !whole && plan.chance(20);
        const std::int64_t count = wanted[axis], span = count == 0 ? 0 : (count - 1) * std::abs(stride) + 1;
        const std::int64_t before = whole || open ? 0 : draw.between(0, 2);
        const std::int64_t after = whole || open ? 0 : draw.between(0, 2);
        const std::int64_t length = before + span + after;
        step.from.append(length);
        const std::int64_t start = stride > 0 || count == 0 ? before : before + span - 1;
        starts.push_back(start);
        strides.push_back(stride);
        std::string text = "gpu::all";
        if (whole) {
            indices.push_back(every());
        } else if (open) {
            indices.push_back(gpu::slice(gpu::none, gpu::none, stride));
            text = "gpu::slice(gpu::none, gpu::none, " + std::to_string(stride) + ")";
        } else if (count == 0) {
            indices.push_back(gpu::slice(before, before));
            text = "gpu::slice(" + std::to_string(before) + ", " + std::to_string(before) + ")";
        } else {
            const std::int64_t last = start + (count - 1) * stride;
            std::int64_t stop = stride > 0 ? last + 1 : last - 1 >= 0 ? last - 1 : -length - 1;
            std::int64_t first = start;
            if (draw.chance(20)) first -= length;  // the same, counted from the end
            indices.push_back(gpu::slice(first, stop, stride));
            text = "gpu::slice(" + std::to_string(first) + ", " + std::to_string(stop) + ", " + std::to_string(stride) +
                   ")";
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

Step reversal(const Shape& wanted, Random&, Random&) {
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
Step broadcasting(const Shape& wanted, Random& plan, Random&) {
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
Step reshaping(const Shape& wanted, Random& plan, Random&) {
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

std::string listed(const std::vector<int>& axes) {
    std::string text;
    for (int axis : axes) text += (text.empty() ? "" : ", ") + std::to_string(axis);
    return "{" + text + "}";
}

// transpose({2, 0, 1}): the wanted axis k is the source's axis order[k].
Step permutation(const Shape& wanted, Random& plan, Random&) {
    Step step;
    std::vector<int> order;
    for (int axis = 0; axis < wanted.rank(); ++axis) {
        order.insert(order.begin() + plan.below(axis + 1), axis);
    }
    std::vector<std::int64_t> lengths(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        lengths[static_cast<std::size_t>(order[k])] = wanted[static_cast<int>(k)];
    for (std::int64_t length : lengths) step.from.append(length);
    if (order.empty()) return reversal(wanted, plan, plan);
    std::vector<int> written = order;
    for (int& axis : written) axis -= plan.chance(20) ? wanted.rank() : 0;
    step.apply = [written](const ArrayCore& a) { return gpu::detail::transposed(a, written); };
    step.place = [order](const Position& at) {
        Position there(at.size());
        for (std::size_t k = 0; k < at.size(); ++k) there[static_cast<std::size_t>(order[k])] = at[k];
        return there;
    };
    step.spelling = ".transpose(" + listed(written) + ")";
    return step;
}

Step swapping(const Shape& wanted, Random& plan, Random& draw) {
    if (wanted.rank() == 0) return reversal(wanted, plan, draw);
    Step step;
    const int a = plan.below(wanted.rank()), b = plan.below(wanted.rank());
    step.from = wanted;
    std::swap(step.from[a], step.from[b]);
    step.apply = [a, b](const ArrayCore& core) { return gpu::detail::axes_swapped(core, a, b); };
    step.place = [a, b](const Position& at) {
        Position there = at;
        std::swap(there[static_cast<std::size_t>(a)], there[static_cast<std::size_t>(b)]);
        return there;
    };
    step.spelling = ".swapaxes(" + std::to_string(a) + ", " + std::to_string(b) + ")";
    return step;
}

// The source's axis `from` stands at `to` in the result.
Step moving(const Shape& wanted, Random& plan, Random& draw) {
    if (wanted.rank() == 0) return reversal(wanted, plan, draw);
    Step step;
    const int from = plan.below(wanted.rank()), to = plan.below(wanted.rank());
    Position lengths(wanted.begin(), wanted.end());
    const auto back = [from, to](Position list) {
        const std::int64_t moved = list[static_cast<std::size_t>(to)];
        list.erase(list.begin() + to);
        list.insert(list.begin() + from, moved);
        return list;
    };
    for (std::int64_t length : back(lengths)) step.from.append(length);
    step.apply = [from, to](const ArrayCore& a) {
        return gpu::detail::axes_moved(a, std::vector<int>{from}, std::vector<int>{to});
    };
    step.place = back;
    step.spelling = ".moveaxis(" + std::to_string(from) + ", " + std::to_string(to) + ")";
    return step;
}

Step flipping(const Shape& wanted, Random& plan, Random&) {
    Step step;
    std::vector<int> axes;
    const bool all = plan.chance(30);
    for (int axis = 0; axis < wanted.rank(); ++axis) {
        if (all || plan.chance(50)) axes.push_back(axis);
    }
    step.from = wanted;
    step.apply = [axes, all](const ArrayCore& a) {
        return all ? gpu::detail::flipped(a) : gpu::detail::flipped(a, axes);
    };
    step.place = [axes, wanted](const Position& at) {
        Position there = at;
        for (int axis : axes)
            there[static_cast<std::size_t>(axis)] = wanted[axis] - 1 - at[static_cast<std::size_t>(axis)];
        return there;
    };
    step.spelling = all ? ".flip()" : ".flip(" + listed(axes) + ")";
    return step;
}

// The source has one more axis, of length 1.
Step squeezing(const Shape& wanted, Random& plan, Random&) {
    Step step;
    const int axis = plan.below(wanted.rank() + 1);
    for (int k = 0; k <= wanted.rank(); ++k) {
        if (k == axis) step.from.append(1);
        if (k < wanted.rank()) step.from.append(wanted[k]);
    }
    step.apply = [axis](const ArrayCore& a) { return gpu::detail::squeezed(a, std::vector<int>{axis}); };
    step.place = [axis](const Position& at) {
        Position there = at;
        there.insert(there.begin() + axis, 0);
        return there;
    };
    step.spelling = ".squeeze({" + std::to_string(axis) + "})";
    return step;
}

Step expansion(const Shape& wanted, Random& plan, Random& draw) {
    const int axis = plan.below(wanted.rank() + 1);
    if (axis == wanted.rank() || wanted[axis] != 1) return flipping(wanted, plan, draw);
    Step step;
    for (int k = 0; k < wanted.rank(); ++k) {
        if (k != axis) step.from.append(wanted[k]);
    }
    step.apply = [axis](const ArrayCore& a) { return gpu::detail::expanded(a, axis); };
    step.place = [axis](const Position& at) {
        Position there = at;
        there.erase(there.begin() + axis);
        return there;
    };
    step.spelling = ".expand_dims(" + std::to_string(axis) + ")";
    return step;
}

// The wanted last axis is a diagonal of two of the source's.
Step diagonals(const Shape& wanted, Random& plan, Random& draw) {
    if (wanted.rank() == 0) return single_index(wanted, plan, draw);
    Step step;
    const int rank = wanted.rank() + 1, axis1 = plan.below(rank);
    int axis2 = plan.below(rank - 1);
    axis2 += axis2 >= axis1;
    const std::int64_t length = wanted[wanted.rank() - 1], offset = draw.between(-2, 2), extra = draw.between(0, 2);
    const std::int64_t rows = offset >= 0 ? length + extra : length - offset;
    const std::int64_t columns = offset >= 0 ? length + offset : length + extra;
    int other = 0;
    for (int axis = 0; axis < rank; ++axis) {
        step.from.append(axis == axis1 ? rows : axis == axis2 ? columns : wanted[other++]);
    }
    step.apply = [=](const ArrayCore& a) { return gpu::detail::diagonal(a, offset, axis1, axis2); };
    step.place = [=](const Position& at) {
        Position there;
        std::size_t next = 0;
        for (int axis = 0; axis < rank; ++axis) {
            if (axis == axis1)
                there.push_back(at.back() + (offset < 0 ? -offset : 0));
            else if (axis == axis2)
                there.push_back(at.back() + (offset > 0 ? offset : 0));
            else
                there.push_back(at[next++]);
        }
        return there;
    };
    step.spelling =
        ".diagonal(" + std::to_string(offset) + ", " + std::to_string(axis1) + ", " + std::to_string(axis2) + ")";
    return step;
}

}  // namespace

// One row a way: a new kind of window is a function above and a line here.
const std::vector<StepKind>& step_kinds() {
    static const std::vector<StepKind> table{
        {"slice", 10, false, false, slices},
        {"transpose", 3, false, false, reversal},
        {"transpose(axes)", 3, false, false, permutation},
        {"swapaxes", 1, false, false, swapping},
        {"moveaxis", 1, false, false, moving},
        {"index", 3, false, false, single_index},
        {"flip", 2, false, false, flipping},
        {"squeeze", 1, false, false, squeezing},
        {"expand_dims", 1, false, false, expansion},
        {"diagonal", 2, false, false, diagonals},
        {"reshape", 2, false, true, reshaping},
        {"broadcast_to", 1, true, false, broadcasting},
    };
    return table;
}

}  // namespace property
