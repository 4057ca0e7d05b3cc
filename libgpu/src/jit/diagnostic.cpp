// SPDX-License-Identifier: MIT
#include "jit/diagnostic.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "add.cu(3): error: text" as NVRTC writes it.
std::optional<Diagnostic> nvrtc_error(const std::string& line) {
    for (const std::string_view word : {"): error: ", "): catastrophic error: "}) {
        const auto mark = line.find(word);
        if (mark == std::string::npos) continue;
        const auto open = line.rfind('(', mark);
        if (open == std::string::npos) continue;
        const auto at = number(std::string_view(line).substr(open + 1, mark - open - 1));
        if (at) return Diagnostic{line.substr(0, open), *at, 0, line.substr(mark + word.size()), {}, {}};
    }
    return std::nullopt;
}

// "add.cu:3:9: error: text" as g++ and clang write it.
std::optional<Diagnostic> gnu_error(const std::string& line) {
    for (const std::string_view word : {": error: ", ": fatal error: "}) {
        const auto mark = line.find(word);
        if (mark == std::string::npos || mark == 0) continue;
        const auto second = line.rfind(':', mark - 1);
        if (second == std::string::npos || second == 0) continue;
        const auto last = number(std::string_view(line).substr(second + 1, mark - second - 1));
        if (!last) continue;
        const std::string message = line.substr(mark + word.size());
        const auto first = line.rfind(':', second - 1);
        if (first != std::string::npos) {
            if (const auto at = number(std::string_view(line).substr(first + 1, second - first - 1))) {
                return Diagnostic{line.substr(0, first), *at, *last, message, {}, {}};
            }
        }
        return Diagnostic{line.substr(0, second), *last, 0, message, {}, {}};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> first_error(const std::string& log) {
    const auto lines = lines_of(log);
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        auto found = nvrtc_error(*line);
        if (!found) found = gnu_error(*line);
        if (!found) continue;
        found->before.assign(lines.begin(), line);
        found->rest.assign(line + 1, lines.end());
        return found;
    }
    return std::nullopt;
}

std::vector<DiagnosticPlace> instantiated_from(const Diagnostic& error) {
    std::vector<DiagnosticPlace> places;
    const auto add = [&places](const std::string& line, std::size_t mark) {
        if (const auto at = gnu_error(line.substr(0, mark) + ": error: "))
            places.push_back({at->file, at->line, at->column});
    };
    // "add.cu:3:24:   required from here", said before the error.
    for (const std::string& line : error.before)
        if (const auto mark = line.find(":   required from"); mark != std::string::npos) add(line, mark);
    // "add.cu:3:12: note: in instantiation of ... requested here", said behind it.
    for (const std::string& line : error.rest) {
        if (gnu_error(line)) break;
        const auto mark = line.find(": note: in instantiation of");
        if (mark != std::string::npos) add(line, mark);
    }
    return places;
}

std::string asserted(const Diagnostic& error) {
    const std::string_view message = error.message;
    if (const std::string_view failed = "static assertion failed: "; message.starts_with(failed))
        return std::string(message.substr(failed.size()));
    if (!message.starts_with("static")) return {};
    // clang names the condition first; up to version 15 it puts the text into quotes.
    const auto mark = message.find("': ");
    if (message.starts_with("static assertion failed due to") && mark != message.npos)
        return std::string(message.substr(mark + 3));
    const auto open = message.find('"');
    const bool is_quoted = open + 1 < message.size() && message.ends_with('"');
    if (!message.starts_with("static_assert failed") || !is_quoted) return {};
    return std::string(message.substr(open + 1, message.size() - open - 2));
}

// NVRTC indents the line that it shows by as much more as it likes.
int column_from_caret(const Diagnostic& error, const std::string& source_line) {
    for (std::size_t k = 0; k + 1 < error.rest.size() && k < 4; ++k) {
        const std::string &text = error.rest[k], &below = error.rest[k + 1];
        const auto caret = below.find('^');
        const auto shown = text.find_first_not_of(" \t"), real = source_line.find_first_not_of(" \t");
        if (caret == std::string::npos || below.find_first_not_of(" \t~^") != std::string::npos) continue;
        if (shown == std::string::npos || real == std::string::npos || caret < shown) continue;
        return static_cast<int>(caret - shown + real) + 1;
    }
    return 0;
}

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
