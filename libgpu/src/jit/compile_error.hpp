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

/// What the learner is told: "kernel add does not compile", then file, line and message, the line between its
/// neighbours, a caret, and advice where there is some.
std::string explain_compile_failure(const KernelSource& source, const CompileFailure& failure);

/// Throws what a compiler said of a source as a CompileError.
[[noreturn]] void fail_to_compile(const KernelSource& source, const CompileFailure& failure);

/// One error of a compiler's log: g++, clang and NVRTC write it in three ways.
struct Diagnostic {
    std::string file;
    int line = 0;
    int column = 0;  ///< 1 is the first; 0 if the compiler didn't say
    std::string message;
    std::vector<std::string> before;  ///< the log's lines before it: what g++ was about
    std::vector<std::string> rest;    ///< the log's lines behind it: its caret, its notes, other errors
};

/// A place in a file.
struct DiagnosticPlace {
    std::string file;
    int line = 0;
    int column = 0;
};

/// What a template was instantiated by, the innermost call first, where the error is in one.
std::vector<DiagnosticPlace> instantiated_from(const Diagnostic& error);

/// What a static_assert says, without what compilers say of its condition; "" if the error isn't one.
std::string asserted(const Diagnostic& error);

/// The first error in the log.
std::optional<Diagnostic> first_error(const std::string& log);

/// The column that NVRTC's caret shows below an error, in the line as it stands in the source; 0 if there is none.
int column_from_caret(const Diagnostic& error, const std::string& source_line);

/// A line of a generated text, and what its #line directives call it.
struct SourceLine {
    std::string file;
    int line = 0;
    std::string text;
    bool ours = false;  ///< what libgpu put around the learner's text
};

/// A place in a generated text: a line by its index in the map, a column counted from 1.
struct SourceSpot {
    std::size_t index = 0;
    int column = 1;
};

/// The lines of a generated text, by the file and number that compilers give them.
class SourceMap {
public:
    explicit SourceMap(const KernelSource& source);

    [[nodiscard]] const std::vector<SourceLine>& lines() const noexcept { return lines_; }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view file, int line) const;

    /// Where the learner's code before a place ends: white space, comments and libgpu's own lines are passed over.
    [[nodiscard]] std::optional<SourceSpot> end_of_code_before(SourceSpot spot) const;

    /// All of the learner's own lines, without comments and the insides of strings.
    [[nodiscard]] std::string learners_code() const;

    /// The heads of the functions that libgpu puts a learner's expressions into: what they declare can be named there.
    [[nodiscard]] const std::string& parameters() const noexcept { return heads_; }

    /// The learner's line without comments and the insides of strings; every character keeps its place.
    [[nodiscard]] const std::string& code(std::size_t index) const { return code_[index]; }

    /// True for a line of the preprocessor's, the lines that continue it included.
    [[nodiscard]] bool is_directive(std::size_t index) const { return directive_[index]; }

private:
    void add_piece(std::string_view piece);

    std::vector<SourceLine> lines_;
    std::vector<std::string> code_;
    std::vector<bool> directive_;
    std::string heads_;
    std::string file_;  // of the line that comes next
    int line_ = 1;
};

/// The lines of a text.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

}  // namespace gpu::detail
