// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

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

}  // namespace course
