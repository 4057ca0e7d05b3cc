// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace course {

/// To stdout, at once, in lines that a terminal has room for; a reader that has gone away (`| head`) is no error.
void print(std::string_view text);
/// To stderr.
void print_error(std::string_view text);

}  // namespace course
