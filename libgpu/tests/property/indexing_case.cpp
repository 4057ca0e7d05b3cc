// SPDX-License-Identifier: MIT
// Masks, cumulative sums and products.
#include "property/reductions_reference.hpp"
#include "property/term.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;
using Position = std::vector<std::int64_t>;

DType any_dtype(Random& plan) { return static_cast<DType>(plan.below(dtype_count)); }

// compress(mask, x): the elements under the mask, in row-major order.
void compressed(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::Shape shape = draw_shape(plan.below(4), draw, size);
    const Input mask = draw_input("mask", DType::boolean, shape, {}, plan, draw);
    const Input x = draw_input("x", any_dtype(plan), shape, {false, draw.chance(20), false, false}, plan, draw);
    trial.program = "  " + mask.definition + "\n  " + x.definition + "\n  auto z = gpu::compress(" + mask.spelling +
                    ", " + x.spelling + ");";
    trial.want.dtype = x.dtype;
    for (std::size_t k = 0; k < x.elements.values.size(); ++k) {
        if (mask.elements.values[k].re != 0) trial.want.values.push_back(x.elements.values[k]);
    }
    trial.want.shape = gpu::Shape{trial.want.values.size()};
    with_type(x.dtype, [&]<class T>(Type<T>) {
        trial.got = to_elements(gpu::compress(gpu::View<const bool>(mask.window), gpu::View<const T>(x.window)).core());
    });
}

// x[mask] = y[mask] and x[mask] = number, into windows.
void assigned_under_mask(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::Shape shape = draw_shape(plan.below(4), draw, size);
    const DType type = any_dtype(plan);
    const Input mask = draw_input("mask", DType::boolean, shape, {}, plan, draw);
    const Input x = draw_input("x", type, shape, {}, plan, draw);
    const Input y = draw_input("y", type, shape, {}, plan, draw);
    const Element number = draw_value(type, {false, false, false, true}, draw);
    const bool by_number = plan.chance(40);
    trial.program = "  " + mask.definition + "\n  " + x.definition + "\n  " + y.definition + "\n  " + x.spelling + "[" +
                    mask.spelling +
                    "] = " + (by_number ? literal(type, number) : y.spelling + "[" + mask.spelling + "]") + ";";
    trial.want = x.base;
    for (std::size_t k = 0; k < x.place.size(); ++k) {
        if (mask.elements.values[k].re != 0) trial.want.values[x.place[k]] = by_number ? number : y.elements.values[k];
    }
    with_type(type, [&]<class T>(Type<T>) {
        const gpu::View<T> target(x.window), source(y.window);
        const gpu::View<const bool> under(mask.window);
        if (by_number)
            target[under] = Stored<T>::from(number);
        else
            target[under] = source[under];
    });
    trial.got = to_elements(x.array);
}

void accumulated(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 1);
    const Elements input = expression.reference();
    const int rank = input.shape.rank();
    const bool flat = rank == 0 || plan.chance(30), multiplies = plan.chance(35);
    const int axis = flat ? 0 : plan.below(rank);
    trial.program = expression.definitions() + "  auto z = gpu::" + (multiplies ? "cumprod(" : "cumsum(") +
                    expression.spelling() + (flat ? ");" : ", {.axis = " + std::to_string(axis) + "});");
    trial.want = {wide(input.dtype), flat ? gpu::Shape{input.shape.size()} : input.shape, {}};
    gpu::Shape lines = input.shape;  // one a running sum
    if (!flat) lines[axis] = 1;
    std::vector<List> seen(flat ? 1 : static_cast<std::size_t>(lines.size()));
    std::size_t number = 0;
    for_each_position(input.shape, [&](const Position& at) {
        Position line = at;
        if (!flat) line[static_cast<std::size_t>(axis)] = 0;
        List& list = seen[flat ? 0 : number_of(lines, line)];
        list.push_back(input.values[number++]);
        trial.want.values.push_back(multiplies ? product_of(input.dtype, list) : sum_of(input.dtype, list));
    });
    with_type(input.dtype, [&]<class T>(Type<T>) {
        const gpu::Expr<T> value(expression.node());
        const gpu::ScanOptions options = flat ? gpu::ScanOptions{} : gpu::ScanOptions{.axis = axis};
        trial.got = to_elements(multiplies ? gpu::cumprod(value, options).core() : gpu::cumsum(value, options).core());
    });
}

void positions(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::Shape shape = draw_shape(plan.below(4), draw, size);
    const Input x = draw_input("x", any_dtype(plan), shape, {}, plan, draw);
    trial.program = "  " + x.definition + "\n  auto z = gpu::flatnonzero(" + x.spelling + ");";
    trial.want.dtype = DType::int64;
    for (std::size_t k = 0; k < x.elements.values.size(); ++k) {
        const Element& value = x.elements.values[k];
        if (value.re != 0 || value.im != 0) trial.want.values.push_back({static_cast<Real>(k), 0, 0});
    }
    trial.want.shape = gpu::Shape{trial.want.values.size()};
    with_type(x.dtype, [&]<class T>(Type<T>) {
        trial.got = to_elements(gpu::flatnonzero(gpu::View<const T>(x.window)).core());
    });
}

}  // namespace

void indexing_case(Trial& trial, Random& plan, Random& draw, int size) {
    using Way = void (*)(Trial&, Random&, Random&, int);
    constexpr Way ways[] = {compressed, assigned_under_mask, accumulated, positions};
    ways[plan.below(4)](trial, plan, draw, size);
}

}  // namespace property
