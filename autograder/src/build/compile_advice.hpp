// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// An error from g++ or clang++ in a student's C++ file.
struct CompileError {
    std::string_view message;
    std::string_view source;  ///< the student's line; empty: not known
    std::string_view notes;   ///< the notes that the compiler prints below
};

/// What is wrong and what to write, in a sentence; empty if the compiler's message is the best there is.
[[nodiscard]] std::string sentence_on(const CompileError& error);

/// True for a static_assert, whose sentence says everything.
[[nodiscard]] bool is_assertion(std::string_view message);

// How advice on compile errors reads messages and source lines.

[[nodiscard]] bool has(std::string_view text, std::string_view words);
[[nodiscard]] bool is_name_char(char c);

/// True for a function of one element that both std:: and gpu:: have.
[[nodiscard]] bool is_of_cmath(std::string_view name);

/// The text between two words; empty if either is missing.
[[nodiscard]] std::string_view between(std::string_view text, std::string_view before, std::string_view after);

/// The name at the end of a text: "add" in "int n = 3; add".
[[nodiscard]] std::string_view last_name(std::string_view text);

/// The text in the brackets that open there; nothing if they don't close in this line.
[[nodiscard]] std::string_view in_brackets(std::string_view text, std::size_t open);

/// The parts that commas outside brackets separate.
[[nodiscard]] std::vector<std::string_view> arguments_of(std::string_view text);

/// The expression at the end of a text that a member can be applied to: "x", "(x - y)" or "gpu::matmul(x, y)"; "x" by
/// default.
[[nodiscard]] std::string_view last_object(std::string_view text);

inline constexpr std::string_view vectors_calculate_not =
    "a std::vector doesn't calculate: loop over its elements, or copy it to the device, gpu::to_device(h)";
inline constexpr std::string_view type_at_run_time =
    "a kernel's result has its type at run time only: write gpu::Array<float> y = kernel(x), then y.item()";

/// What to write instead of a member that an array, a std::vector or a kernel's result doesn't have; empty: not known.
[[nodiscard]] std::string of_member(const CompileError& error);

}  // namespace course
