// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

    /// The head of a function around a learner's text: "GPU_INLINE void gpu_body(", "float x", ") {".
    TextWriter& head(std::string_view before, std::string_view parameters, std::string_view behind);

    /// All of it, as a kernel's source with the entry "libgpu_module".
    [[nodiscard]] KernelSource source(const std::string& name, const std::vector<std::string>& options,
                                      KernelMode mode) const;

private:
    void announce(int line, std::string_view quoted_name);
    void back();
    void append(std::string_view text);

    std::string name_, text_, heads_;
    std::vector<std::size_t> marks_;
    int next_line_ = 1;
};

/// As a C string literal, with its quotes.
std::string string_literal(std::string_view text);

}  // namespace gpu::detail::host
