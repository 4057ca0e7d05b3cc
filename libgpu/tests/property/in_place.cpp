// SPDX-License-Identifier: MIT
#include <iterator>
#include <stdexcept>

#include "property/in_place.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

// x += y and its kin: on arrays and on windows, by numbers, by arrays that broadcast, and by windows that overlap.
namespace property {

using gpu::DType;

const Operation& row_of(const std::string& symbol) {
    for (const Operation& row : operations()) {
        if (row.spelling == "a " + symbol + " b") return row;
    }
    throw std::logic_error("no row for " + symbol);
}

namespace {

// Rows from `first` on along axis 0, `count` of them, perhaps backwards; `place` goes with them.
Input some_rows(const Input& of, std::int64_t first, std::int64_t count, bool backwards) {
    Input part = of;
    std::vector<gpu::detail::Index> indices(static_cast<std::size_t>(of.elements.shape.rank()),
                                            gpu::detail::to_index(gpu::all));
    const std::int64_t last = first + count - 1, rows = of.elements.shape[0];
    indices[0] =
        backwards ? gpu::slice(last, first - 1 < 0 ? -rows - 1 : first - 1, -1) : gpu::slice(first, first + count);
    part.window = gpu::detail::sliced(of.window, indices);
    part.spelling += backwards
                         ? "(gpu::slice(" + std::to_string(last) + ", <before " + std::to_string(first) + ">, -1))"
                         : "(gpu::slice(" + std::to_string(first) + ", " + std::to_string(first + count) + "))";
    part.place.clear();
    part.elements.values.clear();
    part.elements.shape[0] = count;
    const std::size_t row = rows > 0 ? of.place.size() / static_cast<std::size_t>(rows) : 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::size_t from = static_cast<std::size_t>(backwards ? last - k : first + k) * row;
        for (std::size_t j = from; j < from + row; ++j) {
            part.place.push_back(of.place[j]);
            part.elements.values.push_back(of.elements.values[j]);
        }
    }
    return part;
}

enum class Way { number, array, backwards, shifted, itself };

gpu::Shape draw_smaller(const gpu::Shape& shape, Random& plan) {
    gpu::Shape smaller;
    for (int axis = plan.below(shape.rank() + 1); axis < shape.rank(); ++axis) {
        smaller.append(plan.chance(30) ? 1 : shape[axis]);
    }
    return smaller;
}

}  // namespace

void in_place_case(Trial& trial, Random& plan, Random& draw, int size) {
    const DType type = static_cast<DType>(plan.below(dtype_count));
    int number = plan.below(static_cast<int>(std::size(updates)));
    while (!is_offered(number, type)) number = (number + 1) % static_cast<int>(std::size(updates));
    const Update& chosen = updates[number];
    const Operation& row = row_of(chosen.symbol);
    Way way = static_cast<Way>(plan.below(5));
    gpu::Shape shape = draw_shape(plan.below(10) == 0 ? 0 : 1 + plan.below(3), draw, size);
    if (shape.rank() == 0 && (way == Way::backwards || way == Way::shifted)) way = Way::itself;
    if (type == DType::boolean && way == Way::number) way = Way::array;  // an int would widen it

    Values values{false, draw.chance(15), false, draw.chance(25)};
    Values divisors = values;
    divisors.divisor = chosen.divides;
    Values own = chosen.divides && way >= Way::backwards ? divisors : values;
    const Input whole = draw_input("x", type, shape, own, plan, draw);
    const std::int64_t rows = shape.rank() > 0 ? shape[0] : 0;
    const bool shifts = way == Way::shifted && rows > 0;
    const Input x = shifts ? some_rows(whole, 1, rows - 1, false) : whole;
    Input y = whole;
    if (way == Way::array) y = draw_input("y", type, draw_smaller(shape, plan), divisors, plan, draw);
    if (way == Way::backwards) y = some_rows(whole, 0, rows, true);
    if (shifts) y = some_rows(whole, 0, rows - 1, plan.chance(30));
    const int by = static_cast<int>(draw.between(1, 7));
    trial.program = "  " + whole.definition + (way == Way::array ? "\n  " + y.definition : "") + "\n  " + x.spelling +
                    " " + chosen.symbol + "= " + (way == Way::number ? std::to_string(by) : y.spelling) + ";";

    const Value operands[] = {
        {static_cast<int>(type), nullptr, 0},
        {way == Way::number ? dtype_count : static_cast<int>(type), nullptr, static_cast<double>(by)}};
    const DType working = row.working_type(operands);
    const DType types[] = {type, way == Way::number ? DType::int32 : type};
    const Elements right = way == Way::number
                               ? Elements{DType::int32, x.elements.shape,
                                          std::vector<Element>(x.place.size(), Element{static_cast<Real>(by), 0, 0})}
                               : broadcasted(y.elements, x.elements.shape);
    trial.want = whole.base;
    for (std::size_t k = 0; k < x.place.size(); ++k) {
        const Element pair[] = {x.elements.values[k], right.values[k]};
        trial.want.values[x.place[k]] = row.evaluate(working, types, pair);
    }
    const bool as_array = x.spelling == "x" && plan.chance(50);
    with_type(type, [&]<class T>(Type<T>) {
        const auto run = [&](auto& target) {
            if (way != Way::number)
                update<T>(number, target, gpu::View<const T>(y.window));
            else if constexpr (!std::is_same_v<T, bool>)
                update<T>(number, target, by);
        };
        if (as_array) {
            gpu::Array<T> target(x.array);
            run(target);
            trial.got = to_elements(target.core());
        } else {
            gpu::View<T> target(x.window);
            run(target);
            trial.got = to_elements(whole.array);
        }
    });
}

}  // namespace property
