// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>

namespace course {

// Of C++, in ASCII: they don't depend on the locale.

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Letters, digits and _.
constexpr bool is_of_identifier(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

constexpr bool is_identifier(std::string_view text) noexcept {
    return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), is_of_identifier);
}

}  // namespace course
