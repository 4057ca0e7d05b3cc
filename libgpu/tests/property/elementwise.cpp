// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <utility>

#include "property/term.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"
#include "property/elementwise.hpp"

// Expressions into new arrays, into arrays that are there, into windows, and into their own inputs.
namespace property {

namespace {

using gpu::detail::ArrayCore;

// target(window) = expression, and what the whole target then holds.
void assign_to_window(Trial& trial, const Expression& expression, const Input& target) {
    const Elements value = broadcasted(expression.reference(), target.elements.shape);
    trial.want = target.base;
    for (std::size_t k = 0; k < target.place.size(); ++k) trial.want.values[target.place[k]] = value.values[k];
    with_type(expression.dtype(), [&]<class T>(Type<T>) {
        gpu::View<T> window{target.window};
        window = gpu::Expr<T>(expression.node());
    });
    trial.got = to_elements(target.array);
}

}  // namespace

void elementwise_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 4);
    const std::string type = cpp_name(expression.dtype());
    trial.program = expression.definitions() + "  gpu::Array<" + type + "> z = " + expression.spelling() + ";";
    trial.want = expression.reference();
    with_type(expression.dtype(), [&]<class T>(Type<T>) {
        const gpu::Array<T> z = gpu::Expr<T>(expression.node());
        trial.got = to_elements(z.core());
    });
}

void assignment_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 3);
    const gpu::DType dtype = expression.dtype();
    const std::string type = cpp_name(dtype);
    const int way = plan.below(4);
    const Input& first = expression.inputs().front();
    trial.program = expression.definitions();
    if (way == 0) {  // an array of the right shape, in either layout: its buffer is used again
        const gpu::Layout layout = plan.chance(50) ? gpu::Layout::column_major : gpu::Layout::row_major;
        trial.want = expression.reference();
        trial.program += "  auto z = gpu::empty<" + type + ">(" + braces(trial.want.shape) +
                         (layout == gpu::Layout::column_major ? ", gpu::Layout::column_major" : "") +
                         ");\n  z = " + expression.spelling() + ";";
        with_type(dtype, [&]<class T>(Type<T>) {
            auto z = gpu::empty<T>(trial.want.shape, layout);
            const T* const before = std::as_const(z).data();
            z = gpu::Expr<T>(expression.node());
            if (std::as_const(z).data() != before) throw std::logic_error("the buffer was not used again");
            trial.got = to_elements(z.core());
        });
    } else if (way == 1 && first.dtype == dtype && first.array.shape == first.window.shape &&
               expression.reference().shape == first.window.shape && first.spelling == "x0") {  // x = f(x, ...)
        trial.program += "  x0 = " + expression.spelling() + ";";
        trial.want = expression.reference();
        with_type(dtype, [&]<class T>(Type<T>) {
            gpu::Array<T> x(first.array);
            x = gpu::Expr<T>(expression.node());
            trial.got = to_elements(x.core());
        });
    } else if (way == 2 && first.dtype == dtype && first.spelling.find("broadcast") == std::string::npos &&
               gpu::broadcast(expression.reference().shape, first.elements.shape) == first.elements.shape) {
        // The same buffer is read and written; turned round, the window overlaps itself in another order.
        Input target = first;
        const bool flip = plan.chance(60) && target.elements.shape.rank() > 0 && target.elements.shape.size() > 0;
        if (flip) {
            std::vector<gpu::detail::Index> indices(static_cast<std::size_t>(target.elements.shape.rank()),
                                                    gpu::detail::to_index(gpu::all));
            const std::int64_t length = target.elements.shape[0];
            indices[0] = gpu::slice(length - 1, -length - 1, -1);
            target.window = gpu::detail::sliced(target.window, indices);
            const std::size_t rows = static_cast<std::size_t>(length), row = target.place.size() / rows;
            for (std::size_t k = 0; k < target.place.size(); ++k) {
                target.place[k] = first.place[(rows - 1 - k / row) * row + k % row];
            }
            target.spelling +=
                "(gpu::slice(" + std::to_string(length - 1) + ", " + std::to_string(-length - 1) + ", -1), ...)";
        }
        trial.program += "  " + target.spelling + " = " + expression.spelling() + ";";
        assign_to_window(trial, expression, target);
    } else {
        Values values;
        values.exact = true;
        const Input target = draw_input("z", dtype, expression.full_shape(), values, plan, draw);
        trial.program += "  " + target.definition + "\n  " + target.spelling + " = " + expression.spelling() + ";";
        assign_to_window(trial, expression, target);
    }
}

// Windows are drawn from the inside out: the wanted shape is known, each step finds a shape that it can be cut from.

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
                 int max_steps) {
    std::vector<Step> steps;  // the last one first
    gpu::Shape shape = wanted;
    const int count = max_steps == 0 ? 0 : plan.below(max_steps + 1);
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
        if ((kind.read_only && max_steps <= 2) || shape.rank() > 5) continue;
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
                 Random& draw, int max_steps) {
    Input input;
    input.dtype = input.base.dtype = type;
    input.divisor = values.divisor;
    draw_window(input, name, wanted, plan, draw, max_steps);
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

// Windows on windows, read back in several ways.

void window_case(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::DType type = static_cast<gpu::DType>(plan.below(dtype_count));
    const gpu::Shape shape = draw_shape(plan.below(5), draw, size);
    const Input x = draw_input("x", type, shape, {false, draw.chance(20), false, false}, plan, draw, 4);
    trial.program = "  " + x.definition + "\n";
    trial.want = x.elements;
    const int way = plan.below(3);
    with_type(type, [&]<class T>(Type<T>) {
        const gpu::View<const T> view{x.window};
        if (way == 0) {
            trial.program += "  auto z = gpu::to_host(" + x.spelling + ");";
            trial.got = to_elements(view.core());
        } else if (way == 1) {
            trial.program += "  gpu::Array<" + cpp_name(type) + "> z = " + x.spelling + ";";
            trial.got = to_elements(gpu::Array<T>(view).core());
        } else {
            trial.program += "  auto z = gpu::empty<" + cpp_name(type) + ">(" + braces(shape) +
                             ", gpu::Layout::column_major);\n  z = " + x.spelling + ";";
            auto z = gpu::empty<T>(shape, gpu::Layout::column_major);
            z = view;
            trial.got = to_elements(z.core());
        }
    });
}

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
