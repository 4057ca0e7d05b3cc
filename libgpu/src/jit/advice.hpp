// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compile_error.hpp"

namespace gpu::detail {

/// An error in the same words for every compiler, and how to fix it.
struct Advice {
    std::string message;
    std::string help = {};           ///< empty: the message is enough
    bool after_code_before = false;  ///< points to the end of the code before the compiler's position
    int column = 0;                  ///< the column to point to; 0: the compiler's
};

/// What a compiler's message means for a learner; the compiler's own words if the case isn't known.
[[nodiscard]] Advice advice_on(const Diagnostic& error, const SourceMap& map);

/// The name that a message calls undeclared; empty for other messages.
[[nodiscard]] std::string undeclared_name(std::string_view message);

/// The parts of a text that the pattern's % signs match at its beginning; nothing if the text doesn't match.
[[nodiscard]] std::optional<std::vector<std::string>> match(std::string_view text, std::string_view pattern);

/// What advice is based on: the error, its place, and the parts that a pattern matched.
struct Case {
    const Diagnostic& error;
    const SourceMap& map;
    std::vector<std::string> parts;

    // Raw kernels are complete sources; the other kinds are fragments that libgpu puts into functions.
    [[nodiscard]] bool is_raw() const { return map.learners_code().find("__global__") != std::string::npos; }
    [[nodiscard]] bool is_part(std::string_view part) const { return error.file.ends_with(part); }
};

/// Advice on a function that is declared but has no body.
inline constexpr std::string_view no_body_help =
    "a kernel calls what its source defines: write the function's body, or include the file that has it";

// The advice in each case. The names say what the compiler complained about.
Advice unknown(const Case& at);
Advice not_in_std(const Case& at);
Advice no_semicolon(const Case& at);
Advice no_bracket(const Case& at);
Advice no_expression(const Case& at);
Advice no_member(const Case& at);
Advice no_member_first(const Case& at);
Advice given_then_wanted(const Case& at);
Advice wanted_then_given(const Case& at);
Advice no_such_call(const Case& at);
Advice too_few(const Case& at);
Advice too_many(const Case& at);
Advice no_body(const Case& at);
Advice no_header(const Case& at);
Advice host_function(const Case& at);
Advice host_variable(const Case& at);
Advice shared_with_value(const Case& at);
Advice no_constant(const Case& at);
Advice thread_local_word(const Case& at);
Advice sealed_word(const Case& at);
Advice taken(const Case& at);
Advice read_only(const Case& at);
Advice pointer_arithmetic(const Case& at);
Advice operands(const Case& at);
Advice power(const Case& at);
Advice before_type(const Case& at);
Advice other_accumulator(const Case& at);
Advice operator_of_none(const Case& at);
Advice member_of_pointer(const Case& at);
Advice no_array(const Case& at);
Advice kernel_returns(const Case& at);
Advice returns_a_value(const Case& at);
Advice launch_inside(const Case& at);

/// Advice on a pasted program with a main(), for errors in its headers or from main() on.
std::optional<Advice> whole_program(const Case& at);

}  // namespace gpu::detail
