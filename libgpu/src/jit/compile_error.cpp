// SPDX-License-Identifier: MIT
#include "jit/compile_error.hpp"

#include <charconv>
#include <sstream>
#include <vector>

namespace gpu::detail {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "add.cu(3): error: text" as NVRTC writes it.
std::optional<Diagnostic> nvrtc_error(const std::string& line) {
    const auto mark = line.find("): error: ");
    if (mark == std::string::npos) return std::nullopt;
    const auto open = line.rfind('(', mark);
    if (open == std::string::npos) return std::nullopt;
    const auto at = number(std::string_view(line).substr(open + 1, mark - open - 1));
    if (!at) return std::nullopt;
    return Diagnostic{line.substr(0, open), *at, 0, line.substr(mark + 10)};
}

// "add.cu:3:9: error: text" as g++ and clang write it.
std::optional<Diagnostic> gnu_error(const std::string& line) {
    for (const std::string word : {": error: ", ": fatal error: "}) {
        const auto mark = line.find(word);
        if (mark == std::string::npos) continue;
        const auto second = line.rfind(':', mark - 1);
        if (second == std::string::npos || second == 0) continue;
        const auto last = number(std::string_view(line).substr(second + 1, mark - second - 1));
        if (!last) continue;
        const std::string message = line.substr(mark + word.size());
        const auto first = line.rfind(':', second - 1);
        if (first != std::string::npos) {
            if (const auto at = number(std::string_view(line).substr(first + 1, second - first - 1))) {
                return Diagnostic{line.substr(0, first), *at, *last, message};
            }
        }
        return Diagnostic{line.substr(0, second), *last, 0, message};
    }
    return std::nullopt;
}

// NVRTC shows the line and a caret below the message, indented by as much more as it likes.
int column_from_caret(const std::vector<std::string>& log, std::size_t error, const std::string& source) {
    for (std::size_t k = error + 1; k + 1 < log.size() && k < error + 4; ++k) {
        const auto caret = log[k + 1].find('^');
        const auto shown = log[k].find_first_not_of(" \t"), real = source.find_first_not_of(" \t");
        if (caret == std::string::npos || log[k + 1].find_first_not_of(" \t~^") != std::string::npos) continue;
        if (shown == std::string::npos || real == std::string::npos || caret < shown) continue;
        return static_cast<int>(caret - shown + real) + 1;
    }
    return 0;
}

std::string quoted_line(const std::string& text, int line, int column) {
    const std::string margin(std::to_string(line).size() + 2, ' ');
    std::string shown = "\n " + std::to_string(line) + " | " + text;
    if (column > 0 && column <= static_cast<int>(text.size()) + 1) {
        std::string lead;
        for (int k = 0; k < column - 1; ++k) lead += text[static_cast<std::size_t>(k)] == '\t' ? '\t' : ' ';
        shown += "\n" + margin + "| " + lead + "^";
    }
    return shown;
}

// The innermost bracket of the learner's that nothing closes: where a compiler only sees that the text has ended.
std::optional<Diagnostic> unclosed_bracket(const std::string& text) {
    constexpr std::string_view open = "([{", close = ")]}";
    std::vector<Diagnostic> brackets;
    std::string file = "libgpu";
    int line = 0;
    bool in_comment = false;
    for (const std::string& content : lines_of(text)) {
        if (content.starts_with("#line ")) {
            if (!brackets.empty()) break;
            const auto quote = content.find('"');
            line = number(content.substr(6, content.find(' ', 6) - 6)).value_or(1) - 1;
            file = quote == std::string::npos ? file : content.substr(quote + 1, content.rfind('"') - quote - 1);
            in_comment = false;
            continue;
        }
        ++line;
        if (file.starts_with("libgpu")) continue;
        for (std::size_t k = 0; k < content.size(); ++k) {
            const std::string_view two = std::string_view(content).substr(k, 2);
            if (in_comment || two == "/*" || two == "*/") {
                in_comment = two != "*/" && (in_comment || two == "/*");
                k += two == "/*" || two == "*/" ? 1 : 0;
            } else if (two == "//") {
                break;
            } else if (content[k] == '"' || content[k] == '\'') {
                const char quote = content[k];
                for (++k; k < content.size() && content[k] != quote; ++k) k += content[k] == '\\' ? 1 : 0;
            } else if (open.find(content[k]) != std::string_view::npos) {
                brackets.push_back({file, line, static_cast<int>(k) + 1,
                                    std::string("this ") + content[k] + " is never closed: a " +
                                        close[open.find(content[k])] + " is missing"});
            } else if (close.find(content[k]) != std::string_view::npos && !brackets.empty()) {
                brackets.pop_back();
            }
        }
    }
    if (brackets.empty()) return std::nullopt;
    return brackets.back();
}

// True if the compiler stumbled over the end of the learner's text. NVRTC names no line then.
bool is_at_end(const std::optional<Diagnostic>& error, const std::string& log) {
    if (!error) return log.starts_with("At end of source: error: ");
    return error->file.starts_with("libgpu") ||
           (error->message.starts_with("expected") && error->message.find('}') != std::string::npos);
}

std::string after_marker(const std::string& log, const std::string& marker) {
    const auto at = log.find(marker);
    const auto start = at + marker.size();
    return log.substr(start, log.find('\n', start) - start);
}

}  // namespace

std::optional<Diagnostic> first_error(const std::string& log) {
    const auto lines = lines_of(log);
    for (const std::string& line : lines) {
        if (auto found = nvrtc_error(line)) return found;
        if (auto found = gnu_error(line)) return found;
    }
    return std::nullopt;
}

std::string source_line(const std::string& text, const std::string& file, int line) {
    std::string current_file;
    int current_line = 1;
    for (const std::string& content : lines_of(text)) {
        if (content.starts_with("#line ")) {
            const auto open = content.find('"'), close = content.rfind('"');
            current_line = number(content.substr(6, content.find(' ', 6) - 6)).value_or(0);
            if (open != std::string::npos && close > open) current_file = content.substr(open + 1, close - open - 1);
            continue;
        }
        if (current_line == line && current_file == file) return content;
        ++current_line;
    }
    return {};
}

std::string explain_compile_failure(const KernelSource& source, const std::string& compiler_log) {
    const std::string title = "kernel " + source.name + " does not compile\n";
    const auto refused = first_error(compiler_log);
    if (const auto open = is_at_end(refused, compiler_log) ? unclosed_bracket(source.text) : std::nullopt) {
        return title + open->file + ":" + std::to_string(open->line) + ":" + std::to_string(open->column) +
               ": error: " + open->message +
               quoted_line(source_line(source.text, open->file, open->line), open->line, open->column);
    }
    const bool entry_refused = refused && refused->file == "libgpu:signature" && !source.unresolved.empty();
    const std::string log = entry_refused ? source.unresolved + "\n" + compiler_log : compiler_log;
    if (log.starts_with("libgpu:no-kernel")) {
        return title + "there is no __global__ function of that name in the source" +
               after_marker(log, "libgpu:no-kernel");
    }
    if (log.starts_with("libgpu:signature: ")) {
        return title + "its parameters are not those that the C++ code declares" +
               after_marker(log, "libgpu:signature");
    }
    const auto error = first_error(log);
    if (!error) return title + log;
    const std::string text = source_line(source.text, error->file, error->line);
    int column = error->column;
    if (column == 0) {
        const auto lines = lines_of(log);
        for (std::size_t k = 0; k < lines.size(); ++k) {
            if (lines[k].find("error: ") != std::string::npos) {
                column = column_from_caret(lines, k, text);
                break;
            }
        }
    }
    std::string place = error->file + ":" + std::to_string(error->line);
    if (column > 0) place += ":" + std::to_string(column);
    std::string message = title + place + ": error: " + error->message;
    if (!text.empty()) message += quoted_line(text, error->line, column);
    return message;
}

}  // namespace gpu::detail
