// SPDX-License-Identifier: MIT
#pragma once

#include <cctype>
#include <string_view>

namespace course {

// What the readers of answers' texts share.

/// The line above a part that the student writes holds the first of these, one with a star the second; the line below
/// it the third.
inline constexpr std::string_view part_mark = "// ---- your code", star_mark = "// ---- your code, star",
                                  part_end_mark = "// ---- end ----";

inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
inline bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace course
