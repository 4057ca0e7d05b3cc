// SPDX-License-Identifier: MIT
#include "class_report/answer_code.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "class_report/html.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr int lines_around = 3;
constexpr std::size_t max_file_bytes = std::size_t{1} << 20, max_line_bytes = 200;

/// Tabs as four places, whatever else can't be seen as an escape, and no line that is longer than a page is wide.
std::string shown_line(std::string_view line) {
    std::string text;
    for (const char c : line.substr(0, max_line_bytes)) {
        if (c == '\t')
            text.append(4 - text.size() % 4, ' ');
        else if (c != '\r')
            text += c;
    }
    return plain_text(text, 4 * max_line_bytes, 1) + (line.size() > max_line_bytes ? " ..." : "");
}

bool is_name(const std::string& file) {
    return !file.empty() && file.front() != '.' && file.find('/') == file.npos && file.find('\0') == file.npos;
}

}  // namespace

CodeExcerpt code_excerpt(std::string_view source, int line) {
    CodeExcerpt lines;
    int number = 0;
    bool is_there = false;
    while (!source.empty() && number < line + lines_around) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        ++number;
        is_there = is_there || number == line;
        if (number >= line - lines_around) lines.push_back({number, shown_line(source.substr(0, end)), number == line});
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return is_there ? lines : CodeExcerpt();
}

CodeExcerpt AnswerCode::around(const GradedAttempt& attempt, const StoredFinding& finding) const {
    if (!attempt.submission || !attempt.result || !is_name(finding.file)) return {};
    const std::vector<SubmittedAnswer>& answers = attempt.submission->answers;
    const auto answer = std::find_if(answers.begin(), answers.end(), [&](const SubmittedAnswer& one) {
        return one.folder == attempt.result->folder;
    });
    if (answer == answers.end() || !attempt.result->key.starts_with(answer->digest + ".")) return {};
    try {
        const std::string source = read_file(
            results_ / "submissions" / attempt.submission->id / answer->folder / finding.file, max_file_bytes);
        return code_excerpt(source, finding.line);
    } catch (const FileError&) {
        return {};  // a header of the exercise, or the folder was tidied up: the finding stands without it
    }
}

std::string code_html(const CodeExcerpt& excerpt) {
    if (excerpt.empty()) return "";
    std::string html = "<pre class=\"code\">";
    for (const CodeLine& line : excerpt) {
        const std::string text = fmt::format("<i>{:>4}</i> {}", line.number, html_text(line.text));
        html += line.is_meant ? "<mark>" + text + "</mark>\n" : text + "\n";
    }
    return html + "</pre>\n";
}

std::string code_text(const CodeExcerpt& excerpt) {
    std::string text;
    for (const CodeLine& line : excerpt)
        text += fmt::format("{} {:>4} {}\n", line.is_meant ? '>' : ' ', line.number, line.text);
    return text;
}

}  // namespace course
