// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
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

/// A kernel's text with a `;` in place of the body of each function template, and of each function of a class
/// template, that nothing in it names: NVRTC looks up no name there, g++ and clang do. Every other character keeps its
/// place. "" if there is no such template.
[[nodiscard]] std::string without_unused_templates(std::string_view text);

/// True if the first error of a compiler's log is a name that isn't declared.
[[nodiscard]] bool begins_with_undeclared_name(std::string_view log);

// Where a kernel computes in double precision. On a GPU for games that is 1/32 to 1/64 of the speed of float, and
// `2.0 * x` is enough. The compiler knows where a float is promoted, and says so only while it compiles: its warnings
// travel behind the object's last byte, where no loader looks, so that objects from a cache have them too.

/// What makes the compilers say where a float becomes a double.
inline constexpr const char* double_precision_flag = "-Wdouble-promotion";

/// The object with the promotions that a compiler's log tells of behind it.
std::string with_promotions(std::string object, std::string_view log);

/// The lines of the learner's text where `kernel`, or a function that isn't a kernel, promotes a float or says
/// `double`; one for each place, in order.
std::vector<int> double_precision_lines(std::string_view object, const Snippet& learners, std::string_view kernel);

}  // namespace gpu::detail::host
