// SPDX-License-Identifier: MIT
// Index arrays: take(), put() and add_at() along an axis and flat, in all modes, with places that are named twice.
#include <algorithm>
#include <optional>

#include "property/reductions.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;
using gpu::IndexMode;
using Position = std::vector<std::int64_t>;

/// The options of a call, and its index array.
struct Indexing {
    IndexMode mode = IndexMode::raise;
    std::optional<int> axis;
    Input index;
    gpu::Shape shape;                 ///< of what take() gives
    std::vector<std::size_t> source;  ///< of each of its elements, its number in the array

    [[nodiscard]] gpu::IndexOptions options() const {
        return {.axis = axis ? gpu::OptionalAxis(*axis) : gpu::OptionalAxis(gpu::none), .mode = mode};
    }
    [[nodiscard]] std::string spelling() const {
        const char* const names[] = {"raise", "wrap", "clip"};
        return std::string("{") + ".axis = " + (axis ? std::to_string(*axis) : "gpu::none") + ", " +
               ".mode = gpu::IndexMode::" + names[static_cast<int>(mode)] + "}";
    }
};

std::int64_t resolved(std::int64_t index, std::int64_t length, IndexMode mode) {
    if (mode == IndexMode::wrap) return ((index % length) + length) % length;
    if (mode == IndexMode::clip) return std::clamp<std::int64_t>(index, 0, length - 1);
    return index < 0 ? index + length : index;
}

Element draw_index(std::int64_t length, IndexMode mode, DType type, Random& draw) {
    const bool is_signed = format_of(type).is_signed;
    const std::int64_t reach = mode == IndexMode::raise ? 0 : 2 * length;
    const std::int64_t top = std::min<std::int64_t>(length - 1 + reach, 120);
    return {static_cast<Real>(draw.between(is_signed ? -length - reach : 0, top)), 0, 0};
}

// A shape that can be indexed so: nothing may be taken from an axis without elements.
gpu::Shape draw_indexed_shape(std::optional<int>& axis, Random& plan, Random& draw, int size) {
    const int rank = 1 + plan.below(3);
    gpu::Shape shape = draw_shape(rank, draw, std::min(size, 2));
    if (plan.chance(70)) axis = plan.below(rank);
    for (int k = 0; k < rank; ++k) {
        shape[k] = std::min<std::int64_t>(shape[k], 40);
        if (shape[k] == 0 && (!axis || *axis == k)) shape[k] = 2;
    }
    return shape;
}

Indexing draw_indexing(const gpu::Shape& shape, std::optional<int> axis, Trial& trial, Random& plan, Random& draw) {
    Indexing drawn;
    drawn.mode = static_cast<IndexMode>(plan.below(3));
    drawn.axis = axis;
    const DType index_types[] = {DType::int64, DType::int32, DType::uint8};
    Input& index = drawn.index;
    index.dtype = index.base.dtype = index_types[plan.below(3)];
    draw_window(index, "index", draw_shape(plan.below(3), draw, 1), plan, draw, 1);
    const std::int64_t count = index.base.shape.size(), length = axis ? shape[*axis] : shape.size();
    std::string list;
    for (std::int64_t k = 0; k < count; ++k) {
        index.base.values.push_back(draw_index(length, drawn.mode, index.dtype, draw));
        list += (list.empty() ? "" : ", ") + literal(index.dtype, index.base.values.back());
    }
    const Bytes bytes = stored(index.base);
    gpu::detail::copy_from_host(index.array, bytes.data(), count);
    trial.program += "  index: " + cpp_name(index.dtype) + " " + braces(index.base.shape) + ": {" + list + "}\n";

    const auto chosen = [&](const Position& at) {
        const Element& value = index.base.values[index.place[number_of(index.elements.shape, at)]];
        return resolved(static_cast<std::int64_t>(value.re), length, drawn.mode);
    };
    const int extra = index.elements.shape.rank(), first = axis.value_or(0);
    for (int k = 0; axis && k < first; ++k) drawn.shape.append(shape[k]);
    for (std::int64_t one : index.elements.shape) drawn.shape.append(one);
    for (int k = first + 1; axis && k < shape.rank(); ++k) drawn.shape.append(shape[k]);
    for_each_position(drawn.shape, [&](const Position& at) {
        const auto middle = at.begin() + first, rest = middle + extra;
        const std::int64_t place = chosen(Position(middle, rest));
        if (!axis) return drawn.source.push_back(static_cast<std::size_t>(place));
        Position there(at.begin(), middle);
        there.push_back(place);
        there.insert(there.end(), rest, at.end());
        drawn.source.push_back(number_of(shape, there));
    });
    return drawn;
}

// Calls f(index) with a typed view.
template <class F>
void with_index(const Indexing& indexing, F f) {
    const gpu::detail::ArrayCore& index = indexing.index.window;
    if (indexing.index.dtype == DType::int64) return f(gpu::View<const std::int64_t>(index));
    if (indexing.index.dtype == DType::int32) return f(gpu::View<const std::int32_t>(index));
    return f(gpu::View<const std::uint8_t>(index));
}

void taken(Trial& trial, Random& plan, Random& draw, int size) {
    std::optional<int> axis;
    const gpu::Shape shape = draw_indexed_shape(axis, plan, draw, size);
    const DType type = static_cast<DType>(plan.below(dtype_count));
    const Input x = draw_input("x", type, shape, {false, draw.chance(20), false, false}, plan, draw);
    trial.program = "  " + x.definition + "\n";
    const Indexing indexing = draw_indexing(shape, axis, trial, plan, draw);
    trial.program +=
        "  auto z = gpu::take(" + x.spelling + ", " + indexing.index.spelling + ", " + indexing.spelling() + ");";
    trial.want = {type, indexing.shape, {}};
    for (std::size_t place : indexing.source) trial.want.values.push_back(x.elements.values[place]);
    with_type(type, [&]<class T>(Type<T>) {
        with_index(indexing, [&](const auto& index) {
            trial.got = to_elements(gpu::take(gpu::View<const T>(x.window), index, indexing.options()).core());
        });
    });
}

/// What is written to an indexed array: a number, or an array that broadcasts.
struct Written {
    Elements all;                          ///< of the shape that take() gives
    std::vector<std::vector<Element>> at;  ///< of each element of the array
    std::optional<Input> array;
    Element number;
    std::string spelling;
};

Written draw_written(DType type, std::size_t elements, const Indexing& indexing, Trial& trial, Random& plan,
                     Random& draw) {
    Written written;
    Values values;
    values.exact = draw.chance(50);
    if (plan.chance(25)) {
        values.exact = true;
        written.number = draw_value(type, values, draw);
        written.all = broadcasted({type, {}, {written.number}}, indexing.shape);
        written.spelling = literal(type, written.number);
    } else {
        gpu::Shape smaller;
        const bool whole = plan.chance(60);
        const int rank = indexing.shape.rank();
        for (int axis = whole ? 0 : plan.below(rank + 1); axis < rank; ++axis) {
            smaller.append(!whole && plan.chance(30) ? 1 : indexing.shape[axis]);
        }
        written.array = draw_input("v", type, smaller, values, plan, draw, 1);
        written.all = broadcasted(written.array->elements, indexing.shape);
        written.spelling = written.array->spelling;
        trial.program += "  " + written.array->definition + "\n";
    }
    written.at.resize(elements);
    for (std::size_t k = 0; k < indexing.source.size(); ++k) {
        written.at[indexing.source[k]].push_back(written.all.values[k]);
    }
    return written;
}

// One of several values for a place wins, and it isn't said which: all are as good as the first. The parts of a complex
// number may be written one after the other.
void accept_any_winner(Trial& trial, std::size_t place, const std::vector<Element>& values) {
    Element& got = trial.got.values[place];
    trial.want.values[place] = values.front();
    const auto is_one = [&](Real Element::*part) {
        return std::any_of(values.begin(), values.end(), [&](const Element& one) { return one.*part == got.*part; });
    };
    if (is_one(&Element::re) && is_one(&Element::im)) got = values.front();
}

void put_into(Trial& trial, Random& plan, Random& draw, int size) {
    std::optional<int> axis;
    const gpu::Shape shape = draw_indexed_shape(axis, plan, draw, size);
    const DType type = static_cast<DType>(plan.below(dtype_count));
    const Input x = draw_input("x", type, shape, {}, plan, draw);
    trial.program = "  " + x.definition + "\n";
    const Indexing indexing = draw_indexing(shape, axis, trial, plan, draw);
    const Written written = draw_written(type, x.place.size(), indexing, trial, plan, draw);
    trial.program += "  " + x.spelling + ".put(" + indexing.index.spelling + ", " + written.spelling + ", " +
                     indexing.spelling() + ");";
    with_type(type, [&]<class T>(Type<T>) {
        with_index(indexing, [&](const auto& index) {
            const gpu::View<T> target(x.window);
            if (written.array)
                target.put(index, gpu::View<const T>(written.array->window), indexing.options());
            else
                target.put(index, Stored<T>::from(written.number), indexing.options());
        });
    });
    trial.want = x.base;
    trial.got = to_elements(x.array);
    for (std::size_t k = 0; k < written.at.size(); ++k) {
        if (!written.at[k].empty()) accept_any_winner(trial, x.place[k], written.at[k]);
    }
}

template <class T>
constexpr bool adds_up =
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, std::uint64_t> || std::is_same_v<T, float> || std::is_same_v<T, double>;

void added_at(Trial& trial, Random& plan, Random& draw, int size) {
    std::optional<int> axis;
    const gpu::Shape shape = draw_indexed_shape(axis, plan, draw, size);
    const DType types[] = {DType::int32, DType::uint32, DType::int64, DType::uint64, DType::float32, DType::float64};
    const DType type = types[plan.below(6)];
    const Input x = draw_input("x", type, shape, {}, plan, draw);
    trial.program = "  " + x.definition + "\n";
    const Indexing indexing = draw_indexing(shape, axis, trial, plan, draw);
    const Written written = draw_written(type, x.place.size(), indexing, trial, plan, draw);
    trial.program += "  " + x.spelling + ".add_at(" + indexing.index.spelling + ", " + written.spelling + ", " +
                     indexing.spelling() + ");";
    trial.want = x.base;
    for (std::size_t k = 0; k < written.at.size(); ++k) {
        if (written.at[k].empty()) continue;
        Element& place = trial.want.values[x.place[k]];
        List terms = written.at[k];
        terms.push_back(place);
        place = sum_of(type, terms);
        if (is_integral(type)) place = wrapped(type, integer(place));
    }
    with_type(type, [&]<class T>(Type<T>) {
        if constexpr (adds_up<T>) {
            with_index(indexing, [&](const auto& index) {
                const gpu::View<T> target(x.window);
                if (written.array)
                    target.add_at(index, gpu::View<const T>(written.array->window), indexing.options());
                else
                    target.add_at(index, Stored<T>::from(written.number), indexing.options());
            });
        }
    });
    trial.got = to_elements(x.array);
}

}  // namespace

void take_put_case(Trial& trial, Random& plan, Random& draw, int size) {
    using Way = void (*)(Trial&, Random&, Random&, int);
    constexpr Way ways[] = {taken, put_into, added_at};
    ways[plan.below(3)](trial, plan, draw, size);
}

}  // namespace property
