// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

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
