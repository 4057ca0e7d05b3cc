// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

#include "property/trial.hpp"
#include "property/typed.hpp"

// Random calls of kernels that share memory among threads, each beside a serial reference.
namespace random_cases {

using gpu::DType;
using gpu::detail::ArrayCore;
using property::Random;
using property::Real;

/// One call. What decides the kernels' texts (types, operations, numbers of axes) comes from `plan`, which several
/// cases have in common, so that they share kernels; lengths, steps and values come from `draw`.
struct Case {
    Random plan, draw;
    std::int64_t max_elements;
    std::string text = {};  ///< what is called, for whom it fails
    std::int64_t elements = 0;
};

/// Makes the call; returns what is wrong, or nothing.
using Call = std::string (*)(Case&);

/// Runs as many cases of a kind as RANDOM_CASES says (40), from RANDOM_SEED (1), or RANDOM_CASE alone; RANDOM_THREADS
/// at a time, with no more than RANDOM_ELEMENTS each. So many cases share a plan.
void check_cases(const char* kind, Call call, std::int64_t cases_of_a_plan = 8);

/// An axis's length: 0, 1, small, at or beside a tile's size, or anything up to `most`.
[[nodiscard]] std::int64_t drawn_length(Random& draw, std::int64_t most);

/// A shape whose axis `along` is drawn like that; the other axes are mostly short.
[[nodiscard]] gpu::Shape drawn_shape(Case& one, int rank, int along);

/// The axis as written: sometimes from the end.
[[nodiscard]] int written_axis(Random& draw, int axis, int rank);

/// The lines along an axis of a dense array: element k of line `number` is at first(number) + k * step.
struct LinesAlong {
    LinesAlong(const gpu::Shape& shape, int axis);
    [[nodiscard]] std::size_t first(std::int64_t number) const noexcept {
        return static_cast<std::size_t>(number / inner * n * inner + number % inner);
    }
    [[nodiscard]] std::size_t at(std::int64_t number, std::int64_t k) const noexcept {
        return first(number) + static_cast<std::size_t>(k * inner);
    }
    std::int64_t count = 1, n = 1, inner = 1;
};

/// What a vector holds for a T: std::vector<bool> has bits.
template <class T>
using Held = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

template <class T>
inline constexpr bool is_real =
    std::is_floating_point_v<T> || std::is_same_v<T, gpu::half> || std::is_same_v<T, gpu::bfloat16>;
template <class T>
inline constexpr bool is_complex_type = gpu::is_complex(gpu::dtype_of<T>);

template <class T>
bool is_nan(const T& value) {
    if constexpr (is_real<T>) return static_cast<double>(value) != static_cast<double>(value);
    else return false;
}

/// NumPy's order: NaN comes last, and -0 equals 0.
template <class T>
bool goes_before(const T& a, const T& b) {
    if constexpr (is_real<T>) {
        const auto x = static_cast<double>(a), y = static_cast<double>(b);
        return x < y || (y != y && x == x);
    } else {
        return a < b;
    }
}

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

enum class Data { any_bits, few_values, skewed, equal, ascending, descending, not_numbers, zeros };
inline constexpr int data_count = 8;
[[nodiscard]] const char* name_of(Data data) noexcept;

/// Elements with any bits, or of the named kind; some real ones are zeros and NaNs of either sign.
template <class T>
std::vector<Held<T>> drawn_bits(Data data, std::int64_t count, Random& draw) {
    std::vector<Held<T>> values(static_cast<std::size_t>(count));
    const std::uint64_t common = draw.next();
    for (Held<T>& value : values) {
        std::uint64_t words[2] = {draw.next(), draw.next()};
        if (data == Data::few_values) words[0] = 40 + words[0] % 5, words[1] = 0;
        if (data == Data::equal || (data == Data::skewed && words[1] % 16 != 0)) words[0] = words[1] = common;
        if constexpr (std::is_same_v<T, bool>) words[0] %= 2;
        std::memcpy(static_cast<void*>(&value), words, sizeof value);
        if constexpr (is_real<T>) {
            const auto signed_as = [&](double special) {
                value = static_cast<T>(static_cast<float>(words[1] % 32 < 16 ? special : -special));
            };
            if (data == Data::not_numbers || (data == Data::any_bits && words[1] % 16 == 0))
                signed_as(static_cast<double>(property::not_a_number));
            if (data == Data::zeros || (data == Data::any_bits && words[1] % 16 == 1)) signed_as(0);
        } else if (data == Data::zeros) {
            value = Held<T>{};
        }
    }
    if constexpr (!is_complex_type<T>) {
        if (data == Data::ascending || data == Data::descending)
            std::stable_sort(values.begin(), values.end(), goes_before<Held<T>>);
        if (data == Data::descending) std::reverse(values.begin(), values.end());
    }
    return values;
}

/// A view and its elements in row-major order.
template <class T>
struct Input {
    ArrayCore view;
    std::vector<Held<T>> values;
    std::string text;  ///< how it lies in its array
    [[nodiscard]] gpu::detail::NodePointer node() const { return gpu::detail::leaf(view); }
};

/// How a view of a shape lies in an array: with gaps, backwards, its axes in any order.
struct Placing {
    Placing(const gpu::Shape& shape, Random& plan, Random& draw);
    /// The place of each element of the view in the array.
    [[nodiscard]] std::vector<std::size_t> places() const;
    [[nodiscard]] ArrayCore view_of(ArrayCore array) const;

    gpu::Shape shape, whole;  ///< of the view and of the array
    std::vector<std::int64_t> steps;
    std::int64_t offset = 0;
    bool dense = true;
    std::string text = "dense";
};

template <class T>
Input<T> input_of(const gpu::Shape& shape, std::vector<Held<T>> values, Case& one) {
    const Placing placing(shape, one.plan, one.draw);
    Input<T> made{.view = {}, .values = std::move(values), .text = placing.text};
    const auto on_device = [&](const gpu::Shape& whole, const std::vector<Held<T>>& held) {
        return gpu::detail::to_device(gpu::dtype_of<T>, whole, held.data(), held.size(), gpu::Layout::row_major);
    };
    one.elements += shape.size();
    if (placing.dense) {
        made.view = on_device(shape, made.values);
        return made;
    }
    std::vector<Held<T>> whole = drawn_bits<T>(Data::any_bits, placing.whole.size(), one.draw);
    const std::vector<std::size_t> places = placing.places();
    for (std::size_t k = 0; k < places.size(); ++k) whole[places[k]] = made.values[k];
    made.view = placing.view_of(on_device(placing.whole, whole));
    return made;
}

/// The same of random bits.
template <class T>
Input<T> drawn_input(const gpu::Shape& shape, Case& one) {
    const auto data = static_cast<Data>(one.draw.below(data_count));
    Input<T> made = input_of<T>(shape, drawn_bits<T>(data, shape.size(), one.draw), one);
    made.text = std::string(gpu::name(gpu::dtype_of<T>)) + ' ' + gpu::to_string(shape) + ", " + name_of(data) + ", " +
                made.text;
    return made;
}

/// A result's elements in row-major order.
template <class T>
std::vector<Held<T>> on_host(const ArrayCore& array) {
    std::vector<Held<T>> values(static_cast<std::size_t>(array.shape.size()));
    gpu::detail::copy_to_host(array, values.data(), array.shape.size());
    return values;
}

/// What is wrong with a result of this type and shape.
template <class T>
std::string problem_of_form(const ArrayCore& got, const gpu::Shape& shape) {
    if (got.dtype != gpu::dtype_of<T>) return "the result is " + std::string(gpu::name(got.dtype));
    if (!(got.shape == shape)) return "the result's shape is " + gpu::to_string(got.shape);
    return {};
}

/// Says which element is wrong: the first for which `is_right(k)` is false.
template <class F>
std::string first_wrong(std::size_t count, const F& is_right) {
    for (std::size_t k = 0; k < count; ++k)
        if (!is_right(k)) return "element " + std::to_string(k) + " of " + std::to_string(count) + " is wrong";
    return {};
}

/// The same for a result that must have exactly these bits.
template <class T>
std::string problem_of_bits(const ArrayCore& got, const gpu::Shape& shape, const std::vector<Held<T>>& want) {
    std::string problem = problem_of_form<T>(got, shape);
    if (!problem.empty()) return problem;
    const std::vector<Held<T>> values = on_host<T>(got);
    return first_wrong(want.size(), [&](std::size_t k) { return same_bits(values[k], want[k]); });
}

}  // namespace random_cases
