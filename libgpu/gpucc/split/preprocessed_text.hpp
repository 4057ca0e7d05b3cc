// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpucc {

/// A place in the program's files.
struct Place {
    std::string file;
    int line = 1;
};

/// The output of `c++ -E`, parted into the program's own text and that of system headers, which nobody needs to read.
/// Offsets are those of the program's own text.
class PreprocessedText {
public:
    /// Text behind a line marker with the flag 3 is a system header's.
    explicit PreprocessedText(std::string_view text);

    /// The program's own text, with its line markers.
    [[nodiscard]] const std::string& own() const noexcept { return own_; }
    /// The paths of the system headers that the program's own files include themselves.
    [[nodiscard]] const std::vector<std::string>& headers() const noexcept { return headers_; }
    [[nodiscard]] Place place(std::size_t offset) const;

    /// A line marker and blanks: what follows stands where the text at the offset stood.
    [[nodiscard]] std::string moved_to(std::size_t offset) const;

    /// A replacement of `length` characters.
    struct Edit {
        std::size_t offset = 0, length = 0;
        std::string text;
    };
    /// The whole text, system headers included, after the edits, which must not overlap. Behind an edit that changes
    /// the number of lines, a line marker puts the count right.
    [[nodiscard]] std::string edited(std::vector<Edit> edits) const;

private:
    std::string own_;
    std::vector<std::pair<std::size_t, std::string>> systems_;  ///< the pieces left out, by where they stood
    std::vector<std::string> headers_;
    std::map<std::size_t, Place> places_;  ///< where a count of lines begins
    std::vector<std::size_t> line_ends_;
};

/// A text's tokens without preprocessor lines: between any two there may be line markers.
[[nodiscard]] std::vector<gpu::detail::Token> code_tokens(std::string_view text);

/// The text with `#line 7 "a.cu"` in place of `# 7 "a.cu" 3 4`.
[[nodiscard]] std::string with_line_directives(std::string_view text);

}  // namespace gpucc
