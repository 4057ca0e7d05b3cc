// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "manifest/lesson.hpp"
#include "progress/course_path.hpp"
#include "progress/submission.hpp"

namespace course {

/// A misconception that the student has met, in verdicts or in answers to questions.
struct MetMisconception {
    int in_verdicts = 0, in_questions = 0;   ///< how often
    std::vector<int> open_exercises = {};    ///< those whose verdict showed it and whose last verdict isn't a pass
    bool answered = false;                   ///< a question about it was answered right since it was met last
    bool has_question = false;               ///< the course has a question about it

    [[nodiscard]] int times() const { return in_verdicts + in_questions; }
    /// What showed it has passed, and a question about it was answered right later on: for a verdict, on a later day.
    [[nodiscard]] bool mended() const { return open_exercises.empty() && (answered || !has_question); }
};

/// The misconceptions behind a question's wrong choices and slips: it is about these. Pure.
std::set<int> tags_of(const Question& question);

/// All that were met, by number. Pure.
std::map<int, MetMisconception> met_misconceptions(const std::vector<LessonOnPath>& path,
                                                   const std::vector<Lesson>& lessons,
                                                   const std::vector<RecordedAnswer>& answers);

/// The lessons that can be read; `course dev lessons` reports the others.
std::vector<Lesson> readable_lessons(const std::filesystem::path& root);

/// "once", "twice", "3 times". Pure.
std::string times_text(int times);

/// Misconceptions in words, from lessons/misconceptions.toml.
class MisconceptionWords {
public:
    explicit MisconceptionWords(const std::filesystem::path& root);
    /// "misconception 3", without a sentence, if this edition doesn't tell.
    [[nodiscard]] Misconception of(int number) const;

private:
    std::vector<Misconception> all_;
};

}  // namespace course
