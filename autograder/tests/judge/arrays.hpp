// SPDX-License-Identifier: MIT
#pragma once

// Values and expectations from lists, for the tests of the judge.

#include <cstring>
#include <limits>
#include <vector>

#include <course/check_host.hpp>

#include "judge/values/elements.hpp"
#include "run/caller.hpp"

namespace course::testing {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
protocol::Type type_of() {
    using protocol::Type;
    if constexpr (std::is_same_v<T, float>) return Type::float32;
    else if constexpr (std::is_same_v<T, double>) return Type::float64;
    else if constexpr (std::is_same_v<T, std::int32_t>) return Type::int32;
    else if constexpr (std::is_same_v<T, std::int64_t>) return Type::int64;
    else return Type::uint8;
}

template <class T>
Value value_of(const std::vector<T>& elements, std::vector<std::int64_t> shape) {
    const auto* first = reinterpret_cast<const std::byte*>(elements.data());
    const auto* const end = first + elements.size() * sizeof(T);
    return {protocol::Place::device_array, type_of<T>(), std::move(shape), {first, end}};
}

template <class T>
Value array(const std::vector<T>& elements) {
    return value_of(elements, {static_cast<std::int64_t>(elements.size())});
}

template <class T>
Value scalar(T element) {
    Value value = value_of(std::vector<T>{element}, {});
    value.place = protocol::Place::scalar;
    return value;
}

template <class T>
std::vector<T> elements_of(const Value& value) {
    std::vector<T> elements(value.bytes.size() / sizeof(T));
    if (!elements.empty()) std::memcpy(elements.data(), value.bytes.data(), value.bytes.size());
    return elements;
}

inline float unwritten_float() {
    float element;
    std::memset(&element, unwritten_byte, sizeof element);
    return element;
}

inline Expected expected(std::vector<double> values, std::vector<std::int64_t> shape, double absolute = 0,
                         double relative = 0) {
    return {.shape = std::move(shape),
            .at = [values = std::move(values)](std::int64_t i) { return values.at(static_cast<std::size_t>(i)); },
            .bound = {},
            .absolute = absolute,
            .relative = relative};
}

inline Expected expected(std::vector<double> values, double absolute = 0, double relative = 0) {
    const auto size = static_cast<std::int64_t>(values.size());
    return expected(std::move(values), {size}, absolute, relative);
}

}  // namespace course::testing
