// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "launch/order/counted_mask.hpp"
#include "random_cases/cases.hpp"

// Random masks: what they keep, where that is, and what is written through them.

namespace {

using namespace random_cases;

enum class Kept { nothing, everything, some, few, stretches, first, last };
constexpr int kept_count = 7;

/// Which elements a mask keeps.
std::vector<unsigned char> drawn_mask(Kept kind, std::int64_t count, Random& draw) {
    std::vector<unsigned char> made(static_cast<std::size_t>(count), kind == Kept::everything ? 1 : 0);
    if (made.empty()) return made;
    if (kind == Kept::first) made.front() = 1;
    if (kind == Kept::last) made.back() = 1;
    std::int64_t left = 0;
    unsigned char now = 0;
    const int percent = 1 + draw.below(99);
    for (unsigned char& one : made) {
        if (kind == Kept::some) one = draw.chance(percent) ? 1 : 0;
        if (kind == Kept::few) one = draw.below(500) == 0 ? 1 : 0;
        if (kind != Kept::stretches) continue;
        if (left-- == 0) {
            left = draw.between(0, 3000);
            now = now == 0 ? 1 : 0;
        }
        one = now;
    }
    return made;
}

Input<bool> mask_of(const gpu::Shape& shape, Case& one) {
    const auto kind = static_cast<Kept>(one.draw.below(kept_count));
    Input<bool> made = input_of<bool>(shape, drawn_mask(kind, shape.size(), one.draw), one);
    constexpr const char* names[] = {"nothing", "everything", "some", "few", "stretches", "the first", "the last"};
    made.text =
        "a mask of " + gpu::to_string(shape) + " that keeps " + names[static_cast<int>(kind)] + ", " + made.text;
    return made;
}

std::vector<std::int64_t> positions_in(const std::vector<unsigned char>& mask) {
    std::vector<std::int64_t> made;
    for (std::size_t k = 0; k < mask.size(); ++k)
        if (mask[k] != 0) made.push_back(static_cast<std::int64_t>(k));
    return made;
}

/// The rows of so many elements at these positions.
template <class E>
std::vector<E> rows_at(const std::vector<E>& values, const std::vector<std::int64_t>& positions, std::int64_t row) {
    std::vector<E> made;
    for (const std::int64_t position : positions)
        made.insert(made.end(), values.begin() + position * row, values.begin() + (position + 1) * row);
    return made;
}

/// The rows that a mask of a shape's first axes keeps, or writes to.
template <class T>
std::string kept_of(Case& one) {
    const bool writes = one.plan.chance(35);
    const int rank = 1 + one.plan.below(4), masked = 1 + one.plan.below(rank);
    const gpu::Shape shape = drawn_shape(one, rank, one.plan.below(masked));
    gpu::Shape of_mask, rest;
    for (int axis = 0; axis < rank; ++axis) (axis < masked ? of_mask : rest).append(shape[axis]);
    const Input<bool> mask = mask_of(of_mask, one);
    const Input<T> x = drawn_input<T>(shape, one);
    one.text = (writes ? "assignment to x[mask], " : "compress, ") + mask.text + ", of " + x.text;
    const std::vector<std::int64_t> positions = positions_in(mask.values);
    const std::int64_t row = rest.size();
    gpu::Shape kept{static_cast<std::int64_t>(positions.size())};
    for (const std::int64_t length : rest) kept.append(length);
    if (!writes)
        return problem_of_bits<T>(gpu::detail::compress(mask.node(), x.node()), kept,
                                  rows_at<Held<T>>(x.values, positions, row));
    const Input<T> values = drawn_input<T>(kept, one);
    std::vector<Held<T>> want = x.values;
    for (std::size_t k = 0; k < positions.size(); ++k)
        std::copy_n(values.values.begin() + static_cast<std::int64_t>(k) * row, row,
                    want.begin() + positions[k] * row);
    gpu::detail::assign_compressed(x.view, mask.node(), values.node());
    return problem_of_bits<T>(x.view, shape, want);
}

std::string kept_call(Case& one) {
    const auto type = static_cast<DType>(one.plan.below(gpu::detail::dtype_count));
    return property::with_type(type, [&]<class T>(property::Type<T>) { return kept_of<T>(one); });
}

/// The slices along an axis where a condition holds.
template <class T>
std::string slices_of(Case& one) {
    const int rank = 1 + one.plan.below(4), axis = one.plan.below(rank);
    const gpu::Shape shape = drawn_shape(one, rank, axis);
    const Input<bool> condition = mask_of(gpu::Shape{shape[axis]}, one);
    const Input<T> x = drawn_input<T>(shape, one);
    one.text = "compress along axis " + std::to_string(axis) + ", " + condition.text + ", of " + x.text;
    const std::vector<std::int64_t> positions = positions_in(condition.values);
    gpu::Shape kept = shape;
    kept[axis] = static_cast<std::int64_t>(positions.size());
    const LinesAlong lines(shape, axis), made(kept, axis);
    std::vector<Held<T>> want(static_cast<std::size_t>(kept.size()));
    for (std::int64_t line = 0; line < lines.count; ++line)
        for (std::int64_t k = 0; k < made.n; ++k)
            want[made.at(line, k)] = x.values[lines.at(line, positions[static_cast<std::size_t>(k)])];
    return problem_of_bits<T>(
        gpu::detail::compress_axis(condition.node(), x.node(), written_axis(one.draw, axis, rank)), kept, want);
}

std::string slices_call(Case& one) {
    const auto type = static_cast<DType>(one.plan.below(gpu::detail::dtype_count));
    return property::with_type(type, [&]<class T>(property::Type<T>) { return slices_of<T>(one); });
}

/// Where elements aren't 0, as flat positions, as one array for each axis and as rows. NaN isn't 0, -0 is.
template <class T>
std::string positions_of(Case& one) {
    const int rank = 1 + one.plan.below(4);
    const gpu::Shape shape = drawn_shape(one, rank, one.plan.below(rank));
    std::vector<Held<T>> values = drawn_bits<T>(Data::any_bits, shape.size(), one.draw);
    const std::vector<unsigned char> kept =
        drawn_mask(static_cast<Kept>(one.draw.below(kept_count)), shape.size(), one.draw);
    for (std::size_t k = 0; k < values.size(); ++k)
        if (kept[k] == 0) values[k] = is_real<T> && one.draw.chance(50) ? Held<T>(-Held<T>(0)) : Held<T>(0);
    const Input<T> x = input_of<T>(shape, values, one);
    one.text = "positions in " + std::string(gpu::name(gpu::dtype_of<T>)) + ' ' + gpu::to_string(shape) + ", " + x.text;
    std::vector<std::int64_t> flat;
    for (std::size_t k = 0; k < values.size(); ++k)
        if (!(values[k] == Held<T>(0))) flat.push_back(static_cast<std::int64_t>(k));
    const auto count = static_cast<std::int64_t>(flat.size());
    const gpu::detail::NodePointer mask = gpu::detail::cast_node(DType::boolean, x.node());
    std::string problem = problem_of_bits<std::int64_t>(gpu::detail::flat_nonzero(mask), gpu::Shape{count}, flat);
    if (!problem.empty()) return "flatnonzero: " + problem;
    std::vector<std::int64_t> rows(flat.size() * static_cast<std::size_t>(rank));
    const std::vector<ArrayCore> arrays = gpu::detail::nonzero(mask);
    if (arrays.size() != static_cast<std::size_t>(rank)) return "nonzero: not one array for each axis";
    std::int64_t step = 1;
    for (int axis = rank - 1; axis >= 0; step *= std::max<std::int64_t>(shape[axis], 1), --axis) {
        std::vector<std::int64_t> want;
        for (const std::int64_t place : flat) want.push_back(place / step % shape[axis]);
        const auto number = static_cast<std::size_t>(axis);
        for (std::size_t k = 0; k < want.size(); ++k) rows[k * static_cast<std::size_t>(rank) + number] = want[k];
        problem = problem_of_bits<std::int64_t>(arrays[number], gpu::Shape{count}, want);
        if (!problem.empty()) return "nonzero, axis " + std::to_string(axis) + ": " + problem;
    }
    problem = problem_of_bits<std::int64_t>(gpu::detail::argwhere(mask), gpu::Shape{count, rank}, rows);
    return problem.empty() ? problem : "argwhere: " + problem;
}

std::string positions_call(Case& one) {
    const auto type = static_cast<DType>(one.plan.below(gpu::detail::dtype_count));
    return property::with_type(type, [&]<class T>(property::Type<T>) { return positions_of<T>(one); });
}

/// A GPU's kernels on any device, in small tiles, for masks that begin anywhere in their 16 bytes.
template <class T>
std::string small_tiles_of(Case& one) {
    const gpu::detail::MaskWay way{.by_blocks = true,
                                   .tile = {.threads = 64, .rounds = one.plan.chance(50) ? 2 : 16}};
    const std::int64_t n = drawn_length(one.draw, 6000), offset = one.draw.below(20), size = n + offset;
    const auto kind = static_cast<Kept>(one.draw.below(kept_count));
    std::vector<unsigned char> held = drawn_mask(kind, size, one.draw);
    const auto data = static_cast<Data>(one.draw.below(data_count));
    const std::vector<Held<T>> values = drawn_bits<T>(data, n, one.draw);
    one.elements += n;
    one.text = std::string(gpu::name(gpu::dtype_of<T>)) + ", " + std::to_string(n) + " elements of a mask from " +
               std::to_string(offset) + " on, kind " + std::to_string(static_cast<int>(kind));
    const auto on_device = [](auto type, const auto& some) {
        using E = typename decltype(type)::type;
        return gpu::detail::to_device(gpu::dtype_of<E>, gpu::Shape{static_cast<std::int64_t>(some.size())},
                                      some.data(), some.size(), gpu::Layout::row_major);
    };
    ArrayCore mask = on_device(property::Type<bool>{}, held);
    mask.offset += offset;
    mask.shape = gpu::Shape{n};
    held.erase(held.begin(), held.begin() + offset);
    const std::vector<std::int64_t> positions = positions_in(held);
    const auto count = static_cast<std::int64_t>(positions.size());
    const gpu::detail::CountedMask counted(mask, way);
    if (counted.counted() != count) return "the count is " + std::to_string(counted.counted());
    const std::int64_t limit = one.draw.between(0, count);
    std::string problem = problem_of_bits<std::int64_t>(counted.positions(limit), gpu::Shape{limit},
                                                        {positions.begin(), positions.begin() + limit});
    if (!problem.empty()) return "the first " + std::to_string(limit) + " positions: " + problem;
    return problem_of_bits<T>(counted.kept(on_device(property::Type<T>{}, values), count), gpu::Shape{count},
                              rows_at<Held<T>>(values, positions, 1));
}

std::string small_tiles_call(Case& one) {
    constexpr DType types[] = {DType::boolean, DType::float16, DType::float32, DType::float64, DType::complex128};
    return property::with_type(types[one.plan.below(5)],
                               [&]<class T>(property::Type<T>) { return small_tiles_of<T>(one); });
}

}  // namespace

TEST_CASE("random masks that keep rows of an array, or write to them") { check_cases("masks", kept_call); }

TEST_CASE("random conditions along an axis") { check_cases("slices", slices_call); }

TEST_CASE("random positions of elements that aren't 0") { check_cases("positions", positions_call); }

TEST_CASE("random masks in small tiles") { check_cases("masks in tiles", small_tiles_call); }
