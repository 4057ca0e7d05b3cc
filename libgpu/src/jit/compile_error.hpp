// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"
#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// The message for the learner: "kernel add does not compile", then file, line and message, the line between its
/// neighbours, a caret, and advice if there is any.
std::string explain_compile_failure(const KernelSource& source, const CompileFailure& failure);

/// Throws what a compiler reported about a source as a CompileError.
[[noreturn]] void fail_to_compile(const KernelSource& source, const CompileFailure& failure);

/// One error in a compiler's log; g++, clang and NVRTC each have their own format.
struct Diagnostic {
    std::string file;
    int line = 0;
    int column = 0;  ///< 1 is the first; 0 if the compiler didn't say
    std::string message;
    std::vector<std::string> before;  ///< the log's lines before it: g++'s context
    std::vector<std::string> rest;    ///< the log's lines after it: its caret, its notes, other errors
};

/// A place in a file.
struct DiagnosticPlace {
    std::string file;
    int line = 0;
    int column = 0;
};

/// The instantiations of templates around the error, the innermost first.
std::vector<DiagnosticPlace> instantiated_from(const Diagnostic& error);

/// The text of a failed static_assert, without what compilers add about its condition; "" for other errors.
std::string asserted(const Diagnostic& error);

/// The first error in the log.
std::optional<Diagnostic> first_error(const std::string& log);

/// The column in the source line that NVRTC's caret points to below an error; 0 if there is none.
int column_from_caret(const Diagnostic& error, const std::string& source_line);

/// A line of a generated text, with the file and number that its #line directives give it.
struct SourceLine {
    std::string file;
    int line = 0;
    std::string text;
    bool ours = false;  ///< added by libgpu around the learner's text
};

/// A place in a generated text: a line by its index in the map, a column counted from 1.
struct SourceSpot {
    std::size_t index = 0;
    int column = 1;
};

/// The lines of a generated text, by the file and line number that compilers report.
class SourceMap {
public:
    explicit SourceMap(const KernelSource& source);

    [[nodiscard]] const std::vector<SourceLine>& lines() const noexcept { return lines_; }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view file, int line) const;

    /// The end of the learner's code before a spot, skipping white space, comments and libgpu's own lines.
    [[nodiscard]] std::optional<SourceSpot> end_of_code_before(SourceSpot spot) const;

    /// All of the learner's own lines, without comments and string contents.
    [[nodiscard]] std::string learners_code() const;

    /// The heads of the functions around a learner's expressions: the names they declare may be used there.
    [[nodiscard]] const std::string& parameters() const noexcept { return heads_; }

    /// The learner's line without comments and string contents; every character keeps its place.
    [[nodiscard]] const std::string& code(std::size_t index) const { return code_[index]; }

    /// True for a line of a preprocessor directive, including its continuations.
    [[nodiscard]] bool is_directive(std::size_t index) const { return directive_[index]; }

private:
    void add_piece(std::string_view piece);

    std::vector<SourceLine> lines_;
    std::vector<std::string> code_;
    std::vector<bool> directive_;
    std::string heads_;
    std::string file_;  // of the next line
    int line_ = 1;
};

/// The lines of a text.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

}  // namespace gpu::detail
