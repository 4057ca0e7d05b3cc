// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gallery {

/// Without white space at both ends.
[[nodiscard]] std::string trimmed(const std::string& text);

/// The parts between separators that stand outside of brackets, trimmed; none of an empty text.
[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator);

/// The parts between blanks.
[[nodiscard]] std::vector<std::string> words(const std::string& text);

/// Appends a C++ literal's bytes, aligned as in a struct: 7 7u 7ll 2.5f 2.5 true, or {1, 2.5f} for a struct of them.
/// False: it is none.
[[nodiscard]] bool append_literal(std::vector<std::byte>& bytes, const std::string& text);

}  // namespace gallery
