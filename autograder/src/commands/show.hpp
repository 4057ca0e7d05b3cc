// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace course {

/// Two pages as one: the second's pictures stand beside the first's, each under its name. Pure.
std::string side_by_side(const std::string& first, std::string_view first_name, const std::string& second,
                         std::string_view second_name);

}  // namespace course
