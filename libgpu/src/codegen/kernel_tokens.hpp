// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail {

/// Whether a character can be part of a C++ name. ASCII only, whatever the locale.
constexpr bool is_name_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The name alone: "scale" of "ns::scale<float>".
inline std::string bare_name(std::string_view name) {
    const std::string_view head = name.substr(0, name.find('<'));
    const auto scope = head.rfind("::");
    return std::string(scope == std::string_view::npos ? head : head.substr(scope + 2));
}

}  // namespace gpu::detail
