// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// An error of g++ or clang++ in a student's C++ file.
struct CompileError {
    std::string_view message;
    std::string_view source;  ///< the student's line; empty: not known
    std::string_view notes;   ///< what the compiler prints below
};

/// What is wrong and what to write, in a sentence; empty: nothing better is known than the compiler's message.
[[nodiscard]] std::string sentence_on(const CompileError& error);

/// True of a static_assert, whose sentence says all that the message does.
[[nodiscard]] bool is_assertion(std::string_view message);

// How advice on compile errors reads messages and lines.

[[nodiscard]] bool has(std::string_view text, std::string_view words);
[[nodiscard]] bool is_name_char(char c);

/// A function of one element that both std:: and gpu:: have.
[[nodiscard]] bool is_of_cmath(std::string_view name);

/// What stands between two words; empty where either is missing.
[[nodiscard]] std::string_view between(std::string_view text, std::string_view before, std::string_view after);

/// The name that ends a text: "add" of "int n = 3; add".
[[nodiscard]] std::string_view last_name(std::string_view text);

/// The text in the brackets that open there, or nothing where they don't close in this line.
[[nodiscard]] std::string_view in_brackets(std::string_view text, std::size_t open);

/// The parts that commas outside brackets separate.
[[nodiscard]] std::vector<std::string_view> arguments_of(std::string_view text);

/// What a text ends with that a member may be asked of: "x", "(x - y)" or "gpu::matmul(x, y)"; "x" for nothing.
[[nodiscard]] std::string_view last_object(std::string_view text);

inline constexpr std::string_view vectors_calculate_not =
    "a std::vector doesn't calculate: loop over its elements, or copy it to the device, gpu::to_device(h)";
inline constexpr std::string_view type_at_run_time =
    "a kernel's result has its type at run time only: write gpu::Array<float> y = kernel(x), then y.item()";

/// What to write for a member that an array, a std::vector or a kernel's result doesn't have; empty: not known.
[[nodiscard]] std::string of_member(const CompileError& error);

}  // namespace course
