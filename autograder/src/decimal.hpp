// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

namespace course {

/// "09" is nine: CLI11 would read a number with a leading zero as an octal one. For a CLI::Validator: what is wrong, or "".
inline std::string read_decimal(std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789") != text.npos)
        return "\"" + text + "\" is not a valid exercise number; expected one such as 9";
    text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
    return "";
}

}  // namespace course
