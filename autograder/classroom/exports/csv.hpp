// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// Text that no spreadsheet takes for a formula: an apostrophe precedes one that begins with = + - @, a tab or a line
/// end. Pure.
std::string harmless(std::string_view text);

/// A cell as written: harmless, and in double quotes if necessary. Pure.
std::string csv_cell(std::string_view text);

/// A line with these cells, including its end. Pure.
std::string csv_row(const std::vector<std::string>& cells);

}  // namespace course
