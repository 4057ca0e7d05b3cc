// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

// How advice on compile errors reads messages and lines.
namespace course {

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

}  // namespace course
