// SPDX-License-Identifier: MIT
#include "progress/misconceptions.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "support/text.hpp"

namespace course {

namespace {

/// True unless the exercise has yet to pass, or its last verdict was none.
bool has_passed(const ExerciseProgress& progress) {
    return progress.passed && is_one_of(progress.last_verdict, {"", "passed", "noisy"});
}

/// When a misconception was met last.
struct LastMeeting {
    long day = -1;           ///< in a verdict; -1: never, or by a kit that noted no days
    std::size_t answer = 0;  ///< in answers to questions: one behind its place; 0: never
};

}  // namespace

std::set<int> tags_of(const Question& question) {
    std::set<int> tags;
    for (const Choice& choice : question.choices) tags.insert(choice.tag);
    if (question.number)
        for (const Slip& slip : question.number->slips) tags.insert(slip.tag);
    tags.erase(0);
    return tags;
}

std::map<int, MetMisconception> met_misconceptions(const std::vector<LessonOnPath>& path,
                                                   const std::vector<Lesson>& lessons,
                                                   const std::vector<RecordedAnswer>& answers) {
    std::map<int, MetMisconception> met;
    std::map<int, LastMeeting> last;
    for (const LessonOnPath& lesson : path)
        for (const ExerciseOnPath& exercise : lesson.exercises)
            for (const auto& [tag, times] : exercise.progress.met) {
                met[tag].in_verdicts += times;
                if (!has_passed(exercise.progress)) met[tag].open_exercises.push_back(exercise.folder.number);
                if (const auto on = exercise.progress.met_on.find(tag); on != exercise.progress.met_on.end())
                    last[tag].day = std::max(last[tag].day, day_of(on->second));
            }
    for (std::size_t k = 0; k < answers.size(); ++k) {
        if (answers[k].right || answers[k].tag == 0) continue;
        ++met[answers[k].tag].in_questions;
        last[answers[k].tag].answer = k + 1;
    }
    for (const Lesson& lesson : lessons)
        for (const Question& question : lesson.questions) {
            const std::string id = lesson.full_id(question);
            for (const int tag : tags_of(question)) {
                const auto found = met.find(tag);
                if (found == met.end()) continue;
                found->second.has_question = true;
                for (std::size_t k = last[tag].answer; k < answers.size(); ++k)
                    if (answers[k].right && answers[k].question == id && day_of(answers[k].date) > last[tag].day)
                        found->second.answered = true;
            }
        }
    return met;
}

std::vector<Lesson> readable_lessons(const std::filesystem::path& root) {
    std::vector<Lesson> lessons;
    try {
        for (const LessonFolder& folder : lesson_folders(root)) {
            try {
                lessons.push_back(read_lesson(folder));
            } catch (const ManifestError&) {}
        }
    } catch (const ManifestError&) {}
    return lessons;
}

std::string times_text(int times) {
    return times == 1 ? "once" : times == 2 ? "twice" : fmt::format("{} times", times);
}

MisconceptionWords::MisconceptionWords(const std::filesystem::path& root) {
    try {
        all_ = read_misconceptions(root);
    } catch (const ManifestError&) {}   // an edition without lessons: the numbers must do
}

Misconception MisconceptionWords::of(int number) const {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const Misconception& one) { return one.number == number; });
    return found == all_.end() ? Misconception{number, fmt::format("misconception {}", number), ""} : *found;
}

}  // namespace course
