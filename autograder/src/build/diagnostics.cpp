// SPDX-License-Identifier: MIT
#include "build/diagnostics.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "build/compile_advice.hpp"

namespace course {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at;
}

/// A line such as "a.cpp:12:3: error: message" or "a.cpp:12:20:   required from here".
struct Diagnostic {
    std::string file, kind, message;
    int line = 0, column = 0;   ///< column 0: not given
    [[nodiscard]] bool is_error() const { return kind == "error" || kind == "fatal error"; }
    [[nodiscard]] std::string place() const {
        return column > 0 ? fmt::format("{}:{}:{}", file, line, column) : fmt::format("{}:{}", file, line);
    }
};

std::optional<Diagnostic> parse(std::string_view text) {
    for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
        const std::size_t line_end = skip_digits(text, colon + 1);
        if (line_end == colon + 1 || line_end - colon > 8 || line_end >= text.size() || text[line_end] != ':') continue;
        Diagnostic found;
        found.file = text.substr(0, colon);
        found.line = std::stoi(std::string(text.substr(colon + 1, line_end - colon - 1)));
        std::size_t rest = line_end + 1;
        const std::size_t end = skip_digits(text, rest);
        if (end > rest && end - rest < 8 && end < text.size() && text[end] == ':') {
            found.column = std::stoi(std::string(text.substr(rest, end - rest)));
            rest = end + 1;
        }
        while (rest < text.size() && text[rest] == ' ') ++rest;
        text.remove_prefix(rest);
        for (const std::string_view kind : {"error: ", "fatal error: ", "warning: ", "note: ", "required "}) {
            if (!text.starts_with(kind)) continue;
            found.kind = kind.substr(0, kind.find_last_not_of(": ") + 1);
            found.message = text.substr(kind.size());
            return found;
        }
        return std::nullopt;
    }
    return std::nullopt;
}

/// A message without its template arguments (" [with T = float]"), which tell a student nothing, shortened in the
/// middle so that both ends of the compiler's text remain.
std::string readable(std::string message) {
    constexpr std::string_view with = " [with ";
    for (std::size_t at; (at = message.find(with)) != message.npos;) {
        std::size_t end = at + with.size();
        for (int open = 1; open > 0 && end < message.size(); ++end)
            open += message[end] == '[' ? 1 : message[end] == ']' ? -1 : 0;
        message.erase(at, end - at);
    }
    constexpr std::size_t end_shown = 220;
    if (message.size() > 2 * end_shown)
        message = message.substr(0, end_shown) + " ... " + message.substr(message.size() - end_shown);
    return message;
}

constexpr std::size_t max_line_bytes = 300;   // shown or quoted

/// The student's line with a caret below it, as compilers print it.
std::string excerpt(const Diagnostic& at, const PathNames& names) {
    std::string text = names.line(at.file, at.line);
    if (text.find_first_not_of(" \t") == text.npos || text.size() > max_line_bytes) return "";
    std::string below;
    for (int k = 1; k < at.column && k <= static_cast<int>(text.size()); ++k)
        below += text[static_cast<std::size_t>(k) - 1] == '\t' ? '\t' : ' ';
    const std::string number = std::to_string(at.line);
    std::string shown = fmt::format("\n  {} | {}", number, text);
    if (at.column > 0) shown += fmt::format("\n  {} | {}^", std::string(number.size(), ' '), below);
    return shown;
}

/// The place in the student's files from which an error in one of the kit's headers comes. g++ lists the path there
/// before the error, clang++ after it, as notes.
std::optional<Diagnostic> students_place(const std::vector<std::string>& lines, std::size_t error,
                                         const PathNames& names) {
    std::optional<Diagnostic> place;
    for (std::size_t k = 0; k < error; ++k)
        if (auto step = parse(lines[k]); step && step->kind == "required" && names.is_answer(step->file)) place = step;
    for (std::size_t k = error + 1; k < lines.size() && !place; ++k)
        if (auto step = parse(lines[k]); step && step->kind == "note" && names.is_answer(step->file)) place = step;
    return place;
}

/// Collects the compiler's notes on an error that explain it.
class Reasons {
public:
    void add(const Diagnostic& note) {
        const std::string text =
            readable(note.message.substr(std::min(note.message.find_first_not_of(' '), note.message.size())));
        if (text.starts_with("candidate: ")) {  // g++'s; its next note says what is wrong with it
            candidate_ = text.substr(std::string_view("candidate: ").size());
            is_ours_ = !note.file.starts_with('/') && !copies(candidate_);
        } else if (text.starts_with("candidate expects") || text.starts_with("no known conversion")) {
            if (is_ours_) keep(fmt::format("{}: {}", candidate_, text));
        } else if (text.starts_with("candidate ") && text.find("not viable: ") != text.npos) {  // clang++'s
            if (!note.file.starts_with('/')) keep(text);
        } else if (text.starts_with("suggested alternative")) {
            alternatives_ = true;
        } else if (alternatives_ && text.starts_with("'gpu::")) {
            if (text.find("::detail::") == text.npos) keep("did you mean " + text + "?");
        } else if (text.find("comparison reduces to") != text.npos || text.ends_with("evaluates to false") ||
                   text.find("deleted because") != text.npos) {
            keep(text);
        }
    }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    /// "gpu::View::View(const gpu::View&)": nobody means to call a copy constructor.
    static bool copies(const std::string& candidate) {
        const std::size_t open = candidate.rfind('(');
        const std::size_t close = candidate.rfind(')');
        if (open == candidate.npos || close == candidate.npos || close < open) return false;
        std::string_view parameter = std::string_view(candidate).substr(open + 1, close - open - 1);
        if (parameter.starts_with("const ")) parameter.remove_prefix(6);
        while (parameter.ends_with('&')) parameter.remove_suffix(1);
        return !parameter.empty() && candidate.find(std::string(parameter) + "::") < open;
    }
    void keep(const std::string& reason) {
        constexpr int max_shown = 3;
        if (count_++ < max_shown) text_ += "\n  why: " + reason;
    }

    std::string text_, candidate_;
    bool is_ours_ = false, alternatives_ = false;
    int count_ = 0;
};

/// The explaining notes on the error in that line, up to the next error.
std::string reasons(const std::vector<std::string>& lines, std::size_t error) {
    Reasons found;
    for (std::size_t k = error + 1; k < lines.size(); ++k) {
        const std::optional<Diagnostic> step = parse(lines[k]);
        if (step && (step->is_error() || step->kind == "warning")) break;
        if (step && step->kind == "note") found.add(*step);
    }
    return found.text();
}

/// The compiler's notes on the error in that line, up to the next error.
std::string notes(const std::vector<std::string>& lines, std::size_t error) {
    std::string text;
    for (std::size_t k = error + 1; k < lines.size(); ++k) {
        if (const std::optional<Diagnostic> step = parse(lines[k]); step && step->is_error()) break;
        text += lines[k] + '\n';
    }
    return text;
}

/// The error in that line for a student, at that place: a sentence first if one is known, otherwise the compiler's own
/// message with its reasons.
std::string report(const std::vector<std::string>& lines, std::size_t error, const Diagnostic& place,
                   const PathNames& names, Vocabulary words) {
    const std::string message = readable(parse(lines[error])->message);
    std::string source = names.line(place.file, place.line);
    if (source.size() > max_line_bytes) source.clear();
    const std::string kind = parse(lines[error])->kind;
    const std::string sentence = sentence_on({message, source, notes(lines, error)});
    if (!sentence.empty() && (words == Vocabulary::libgpu || sentence.find("gpu::") == sentence.npos)) {
        const std::string original =
            is_assertion(message) ? "" : "\n  compiler: " + message.substr(0, message.find("; did you mean "));
        return fmt::format("{}: error: {}{}{}", place.place(), sentence, excerpt(place, names), original);
    }
    return fmt::format("{}: {}: {}{}{}", place.place(), kind, message, excerpt(place, names), reasons(lines, error));
}

/// The place in these C++ files that names the kernel in a string.
std::optional<Diagnostic> asked_for(std::string_view kernel,
                                    const std::vector<std::pair<std::string, std::string>>& files) {
    const std::string quoted = fmt::format("\"{}\"", kernel);
    for (const auto& [shown, text] : files) {
        if (!shown.ends_with(".cpp")) continue;
        const std::vector<std::string> lines = lines_of(text);
        for (std::size_t k = 0; k < lines.size(); ++k)
            if (const std::size_t at = lines[k].find(quoted); at != std::string::npos)
                return Diagnostic{shown, "error", "", static_cast<int>(k) + 1, static_cast<int>(at) + 1};
    }
    return std::nullopt;
}

/// The kernel in "no kernel named adf; the source defines: add"; otherwise empty.
std::string_view missing_kernel(std::string_view line) {
    constexpr std::string_view start = "no kernel named ";
    return line.starts_with(start) ? line.substr(start.size(), line.find(';') - start.size()) : "";
}

std::string quoted_name(std::string_view text) {
    const std::size_t from = text.find_first_of("`'");
    const std::size_t to = text.find('\'', from + 1);
    if (from == text.npos || to == text.npos) return "";
    std::string name(text.substr(from + 1, to - from - 1));
    constexpr std::string_view allocator = ", std::allocator<";   // which no student writes
    for (std::size_t at; (at = name.find(allocator)) != name.npos;) {
        std::size_t end = at + allocator.size();
        for (int open = 1; open > 0 && end < name.size(); ++end)
            open += name[end] == '<' ? 1 : name[end] == '>' ? -1 : 0;
        if (end < name.size() && name[end] == ' ') ++end;
        name.erase(at, end - at);
    }
    return name;
}

}  // namespace

void PathNames::add(std::string real, std::string shown) {
    names_.emplace_back(std::move(real), std::move(shown));
    std::stable_sort(names_.begin(), names_.end(),
                     [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

void PathNames::add_answer(std::string real, std::string shown, std::string text) {
    answers_.emplace_back(shown, std::move(text));
    add(std::move(real), std::move(shown));
}

std::string PathNames::apply(std::string text) const {
    for (const auto& [real, shown] : names_)
        for (std::size_t at = 0; (at = text.find(real, at)) != text.npos; at += shown.size())
            text.replace(at, real.size(), shown);
    return text;
}

std::string PathNames::apply_to_kernel_error(const std::string& text) const {
    std::string result;
    for (const std::string& line : lines_of(apply(text))) {
        std::string_view folder;
        for (const auto& [shown, unused] : answers_) {
            const std::size_t slash = shown.rfind('/');
            if (slash != shown.npos && line.starts_with(shown.substr(slash + 1) + ":"))
                folder = std::string_view(shown).substr(0, slash + 1);
        }
        result += result.empty() ? "" : "\n";
        const std::string_view kernel = missing_kernel(line);
        const auto place = kernel.empty() ? std::nullopt : asked_for(kernel, answers_);
        if (place) result += place->place() + ": error: ";
        result.append(folder).append(line);
        if (place) result += excerpt(*place, *this);
    }
    return result;
}

bool PathNames::is_answer(const std::string& shown) const {
    return std::any_of(answers_.begin(), answers_.end(), [&](const auto& answer) { return answer.first == shown; });
}

std::string PathNames::line(const std::string& shown, int number) const {
    for (const auto& [name, text] : answers_) {
        if (name != shown) continue;
        const std::vector<std::string> lines = lines_of(text);
        if (number >= 1 && static_cast<std::size_t>(number) <= lines.size())
            return lines[static_cast<std::size_t>(number) - 1];
    }
    return "";
}

std::string first_error(const std::string& output, const PathNames& names, Vocabulary words) {
    const std::vector<std::string> lines = lines_of(names.apply(output));
    for (std::size_t k = 0; k < lines.size(); ++k) {
        std::optional<Diagnostic> error = parse(lines[k]);
        if (!error || !error->is_error()) continue;
        const auto place = names.is_answer(error->file) ? std::nullopt : students_place(lines, k, names);
        return report(lines, k, place ? *place : *error, names, words);
    }
    return "";
}

std::vector<std::string> warnings(const std::string& output, const PathNames& names,
                                  std::span<const std::string_view> wanted) {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(names.apply(output))) {
        std::optional<Diagnostic> warning = parse(line);
        if (!warning || warning->kind != "warning" || !names.is_answer(warning->file)) continue;
        const std::size_t flag = warning->message.rfind(" [-W");
        if (flag == warning->message.npos || !warning->message.ends_with(']')) continue;
        std::string_view name = std::string_view(warning->message).substr(flag + 4);
        name = name.substr(0, name.find_first_of("=]"));  // [-Wformat=], [-Wunused-value]
        if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
        found.push_back(fmt::format("{}: warning: {}{}", warning->place(), readable(warning->message.substr(0, flag)),
                                    excerpt(*warning, names)));
    }
    return found;
}

std::string first_link_error(const std::string& output, const PathNames& names, Vocabulary words) {
    for (const std::string& line : lines_of(names.apply(output))) {
        if (const std::size_t at = line.find("undefined reference to"); at != line.npos)
            return fmt::format("the function {} is called, but none of your files defines it.\nIs its name spelt {}, "
                               "with the same argument types, and outside any namespace?",
                               quoted_name(line.substr(at)),
                               words == Vocabulary::libgpu ? "as in exercise.hpp" : "the same in both places");
        if (const std::size_t at = line.find("multiple definition of"); at != line.npos)
            return fmt::format("{} is defined more than once.\nGive each function one definition; what only one file "
                               "uses can be `static`.", quoted_name(line.substr(at)));
    }
    return "";
}

}  // namespace course
