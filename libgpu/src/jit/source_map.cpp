// SPDX-License-Identifier: MIT
#include "jit/source_map.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

bool is_ours(const std::string& file) {
    return file.empty() || file == "libgpu" || file == "libgpu generated" || file.starts_with("libgpu:");
}

}  // namespace

std::string CommentBlanker::operator()(std::string line) {
    for (std::size_t k = 0; k < line.size(); ++k) {
        const std::string_view two = std::string_view(line).substr(k, 2);
        if (in_comment_) {
            in_comment_ = two != "*/";
            if (!in_comment_) line[k++] = ' ';
            line[k] = ' ';
        } else if (two == "//") {
            line.resize(k);
        } else if (two == "/*") {
            in_comment_ = true;
            line[k] = line[k + 1] = ' ';
            ++k;
        } else if (line[k] == '"' || (line[k] == '\'' && (k == 0 || !is_name_part(line[k - 1])))) {
            const char quote = line[k];
            for (++k; k < line.size() && line[k] != quote; ++k) {
                if (line[k] == '\\' && k + 1 < line.size()) line[k++] = ' ';
                line[k] = ' ';
            }
        }
    }
    return line;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> names_in(std::string_view code) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < code.size();) {
        std::size_t end = k + 1;
        if (is_name_part(code[k])) {
            while (end < code.size() && is_name_part(code[end])) ++end;
            if (std::isdigit(static_cast<unsigned char>(code[k])) == 0) names.emplace_back(code.substr(k, end - k));
        }
        k = end;
    }
    return names;
}

SourceMap::SourceMap(const std::string& text) {
    std::string file;
    int line = 1;
    CommentBlanker blanked;
    for (const std::string& content : lines_of(text)) {
        if (content.starts_with("#line ")) {
            const auto open = content.find('"'), close = content.rfind('"');
            if (std::from_chars(content.data() + 6, content.data() + content.size(), line).ec != std::errc{}) line = 0;
            if (open != std::string::npos && close > open) file = content.substr(open + 1, close - open - 1);
            blanked = CommentBlanker();
            // The ; that is put behind a learner's statement, before its file's name is taken back.
            if (is_ours(file) && !lines_.empty() && lines_.back().text == ";") lines_.back().ours = true;
            continue;
        }
        lines_.push_back({file, line++, content, is_ours(file)});
        code_.push_back(blanked(content));
    }
}

std::optional<std::size_t> SourceMap::find(std::string_view file, int line) const {
    for (std::size_t k = 0; k < lines_.size(); ++k)
        if (lines_[k].line == line && lines_[k].file == file) return k;
    return std::nullopt;
}

std::optional<SourceSpot> SourceMap::end_of_code_before(SourceSpot spot) const {
    std::size_t column = static_cast<std::size_t>(spot.column) - 1;
    for (std::size_t k = spot.index;; --k) {
        const std::string before = lines_[k].ours ? "" : code_[k].substr(0, column);
        const auto last = before.find_last_not_of(" \t\r");
        if (last != std::string::npos) return SourceSpot{k, static_cast<int>(last) + 2};
        if (k == 0) return std::nullopt;
        column = code_[k - 1].size();
    }
}

std::string SourceMap::learners_code() const {
    std::string text;
    for (std::size_t k = 0; k < lines_.size(); ++k)
        if (!lines_[k].ours) text += code_[k] + '\n';
    return text;
}

std::string SourceMap::parameters() const {
    std::string text;
    for (const SourceLine& line : lines_) {
        const bool head =
            line.text.starts_with("GPU_INLINE ") || line.text.starts_with("static __device__ __forceinline__ ");
        if (line.ours && head) text += line.text.substr(std::min(line.text.find('('), line.text.size())) + '\n';
    }
    return text;
}

}  // namespace gpu::detail
