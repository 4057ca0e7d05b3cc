// SPDX-License-Identifier: MIT
#include "gpucc/runtime/see/own_lines.hpp"

#include <charconv>
#include <map>
#include <sstream>
#include <string_view>

namespace gpucc {

OwnLines::OwnLines(const std::string& source, const std::string& file, int first_line) {
    std::map<int, std::string> lines;  // by number
    std::istringstream in(source);
    int number = first_line;
    bool is_own = true;
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view marker = "#line ";
        if (!line.starts_with(marker)) {
            if (is_own && !line.empty()) lines[number] = line;
            ++number;
            continue;
        }
        const char* const end = line.data() + line.size();
        const char* const behind = std::from_chars(line.data() + marker.size(), end, number).ptr;
        if (behind != end) is_own = std::string_view(behind, end) == " \"" + file + '"';
    }
    if (lines.empty()) return;
    first = lines.begin()->first;
    int at = first;
    for (const auto& [place, line] : lines) {
        text.append(static_cast<std::size_t>(place - at), '\n');
        text += line + '\n';
        at = place + 1;
    }
}

}  // namespace gpucc
