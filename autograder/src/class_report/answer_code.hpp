// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grades/class_grades.hpp"

namespace course {

/// A line of a student's file.
struct CodeLine {
    int number = 0;
    std::string text;
    bool is_meant = false;  ///< the one that a finding is about
};
using CodeExcerpt = std::vector<CodeLine>;

/// The line and three before and behind it; empty if there is no such line. Pure.
CodeExcerpt code_excerpt(std::string_view source, int line);

/// The files of answers, as they were judged: RESULTS/submissions.
class AnswerCode {
public:
    explicit AnswerCode(std::filesystem::path results) : results_(std::move(results)) {}

    /// Around the finding's line. Empty if the file isn't one of the answer's, or has changed since it was judged.
    [[nodiscard]] CodeExcerpt around(const GradedAttempt& attempt, const StoredFinding& finding) const;

private:
    std::filesystem::path results_;
};

/// The same as a block of HTML, escaped, and as plain text with ">" before the line that is meant; empty for none.
std::string code_html(const CodeExcerpt& excerpt);
std::string code_text(const CodeExcerpt& excerpt);

}  // namespace course
