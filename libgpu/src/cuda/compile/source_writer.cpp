// SPDX-License-Identifier: MIT
#include "cuda/compile/source_writer.hpp"

#include <algorithm>
#include <cctype>

namespace gpu::detail::cuda {

std::string line_directive(int line, std::string_view file) {
    std::string quoted;
    for (const char c : file) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\n' ? ' ' : c;
    }
    return "#line " + std::to_string(line) + " \"" + quoted + "\"\n";
}

std::string identifier(std::string_view name) {
    constexpr std::size_t longest = 64;
    std::string result(name.substr(0, longest));
    std::replace_if(result.begin(), result.end(),
                    [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    return result;
}

SourceWriter& SourceWriter::add(std::string_view text) {
    text_ += text;
    lines_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    return *this;
}

SourceWriter& SourceWriter::add(const Snippet& snippet, Ending ending) {
    add(line_directive(snippet.line, snippet.file));
    add(snippet.text);
    if (snippet.text.empty() || snippet.text.back() != '\n') add("\n");
    if (ending == Ending::semicolon) add(";\n");
    return add(line_directive(lines_ + 2, "libgpu generated"));  // the line after the directive
}

}  // namespace gpu::detail::cuda
