// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace course {

/// The number that all of the text is: "12", "2.5", "-3"; none if it is anything else, or more than a Number holds.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

/// The K-th of N equal shares of something, "K/N"; none unless K goes from 1 to N and N up to `max_of`. Pure.
struct Share {
    std::size_t number = 1, of = 1;
    friend bool operator==(const Share&, const Share&) = default;
};
std::optional<Share> share_from(std::string_view text, std::size_t max_of);

}  // namespace course
