// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"

namespace gpu::detail::cuda {

/// Builds a kernel's text with correct line numbers: a learner's snippet is announced by its own file and line, what
/// follows it by "libgpu generated" and the line in the generated text.
class SourceWriter {
public:
    /// Adds our own text, which must end with a newline.
    SourceWriter& add(std::string_view text);

    enum class Ending { nothing, semicolon, last };
    /// Adds a snippet on lines of its own. A statement gets an extra `;`, so that a missing one is accepted. After the
    /// last snippet, nothing is announced.
    SourceWriter& add(const SourceText& snippet, Ending ending = Ending::nothing);
    /// Adds our own text that begins with a #line directive.
    SourceWriter& add_announced(std::string_view text);
    /// Adds the head of a function around a learner's text: "static __device__ float _map(", "float x", ")".
    SourceWriter& add_head(std::string_view before, std::string_view parameters, std::string_view behind);

    /// The complete text as a kernel's source.
    [[nodiscard]] KernelSource take(const std::string& name, std::vector<std::string> entries,
                                    const std::vector<std::string>& options);

private:
    void announce(int line, std::string_view file);

    std::string text_, heads_;
    std::vector<std::size_t> marks_;
    int lines_ = 0;   ///< whole lines in text_
};

/// `#line 7 "add.cu"`, with the name escaped.
[[nodiscard]] std::string line_directive(int line, std::string_view file);

/// A kernel's name as a part of an identifier: anything but letters, digits and `_` becomes `_`.
[[nodiscard]] std::string identifier(std::string_view name);

}  // namespace gpu::detail::cuda
