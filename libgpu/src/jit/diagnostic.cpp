// SPDX-License-Identifier: MIT
#include "jit/diagnostic.hpp"

#include <charconv>
#include <string_view>

#include "jit/source_map.hpp"

namespace gpu::detail {

namespace {

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "add.cu(3): error: text" as NVRTC writes it.
std::optional<Diagnostic> nvrtc_error(const std::string& line) {
    for (const std::string_view word : {"): error: ", "): catastrophic error: "}) {
        const auto mark = line.find(word);
        if (mark == std::string::npos) continue;
        const auto open = line.rfind('(', mark);
        if (open == std::string::npos) continue;
        const auto at = number(std::string_view(line).substr(open + 1, mark - open - 1));
        if (at) return Diagnostic{line.substr(0, open), *at, 0, line.substr(mark + word.size()), {}};
    }
    return std::nullopt;
}

// "add.cu:3:9: error: text" as g++ and clang write it.
std::optional<Diagnostic> gnu_error(const std::string& line) {
    for (const std::string_view word : {": error: ", ": fatal error: "}) {
        const auto mark = line.find(word);
        if (mark == std::string::npos || mark == 0) continue;
        const auto second = line.rfind(':', mark - 1);
        if (second == std::string::npos || second == 0) continue;
        const auto last = number(std::string_view(line).substr(second + 1, mark - second - 1));
        if (!last) continue;
        const std::string message = line.substr(mark + word.size());
        const auto first = line.rfind(':', second - 1);
        if (first != std::string::npos) {
            if (const auto at = number(std::string_view(line).substr(first + 1, second - first - 1))) {
                return Diagnostic{line.substr(0, first), *at, *last, message, {}};
            }
        }
        return Diagnostic{line.substr(0, second), *last, 0, message, {}};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> first_error(const std::string& log) {
    const auto lines = lines_of(log);
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        auto found = nvrtc_error(*line);
        if (!found) found = gnu_error(*line);
        if (!found) continue;
        found->rest.assign(line + 1, lines.end());
        return found;
    }
    return std::nullopt;
}

// NVRTC indents the line that it shows by as much more as it likes.
int column_from_caret(const Diagnostic& error, const std::string& source_line) {
    for (std::size_t k = 0; k + 1 < error.rest.size() && k < 4; ++k) {
        const std::string &text = error.rest[k], &below = error.rest[k + 1];
        const auto caret = below.find('^');
        const auto shown = text.find_first_not_of(" \t"), real = source_line.find_first_not_of(" \t");
        if (caret == std::string::npos || below.find_first_not_of(" \t~^") != std::string::npos) continue;
        if (shown == std::string::npos || real == std::string::npos || caret < shown) continue;
        return static_cast<int>(caret - shown + real) + 1;
    }
    return 0;
}

}  // namespace gpu::detail
