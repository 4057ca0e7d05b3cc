// SPDX-License-Identifier: MIT
// The student's answers to questions, and which question comes next.
#include "fuzz/course_fixture.hpp"
#include "progress/course_path.hpp"
#include "progress/submission.hpp"

namespace fuzz {

FUZZ_TARGET(quiz_answers, std::size_t{1} << 18) {
    const std::vector<course::RecordedAnswer> answers = course::parse_answers(std::string(input));
    std::string text;
    for (const course::RecordedAnswer& answer : answers) {
        require(answer.tag >= 0, "a negative misconception");
        const long day = course::day_of(answer.date);
        require(day >= 0 && course::day_of(course::date_of(day)) == day, "a day that isn't its date's");
        text += course::answer_line(answer);
    }
    const std::vector<course::RecordedAnswer> again = course::parse_answers(text);
    require(again.size() == answers.size(), "what is written isn't what was read");
    for (std::size_t k = 0; k < answers.size(); ++k)
        require(course::answer_line(again[k]) == course::answer_line(answers[k]), "an answer has changed");
    std::vector<std::string> ids = {"01/one", "02/two"};
    if (!answers.empty()) ids.push_back(answers.front().question);
    const auto next = course::next_question(ids, answers, 20000);
    require(next && *next < ids.size(), "no question comes next");
}

}  // namespace fuzz
