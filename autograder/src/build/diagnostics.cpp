// SPDX-License-Identifier: MIT
#include "build/diagnostics.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

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
    int line = 0, column = 0;   ///< column 0: not said
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
        for (const std::string_view kind : {"error: ", "fatal error: ", "note: ", "required "}) {
            if (!text.starts_with(kind)) continue;
            found.kind = kind.substr(0, kind.find_last_not_of(": ") + 1);
            found.message = text.substr(kind.size());
            return found;
        }
        return std::nullopt;
    }
    return std::nullopt;
}

/// A message without its template arguments, which tell a student nothing.
std::string without_tail(std::string message) {
    if (const std::size_t at = message.find(" [with "); at != message.npos) message.erase(at);
    if (message.size() > 400) message = message.substr(0, 400) + " ...";
    return message;
}

/// The student's line with a caret below it, as compilers print it.
std::string excerpt(const Diagnostic& at, const PathNames& names) {
    std::string text = names.line(at.file, at.line);
    if (text.find_first_not_of(" \t") == text.npos || text.size() > 300) return "";
    std::string below;
    for (int k = 1; k < at.column && k <= static_cast<int>(text.size()); ++k)
        below += text[static_cast<std::size_t>(k) - 1] == '\t' ? '\t' : ' ';
    const std::string number = std::to_string(at.line);
    std::string shown = fmt::format("\n  {} | {}", number, text);
    if (at.column > 0) shown += fmt::format("\n  {} | {}^", std::string(number.size(), ' '), below);
    return shown;
}

/// Where in the student's files an error in one of the kit's headers comes from. g++ lists the way there before the
/// error, clang++ after it, as notes.
std::optional<Diagnostic> students_place(const std::vector<std::string>& lines, std::size_t error,
                                         const PathNames& names) {
    std::optional<Diagnostic> place;
    for (std::size_t k = 0; k < error; ++k)
        if (auto step = parse(lines[k]); step && step->kind == "required" && names.is_answer(step->file)) place = step;
    for (std::size_t k = error + 1; k < lines.size() && !place; ++k)
        if (auto step = parse(lines[k]); step && step->kind == "note" && names.is_answer(step->file)) place = step;
    return place;
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
        result.append(folder).append(line);
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

std::string first_error(const std::string& output, const PathNames& names) {
    const std::vector<std::string> lines = lines_of(names.apply(output));
    for (std::size_t k = 0; k < lines.size(); ++k) {
        std::optional<Diagnostic> error = parse(lines[k]);
        if (!error || !error->is_error()) continue;
        const std::string message = without_tail(error->message);
        if (!names.is_answer(error->file))
            if (const auto place = students_place(lines, k, names))
                return fmt::format("{}: error: {}{}", place->place(), message, excerpt(*place, names));
        return fmt::format("{}: {}: {}{}", error->place(), error->kind, message, excerpt(*error, names));
    }
    return "";
}

std::string first_link_error(const std::string& output, const PathNames& names) {
    for (const std::string& line : lines_of(names.apply(output))) {
        if (const std::size_t at = line.find("undefined reference to"); at != line.npos)
            return fmt::format("the function {} is called, but none of your files defines it.\nIs its name spelt as in "
                               "exercise.hpp, with the same argument types, and outside any namespace?",
                               quoted_name(line.substr(at)));
        if (const std::size_t at = line.find("multiple definition of"); at != line.npos)
            return fmt::format("{} is defined more than once.\nGive each function one definition; what only one file "
                               "uses can be `static`.", quoted_name(line.substr(at)));
    }
    return "";
}

}  // namespace course
