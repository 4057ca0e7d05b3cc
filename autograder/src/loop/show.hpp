// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace course {

/// "n=33" for "n = 33": how cases are compared, so that a shell needs no quotes. Pure.
std::string without_blanks(std::string_view text);

/// Two pages as one: the second's pictures stand beside the first's, each under its name. Pure.
std::string side_by_side(const std::string& first, std::string_view first_name, const std::string& second,
                         std::string_view second_name);

}  // namespace course
