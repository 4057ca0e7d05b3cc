// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course {

/// A student's answer to a question of a lesson, as a prediction or in the quiz.
struct RecordedAnswer {
    std::string date;      ///< 2026-01-31
    std::string question;  ///< "06/ceil-on-integers"
    bool right = false;
    int tag = 0;  ///< the misconception behind a wrong one; 0: none
};

/// The student's answers, oldest first: work/answers.txt, one line each. It may be deleted, edited or half understood.
class Answers {
public:
    explicit Answers(const std::filesystem::path& work) : file_(work / "answers.txt") {}

    /// Lines that make no sense are passed over, a missing file is an empty one.
    [[nodiscard]] std::vector<RecordedAnswer> read() const;
    /// Adds a line. @throws FileError
    void add(const RecordedAnswer& answer) const;

private:
    std::filesystem::path file_;
};

/// The file's text for an answer, and the way back of all lines.
std::string answer_line(const RecordedAnswer& answer);
std::vector<RecordedAnswer> parse_answers(const std::string& text);

/// Days since 1970-01-01 of "2026-01-31", and the way back; -1 for what isn't a date.
long day_of(const std::string& date);
std::string date_of(long day);
/// In the user's time zone.
long today();

}  // namespace course
