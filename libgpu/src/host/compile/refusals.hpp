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

/// What is refused in a text before compiling, worded like a compiler's messages, in the order of the text.
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

    /// `beyond`: how many characters after the token's first.
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

/// What kernels may not use on the host, or on any GPU, as compiler messages at the learner's lines ("" if nothing).
/// `needs_annotations`: a function or a variable without __device__ counts as the host's, as in CUDA.
std::string unsupported(const std::vector<Token>& tokens, std::string_view file, int first_line,
                        bool needs_annotations = true);

/// Adds the functions that a text defines, and its variables outside functions, that aren't marked for the device:
/// NVRTC rejects a text that has one, used or not. Code that a macro may annotate doesn't count, nor does code after
/// #if.
void add_missing_annotations(const std::vector<Token>& tokens, Refusals& refusals);

/// A kernel's text with a `;` in place of the body of each function template, and of each function of a class template,
/// that nothing in it names: NVRTC looks up no names there, but g++ and clang do. Every other character keeps its
/// place. "" if there is no such template.
[[nodiscard]] std::string without_unused_templates(std::string_view text);

/// True if the first error in a compiler's log is an undeclared name.
[[nodiscard]] bool begins_with_undeclared_name(std::string_view log);

// Where a kernel computes in double precision. On a gaming GPU this runs at 1/32 to 1/64 of the speed of float, and a
// `2.0 * x` suffices. Only the compiler knows where a float is promoted, and only reports it while compiling: its
// warnings are appended to the object, where no loader looks, so that objects from a cache have them too.

/// Makes the compilers report where a float becomes a double.
inline constexpr const char* double_precision_flag = "-Wdouble-promotion";

/// The object with the promotions from a compiler's log appended.
std::string with_promotions(std::string object, std::string_view log);

/// The lines of the learner's text where `kernel`, or a function that isn't a kernel, promotes a float or says
/// `double`; one per place, in order.
std::vector<int> double_precision_lines(std::string_view object, const SourceText& learners, std::string_view kernel);

}  // namespace gpu::detail::host
