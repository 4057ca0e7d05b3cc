// SPDX-License-Identifier: MIT
#include "jit/source_map.hpp"

#include <algorithm>
#include <sstream>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

bool is_ours(const std::string& file) {
    return file.empty() || file == "libgpu" || file == "libgpu generated" || file.starts_with("libgpu:");
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

SourceMap::SourceMap(const KernelSource& source) : heads_(source.heads) {
    const std::string_view text = source.text;
    std::size_t begin = 0;
    for (const std::size_t mark : source.marks) {
        add_piece(text.substr(begin, mark - begin));
        begin = mark;
    }
    add_piece(text.substr(begin));
}

// What is unfinished in a piece, such as a comment, doesn't reach into the next one.
void SourceMap::add_piece(std::string_view piece) {
    const std::vector<Token> tokens = tokens_of(piece);
    const std::vector<std::string> texts = lines_of(std::string(piece)), codes = lines_of(blanked(piece));
    std::size_t k = 0;
    for (std::size_t at = 0; at < texts.size(); ++at) {
        const int number = static_cast<int>(at) + 1;
        while (k < tokens.size() && tokens[k].line < number) ++k;
        const bool has_tokens = k < tokens.size() && tokens[k].line == number;
        if (const auto directive = has_tokens ? line_directive_at(tokens, k) : std::nullopt) {
            line_ = directive->line;
            if (directive->file) file_ = *directive->file;
            // The ; that is put behind a learner's statement, before its file's name is taken back.
            if (is_ours(file_) && !lines_.empty() && lines_.back().text == ";") lines_.back().ours = true;
            continue;
        }
        lines_.push_back({file_, line_++, texts[at], is_ours(file_)});
        code_.push_back(codes[at]);
        directive_.push_back(has_tokens && tokens[k].in_directive);
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

}  // namespace gpu::detail
