// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "codegen/kernel_text.hpp"

namespace gpu::detail::host {

/// Builds a translation unit out of our own lines and a learner's snippets, so that each keeps its own line numbers.
class TextWriter {
public:
    /// `name` is what error messages call our own lines: "libgpu:NAME".
    explicit TextWriter(std::string_view name);

    /// Our own text; gets a newline at its end.
    TextWriter& line(std::string_view text);
    /// A learner's text, numbered as it stands in its file; what follows is ours again.
    TextWriter& snippet(const Snippet& snippet);
    /// Our own text under a name of its own, so that an error in it can be told from others.
    TextWriter& marked(std::string_view marker, std::string_view text);

    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    void back();
    void append(std::string_view text);

    std::string name_, text_;
    int next_line_ = 1;
};

/// As a C string literal, with its quotes.
std::string string_literal(std::string_view text);

}  // namespace gpu::detail::host
