// SPDX-License-Identifier: MIT
// Masks, index arrays and cumulative sums.
#include <algorithm>

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

struct Mode {
    gpu::IndexMode mode;
    const char* name;
};

std::int64_t resolved(std::int64_t index, std::int64_t length, gpu::IndexMode mode) {
    if (mode == gpu::IndexMode::wrap) return ((index % length) + length) % length;
    if (mode == gpu::IndexMode::clip) return std::clamp<std::int64_t>(index, 0, length - 1);
    return index < 0 ? index + length : index;
}

Mode draw_mode(Random& plan) {
    const Mode modes[] = {
        {gpu::IndexMode::raise, "raise"}, {gpu::IndexMode::wrap, "wrap"}, {gpu::IndexMode::clip, "clip"}};
    return modes[plan.below(3)];
}

Element draw_index(std::int64_t length, gpu::IndexMode mode, DType type, Random& draw) {
    const bool is_signed = format_of(type).is_signed;
    const std::int64_t reach = mode == gpu::IndexMode::raise ? 0 : 2 * length;
    const std::int64_t top = std::min<std::int64_t>(length - 1 + reach, 120);
    return {static_cast<Real>(draw.between(is_signed ? -length - reach : 0, top)), 0, 0};
}

void taken(Trial& trial, Random& plan, Random& draw, int size) {
    const int rank = 1 + plan.below(3);
    gpu::Shape shape = draw_shape(rank, draw, std::min(size, 2));
    for (int axis = 0; axis < rank; ++axis) shape[axis] = std::min<std::int64_t>(shape[axis], 40);
    const int axis = plan.below(rank);
    if (shape[axis] == 0) shape[axis] = 2;
    const Input x = draw_input("x", any_dtype(plan), shape, {false, draw.chance(20), false, false}, plan, draw);
    const DType index_types[] = {DType::int64, DType::int32, DType::uint8};
    const DType index_type = index_types[plan.below(3)];
    const Mode mode = draw_mode(plan);
    Input index;
    index.dtype = index.base.dtype = index_type;
    draw_window(index, "index", draw_shape(plan.below(3), draw, 1), plan, draw, 1);
    const std::int64_t places = index.base.shape.size();
    for (std::int64_t k = 0; k < places; ++k) {
        index.base.values.push_back(draw_index(shape[axis], mode.mode, index_type, draw));
    }
    const Bytes bytes = stored(index.base);
    gpu::detail::copy_from_host(index.array, bytes.data(), places);
    std::string list;
    for (const Element& value : index.base.values) list += (list.empty() ? "" : ", ") + literal(index_type, value);
    trial.program = "  " + x.definition + "\n  index: " + cpp_name(index_type) + " " + braces(index.base.shape) +
                    ": {" + list + "}\n  auto z = gpu::take(" + x.spelling + ", " + index.spelling +
                    ", {.axis = " + std::to_string(axis) + ", .mode = gpu::IndexMode::" + mode.name + "});";
    trial.want.dtype = x.dtype;
    for (int k = 0; k < rank; ++k) {
        if (k != axis)
            trial.want.shape.append(shape[k]);
        else
            for (std::int64_t length : index.elements.shape) trial.want.shape.append(length);
    }
    const std::size_t extra = static_cast<std::size_t>(index.elements.shape.rank()),
                      at_axis = static_cast<std::size_t>(axis);
    for_each_position(trial.want.shape, [&](const Position& at) {
        const Position inner(at.begin() + axis, at.begin() + axis + static_cast<std::ptrdiff_t>(extra));
        const Element& chosen = index.base.values[index.place[number_of(index.elements.shape, inner)]];
        Position there(at.begin(), at.begin() + axis);
        there.push_back(resolved(static_cast<std::int64_t>(chosen.re), shape[axis], mode.mode));
        there.insert(there.end(), at.begin() + static_cast<std::ptrdiff_t>(at_axis + extra), at.end());
        trial.want.values.push_back(x.elements.values[number_of(shape, there)]);
    });
    with_type(x.dtype, [&]<class T>(Type<T>) {
        const auto take = [&]<class I>(Type<I>) {
            return gpu::take(gpu::View<const T>(x.window), gpu::View<const I>(index.window),
                             {.axis = axis, .mode = mode.mode});
        };
        const gpu::Array<T> z = index_type == DType::int64   ? take(Type<std::int64_t>{})
                                : index_type == DType::int32 ? take(Type<std::int32_t>{})
                                                             : take(Type<std::uint8_t>{});
        trial.got = to_elements(z.core());
    });
}

// put() to flat places that all differ.
void put_back(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::Shape shape = draw_shape(1 + plan.below(3), draw, std::min(size, 2));
    const DType type = any_dtype(plan);
    const Input x = draw_input("x", type, shape, {}, plan, draw);
    const Mode mode = draw_mode(plan);
    const std::int64_t length = shape.size();
    std::vector<std::int64_t> places;
    for (std::int64_t k = 0; k < length; ++k) {
        if (draw.chance(40)) places.push_back(mode.mode != gpu::IndexMode::clip && draw.chance(30) ? k - length : k);
    }
    for (std::size_t k = places.size(); k > 1; --k) {
        std::swap(places[k - 1], places[static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(k) - 1))]);
    }
    const gpu::Shape count{places.size()};
    const Input values = draw_input("v", type, count, {}, plan, draw, 1);
    Elements index{DType::int64, count, {}};
    std::string list;
    for (std::int64_t place : places) {
        index.values.push_back({static_cast<Real>(place), 0, 0});
        list += (list.empty() ? "" : ", ") + std::to_string(place);
    }
    trial.program = "  " + x.definition + "\n  " + values.definition +
                    "\n  auto index = gpu::to_device<std::int64_t>({" + list + "});\n  " + x.spelling + ".put(index, " +
                    values.spelling + ", {.mode = gpu::IndexMode::" + mode.name + "});";
    trial.want = x.base;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const std::int64_t there = resolved(places[k], length, mode.mode);
        trial.want.values[x.place[static_cast<std::size_t>(there)]] = values.elements.values[k];
    }
    const gpu::Array<std::int64_t> where(to_array(index, gpu::Layout::row_major));
    with_type(type, [&]<class T>(Type<T>) {
        const gpu::View<T> target(x.window);
        target.put(where, gpu::View<const T>(values.window), {.mode = mode.mode});
    });
    trial.got = to_elements(x.array);
}

void summed_up(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 1);
    const Elements input = expression.reference();
    const int rank = input.shape.rank();
    const bool flat = rank == 0 || plan.chance(30);
    const int axis = flat ? 0 : plan.below(rank);
    trial.program = expression.definitions() + "  auto z = gpu::cumsum(" + expression.spelling() +
                    (flat ? ");" : ", {.axis = " + std::to_string(axis) + "});");
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
        trial.want.values.push_back(sum_of(input.dtype, list));
    });
    with_type(input.dtype, [&]<class T>(Type<T>) {
        const gpu::Expr<T> value(expression.node());
        const gpu::ScanOptions options = flat ? gpu::ScanOptions{} : gpu::ScanOptions{.axis = axis};
        trial.got = to_elements(gpu::cumsum(value, options).core());
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
    constexpr Way ways[] = {compressed, assigned_under_mask, taken, put_back, summed_up, positions};
    ways[plan.below(6)](trial, plan, draw, size);
}

}  // namespace property
