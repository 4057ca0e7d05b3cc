// SPDX-License-Identifier: MIT
#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "lessons/blocks.hpp"
#include "lessons/check_course.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// Comments that say why it is so here: somebody's mistake is shown, or there is no column.
bool is_excused(const std::string& line) {
    return line.find("planted mistake") != line.npos || line.find("thread per row") != line.npos;
}

/// Blanks out what stands between two marks of one line or more; line ends stay.
void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < std::min(end, text.size()); ++k)
        if (text[k] != '\n') text[k] = ' ';
}

/// Without comments, and without what stands in square brackets: a[threadIdx.x] is a value, no index.
std::string code_alone(std::string text) {
    for (std::size_t at = 0; (at = text.find("//", at)) != text.npos;) blank(text, at, text.find('\n', at));
    for (std::size_t at = 0; (at = text.find("/*", at)) != text.npos;) {
        const std::size_t end = text.find("*/", at + 2);
        blank(text, at, end == text.npos ? end : end + 2);
    }
    for (std::size_t end; (end = text.find(']')) != text.npos;) {
        const std::size_t begin = text.rfind('[', end);
        if (begin == text.npos)
            text[end] = ' ';
        else
            blank(text, begin, end + 1);
    }
    return text;
}

/// The lines of a page that are code of its own; the others are
/// empty. What is generated is looked at where it comes from.
std::string code_of_page(const std::string& text) {
    const MarkdownPage page(text, LessonBlocks::kinds());
    std::string code;
    for (const MarkdownPage::Line& line : page.lines())
        code += (line.kind == MarkdownPage::Kind::code ? line.text : "") + "\n";
    return code;
}

/// Where the pattern is found. None of ours reaches across the ends of pieces, and none of its matches is longer than a
/// few lines: std::regex takes stack for each character of one.
std::vector<std::size_t> matches(const std::string& code, const std::regex& pattern) {
    constexpr std::size_t longest = 2000;
    std::vector<std::size_t> places;
    for (std::size_t begin = 0; begin < code.size();) {
        const std::size_t end = std::min(code.find_first_of(";,{}", begin), code.size());
        const auto from = code.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = code.begin() + static_cast<std::ptrdiff_t>(end);
        if (end - begin <= longest)
            for (std::sregex_iterator at(from, to, pattern), none; at != none; ++at)
                places.push_back(begin + static_cast<std::size_t>(at->position()));
        begin = end + 1;
    }
    return places;
}

bool is_planted(const fs::path& path) {
    return std::any_of(path.begin(), path.end(),
                       [](const fs::path& part) { return part == "wrong" || part == "lazy"; });
}

}  // namespace

std::vector<std::string> faults_of_columns(const std::string& name, const std::string& text) {
    const bool is_page = name.ends_with(".md");
    const std::string source = is_page ? code_of_page(text) : text;
    const std::vector<std::string> lines = split_lines(text);
    if (!is_page && std::any_of(lines.begin(), lines.begin() + std::min<std::ptrdiff_t>(10, std::ssize(lines)),
                                [](const std::string& line) { return line.starts_with("//") && is_excused(line); }))
        return {};
    struct Rule {
        std::regex pattern;
        std::string_view says;
    };
    // A quotient or a remainder of a flat index may be either.
    static const Rule rules[] = {
        {std::regex("\\b(?:\\w*_)?row(?:_\\w*|\\d*)\\s*=(?!=)[^;,/%{}]*\\b(?:threadIdx\\.x|tx)\\b(?![^;,{}]*[/%])"),
         "a row is computed from threadIdx.x"},
        {std::regex(
             "\\b(?:\\w*_)?col(?:umn)?(?:_\\w*|\\d*)\\s*=(?!=)[^;,/%{}]*\\b(?:threadIdx\\.y|ty)\\b(?![^;,{}]*[/%])"),
         "a column is computed from threadIdx.y"},
        {std::regex(
             "\\b(?:int|unsigned|long|size_t|int64_t)\\s+y\\s*=(?!=)[^;,/%{}]*\\bthreadIdx\\.x\\b(?![^;,{}]*[/%])"),
         "y is computed from threadIdx.x"},
        {std::regex(
             "\\b(?:int|unsigned|long|size_t|int64_t)\\s+x\\s*=(?!=)[^;,/%{}]*\\bthreadIdx\\.y\\b(?![^;,{}]*[/%])"),
         "x is computed from threadIdx.y"}};
    const std::string code = code_alone(source);
    std::vector<std::string> faults;
    for (const Rule& rule : rules)
        for (const std::size_t place : matches(code, rule.pattern)) {
            const auto line = static_cast<std::size_t>(
                std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
            if (line < lines.size() && is_excused(lines[line])) continue;
            faults.push_back(
                fmt::format("{}:{}: {}; x is the column here. If it is meant so, a comment on the line says \"planted "
                            "mistake\" or \"a thread per row\"",
                            name, line + 1, rule.says));
        }
    return faults;
}

std::vector<std::string> faults_of_columns(const fs::path& root) {
    std::vector<fs::path> files;
    for (const char* const folder : {"lessons", "exercises", "solutions"}) {
        std::error_code error;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder, error)) {
            const fs::path extension = entry.path().extension();
            const bool is_text = extension == ".cu" || extension == ".cpp" || extension == ".hpp" || extension == ".md";
            if (entry.is_regular_file() && is_text && !is_planted(entry.path().lexically_relative(root)))
                files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> faults;
    for (const fs::path& file : files)
        for (std::string& fault : faults_of_columns(file.lexically_relative(root).string(), read_file(file)))
            faults.push_back(std::move(fault));
    return faults;
}

}  // namespace course
