// SPDX-License-Identifier: MIT
#include "host/compile/text_writer.hpp"

#include <algorithm>

namespace gpu::detail::host {

std::string string_literal(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') result += "\\n";
        else result += c;
    }
    return result + '"';
}

TextWriter::TextWriter(std::string_view name) : name_(string_literal("libgpu:" + std::string(name))) {}

void TextWriter::append(std::string_view text) {
    text_ += text;
    if (text.empty() || text.back() != '\n') text_ += '\n';
    next_line_ = static_cast<int>(std::count(text_.begin(), text_.end(), '\n')) + 1;
}

void TextWriter::back() { append("#line " + std::to_string(next_line_ + 1) + ' ' + name_); }

TextWriter& TextWriter::line(std::string_view text) {
    append(text);
    return *this;
}

TextWriter& TextWriter::snippet(const Snippet& snippet) {
    append("#line " + std::to_string(snippet.line) + ' ' + string_literal(snippet.file));
    append(snippet.text);
    back();
    return *this;
}

TextWriter& TextWriter::marked(std::string_view marker, std::string_view text) {
    append("#line 1 " + string_literal(marker));
    append(text);
    back();
    return *this;
}

}  // namespace gpu::detail::host
