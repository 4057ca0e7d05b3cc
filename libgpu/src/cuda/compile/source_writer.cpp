// SPDX-License-Identifier: MIT
#include "cuda/compile/source_writer.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

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
    constexpr std::size_t max_length = 64;
    std::string result(name.substr(0, max_length));
    std::replace_if(result.begin(), result.end(),
                    [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    return result;
}

SourceWriter& SourceWriter::add(std::string_view text) {
    text_ += text;
    lines_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    return *this;
}

void SourceWriter::announce(int line, std::string_view file) {
    marks_.push_back(text_.size());
    add(line_directive(line, file));
}

SourceWriter& SourceWriter::add(const SourceText& snippet, Ending ending) {
    announce(snippet.line, snippet.file);
    add(snippet.text);
    if (snippet.text.empty() || snippet.text.back() != '\n') add("\n");
    if (ending == Ending::semicolon) add(";\n");
    if (ending != Ending::last) announce(lines_ + 2, "libgpu generated");  // the line after the directive
    return *this;
}

SourceWriter& SourceWriter::add_announced(std::string_view text) {
    if (!text.empty()) marks_.push_back(text_.size());
    return add(text);
}

SourceWriter& SourceWriter::add_head(std::string_view before, std::string_view parameters, std::string_view behind) {
    ((heads_ += '(') += parameters) += ")\n";
    return add(before).add(parameters).add(behind);
}

KernelSource SourceWriter::take(const std::string& name, std::vector<std::string> entries,
                                const std::vector<std::string>& options) {
    return {.name = name,
            .text = std::move(text_),
            .entries = std::move(entries),
            .options = options,
            .heads = std::move(heads_),
            .marks = std::move(marks_)};
}

}  // namespace gpu::detail::cuda
