// SPDX-License-Identifier: MIT
#include "judge/values/elements.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manifest/names.hpp"

namespace course {

Elements::Elements(const Value& value)
    : type_(value.type),
      data_(value.data().data()),
      element_bytes_(with_type(value.type, [](auto element) { return sizeof element; })),
      size_(static_cast<std::int64_t>(value.data().size() / element_bytes_)) {}

double Elements::operator[](std::int64_t i) const {
    return with_type(type_, [&](auto element) { return static_cast<double>(as<decltype(element)>(i)); });
}

bool Elements::unwritten(std::int64_t i) const noexcept {
    const std::byte* first = data_ + static_cast<std::size_t>(i) * element_bytes_;
    return std::all_of(first, first + element_bytes_, [](std::byte byte) { return byte == std::byte{unwritten_byte}; });
}

std::string Elements::text(std::int64_t i, bool exactly) const {
    return with_type(type_, [&](auto element) {
        using T = decltype(element);
        if constexpr (std::is_integral_v<T>) return std::to_string(as<T>(i));
        else return number_text(static_cast<double>(as<T>(i)), type_, exactly);
    });
}

bool has_nonfinite(std::span<const Value> values) {
    return std::any_of(values.begin(), values.end(), [](const Value& one) {
        const Elements elements(one);
        for (std::int64_t i = 0; elements.floating() && i < elements.size(); ++i)
            if (!std::isfinite(elements[i])) return true;
        return false;
    });
}

std::string number_text(double number, protocol::Type type, bool exactly) {
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    if (type < protocol::Type::float32 && number == std::floor(number)) return fmt::format("{:.0f}", number);
    const bool single = type != protocol::Type::float64;
    return fmt::format("{:.{}g}", number, single ? (exactly ? 9 : 7) : (exactly ? 17 : 10));
}

std::int64_t size_of(const std::vector<std::int64_t>& shape) noexcept {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("({})", fmt::join(shape, ",")); }

std::string index_text(const std::vector<std::int64_t>& shape, std::int64_t i) {
    if (shape.empty()) return {};
    std::vector<std::int64_t> indices(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        indices[axis] = i % shape[axis];
        i /= shape[axis];
    }
    return fmt::format("[{}]", fmt::join(indices, ","));
}

namespace {

using protocol::Place;
using protocol::Type;

template <class T>
Bytes to_bytes(T number) {
    const auto* first = reinterpret_cast<const std::byte*>(&number);
    return {first, first + sizeof number};
}

// The number as `type`, if that type can hold it; a double may be rounded to a float.
template <class From>
Bytes convert_number(From number, Type type) {
    return with_type(type, [&](auto element) -> Bytes {
        using To = decltype(element);
        if constexpr (std::is_floating_point_v<To>) {
            const auto converted = static_cast<To>(number);
            const bool kept = std::is_floating_point_v<From> ||
                              static_cast<long double>(converted) == static_cast<long double>(number);
            return kept ? to_bytes(converted) : Bytes();
        } else {
            const auto wide = static_cast<long double>(number);
            const bool held = wide == std::floor(wide) &&
                              wide >= static_cast<long double>(std::numeric_limits<To>::min()) &&
                              wide <= static_cast<long double>(std::numeric_limits<To>::max()) &&
                              (type != Type::boolean || wide == 0 || wide == 1);
            return held ? to_bytes(static_cast<To>(number)) : Bytes();
        }
    });
}

Bytes convert_scalar(const CheckValue& value, Type type) {
    if (static_cast<Type>(value.type) == type) return value.bytes;
    return with_type(static_cast<Type>(value.type), [&](auto element) {
        std::memcpy(&element, value.bytes.data(), sizeof element);
        return convert_number(element, type);
    });
}

Value to_value(const Function& function, std::size_t k, CheckValue argument) {
    const ValueType type = function.takes[k];
    const auto refuse = [&](const std::string& what) {
        throw CheckError(fmt::format("call(\"{}\"): argument {} is {}; exercise.toml says {}", function.name, k + 1,
                                     what, to_string(type)));
    };
    const auto given = static_cast<Type>(argument.type);
    const std::string element(type_names.at(static_cast<std::size_t>(given)));
    if (type.place == Place::scalar) {
        if (!argument.shape.empty()) refuse("an array");
        Bytes bytes = convert_scalar(argument, type.type);
        if (bytes.empty()) refuse(fmt::format("a {} that this type doesn't hold", element));
        return {type.place, type.type, {}, std::move(bytes)};
    }
    if (argument.shape.empty()) refuse("a number");
    if (given != type.type) refuse("an array of " + element);
    if (type.place == Place::host_vector && argument.shape.size() != 1) refuse("an array of several dimensions");
    return {type.place, type.type, std::move(argument.shape), std::move(argument.bytes), argument.lent};
}

}  // namespace

std::vector<Value> to_values(const Function& function, std::vector<CheckValue> arguments) {
    if (arguments.size() != function.takes.size())
        throw CheckError(fmt::format("call(\"{}\") has {} arguments; exercise.toml says {}", function.name,
                                     arguments.size(), function.takes.size()));
    std::vector<Value> values;
    for (std::size_t k = 0; k < arguments.size(); ++k) values.push_back(to_value(function, k, std::move(arguments[k])));
    return values;
}

CheckValue to_check_value(const Value& value) {
    return {static_cast<ElementType>(value.type), value.shape, value.bytes};
}

std::string case_name(const Function& function, std::span<const Value> arguments) {
    std::vector<std::string> arrays, scalars;
    for (const Value& value : arguments) {
        std::string text = value.place == Place::scalar ? Elements(value).text(0)
                           : value.shape.size() == 1    ? fmt::format("n = {}", value.shape[0])
                                                        : fmt::format("{}", fmt::join(value.shape, " x "));
        if (value.place == Place::scalar) scalars.push_back(std::move(text));
        else if (std::find(arrays.begin(), arrays.end(), text) == arrays.end()) arrays.push_back(std::move(text));
    }
    if (arrays.empty()) return fmt::format("{}({})", function.name, fmt::join(scalars, ", "));
    return fmt::format("{}", fmt::join(arrays, " and "));
}

std::int64_t largest_size(std::span<const Value> values) {
    std::int64_t largest = 0;
    for (const Value& value : values)
        if (value.place != Place::scalar) largest = std::max(largest, size_of(value.shape));
    return largest;
}

bool has_arrays(std::span<const Value> values) {
    return std::any_of(values.begin(), values.end(),
                       [](const Value& value) { return value.place != Place::scalar; });
}

}  // namespace course
