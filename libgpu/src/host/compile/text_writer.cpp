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

void TextWriter::announce(int line, std::string_view quoted_name) {
    marks_.push_back(text_.size());
    append("#line " + std::to_string(line) + ' ' + std::string(quoted_name));
}

void TextWriter::back() { announce(next_line_ + 1, name_); }

TextWriter& TextWriter::line(std::string_view text) {
    append(text);
    return *this;
}

TextWriter& TextWriter::snippet(const Snippet& snippet) {
    announce(snippet.line, string_literal(snippet.file));
    append(snippet.text);
    back();
    return *this;
}

TextWriter& TextWriter::marked(std::string_view marker, std::string_view text) {
    announce(1, string_literal(marker));
    append(text);
    back();
    return *this;
}

TextWriter& TextWriter::head(std::string_view before, std::string_view parameters, std::string_view behind) {
    ((heads_ += '(') += parameters) += ")\n";
    return line(std::string(before) + std::string(parameters) + std::string(behind));
}

KernelSource TextWriter::source(const std::string& name, const std::vector<std::string>& options,
                                KernelMode mode) const {
    return {.name = name,
            .text = text_,
            .entries = {"libgpu_module"},
            .options = options,
            .mode = mode,
            .heads = heads_,
            .marks = marks_};
}

}  // namespace gpu::detail::host
