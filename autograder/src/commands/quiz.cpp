// SPDX-License-Identifier: MIT
// One old question at a time, from lessons that lie behind the student.
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "collect/collect.hpp"
#include "commands/ask.hpp"
#include "commands/commands.hpp"
#include "lessons/program_output.hpp"
#include "manifest/misconceptions.hpp"
#include "progress/progress.hpp"
#include "progress/quiz_order.hpp"
#include "report/output.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr int lessons_behind = 2;

/// A question that can be answered without running anything.
struct QuizQuestion {
    const Lesson* lesson;
    const Question* question;
    std::string answer;  ///< to a number
};

/// The lesson of the first exercise that isn't passed; one beyond all if they are.
int lesson_of_student(const Kit& kit, const std::vector<Lesson>& lessons) {
    Progress::Records records = Progress(kit.root / "work").read();
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        if (records[folder.name].passed) continue;
        const std::string name = read_manifest(folder.path).lesson;
        for (const Lesson& lesson : lessons)
            if (lesson.folder.name() == name) return lesson.folder.number;
        break;  // a lesson that is yet to be written
    }
    return lessons.empty() ? 0 : lessons.back().folder.number + lessons_behind;
}

/// What the program of a number's question answers, where that is the same everywhere; else empty.
std::string kept_answer(const Lesson& lesson, const Question& question) {
    const fs::path file = lesson.folder.path / (question.program + ".out");
    if (!fs::is_regular_file(file)) return "";
    const std::vector<std::string> answers = answers_of(read_file(file));
    return question.which < answers.size() && parse_number(answers[question.which]) ? answers[question.which] : "";
}

std::vector<QuizQuestion> old_questions(const std::vector<Lesson>& lessons, int now) {
    std::vector<QuizQuestion> questions;
    for (const Lesson& lesson : lessons) {
        if (lesson.folder.number + lessons_behind > now) continue;
        for (const Question& question : lesson.questions) {
            const std::string answer = question.number ? kept_answer(lesson, question) : "";
            if (!question.number || !answer.empty()) questions.push_back({&lesson, &question, answer});
        }
    }
    return questions;
}

void tell(const Kit& kit, const QuizQuestion& asked, const Prediction& prediction, const Style& style) {
    const JudgedPrediction judged =
        judge_prediction(*asked.question, prediction, parse_number(asked.answer).value_or(0));
    const std::vector<Misconception> misconceptions = read_misconceptions(kit.root);
    const std::string misconception =
        judged.tag > 0 ? misconceptions.at(static_cast<std::size_t>(judged.tag) - 1).sentence : "";
    print("\n" + judged_text(*asked.question, judged, asked.answer, misconception, style));
    note_answer(Answers(kit.root / "work"), asked.lesson->full_id(*asked.question), judged);
}

}  // namespace

int quiz_command(const Kit& kit, const std::string& given) {
    const std::vector<Lesson> lessons = read_lessons(kit.root);
    const std::vector<QuizQuestion> questions = old_questions(lessons, lesson_of_student(kit, lessons));
    std::vector<std::string> ids;
    for (const QuizQuestion& one : questions) ids.push_back(one.lesson->full_id(*one.question));
    const auto next = next_question(ids, Answers(kit.root / "work").read(), today());
    if (!next) {
        print(fmt::format("No question yet: the quiz asks about lessons that lie {} back.\n", lessons_behind));
        return 0;
    }
    const QuizQuestion& asked = questions[*next];
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    const Lesson& lesson = *asked.lesson;
    print(fmt::format("{}\n\n{}", style.bold(fmt::format("From lesson {}: {}", lesson.folder.number, lesson.title)),
                      listing_text(lesson, *asked.question) + question_text(*asked.question)));
    if (!given.empty()) {
        const auto prediction = parse_prediction(*asked.question, given);
        if (!prediction)
            throw UsageError(
                fmt::format("\"{}\" is not a valid answer; write {}", given, expected_prediction(*asked.question)));
        tell(kit, asked, *prediction, style);
    } else if (!can_ask()) {
        print(fmt::format("\n  To answer: make quiz ANSWER=... ({})\n", expected_prediction(*asked.question)));
        return 0;
    } else if (const auto prediction = ask_prediction(*asked.question)) {
        tell(kit, asked, *prediction, style);
    } else {
        return 0;
    }
    print(fmt::format("\n  More about it: {}\n", shown_path(lesson.folder.path / "README.md", kit.root)));
    return 0;
}

}  // namespace course
