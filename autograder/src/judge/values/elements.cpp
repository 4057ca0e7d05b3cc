// SPDX-License-Identifier: MIT
#include "judge/values/elements.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace course
