// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

/// What is refused in a text without a compiler, as a compiler would write it, in the order of the text.
class Refusals {
public:
    Refusals(const std::vector<Token>& tokens, std::string_view file, int first_line) {
        places_[0] = {std::string(file), first_line};
        for (std::size_t k = 0; k < tokens.size(); ++k) {
            const auto directive = line_directive_at(tokens, k);  // where a file was included
            if (!directive) continue;
            const std::string before = places_.rbegin()->second.file;
            places_[tokens[k].offset + 1] = {directive->file.value_or(before), directive->line - tokens[k].line};
        }
    }

    /// `beyond`: so many characters behind the token's first.
    void add(const Token& token, std::string_view what, std::string_view reason, std::string_view advice = "",
             std::size_t beyond = 0) {
        const Place& place = std::prev(places_.upper_bound(token.offset))->second;
        std::string line = place.file + ':' + std::to_string(token.line + place.first_line - 1) + ':' +
                           std::to_string(token.column() + static_cast<int>(beyond)) + ": error: ";
        for (const std::string_view part : {what, std::string_view(": "), reason, advice}) line += part;
        lines_.emplace(token.offset + beyond, line + '\n');
    }
    [[nodiscard]] std::string log() const {
        std::string log;
        for (const auto& [place, line] : lines_) log += line;
        return log;
    }

private:
    struct Place {
        std::string file;
        int first_line;
    };
    std::map<std::size_t, Place> places_;
    std::multimap<std::size_t, std::string> lines_;
};

/// Adds the functions that a text defines, and its variables outside functions, which aren't the device's: NVRTC takes
/// no text that has one, whether a kernel uses it or not. What a macro may annotate isn't one, nor is
/// what stands behind #if.
void add_missing_annotations(const std::vector<Token>& tokens, Refusals& refusals);

}  // namespace gpu::detail::host
