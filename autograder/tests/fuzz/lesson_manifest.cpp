// SPDX-License-Identifier: MIT
#include "fuzz/course_fixture.hpp"
#include "lessons/prediction.hpp"
#include "manifest/lesson.hpp"
#include "manifest/manifest.hpp"

namespace fuzz {

namespace {

/// What is said of a question, and every answer to it.
void ask(const course::Question& question) {
    (void)course::question_text(question);
    (void)course::expected_prediction(question);
    (void)course::other_answers_text(question);
    (void)course::answer_text(question, "4");
    for (const std::string_view said : {"a", "F", "4 sectors", "1e400", "-0x1p3", "nan"}) {
        const auto prediction = course::parse_prediction(question, said);
        if (!prediction) continue;
        const course::JudgedPrediction judged = course::judge_prediction(question, *prediction, "4");
        require(judged.tag >= 0 && judged.tag <= 2, "a tag of no misconception");
    }
}

}  // namespace

FUZZ_TARGET(lesson_manifest, std::size_t{1} << 16) {
    static const CourseFixture course;
    write(course.lesson / "lesson.toml", input);
    try {
        const course::Lesson lesson = course::read_lesson(course::name_lesson(course.lesson));
        require(lesson.teach_minutes >= 1 && lesson.practise_minutes >= 0, "the minutes are negative, or none");
        require(!lesson.objectives.empty(), "no objectives");
        for (const course::Question& question : lesson.questions) {
            require(question.number || question.right_choice().right, "no right answer");
            ask(question);
        }
        require(!lesson.breather || lesson.breather->minutes >= 1, "a breather of no minutes");
        require(
            lesson.sitting(true).questions.size() + lesson.sitting(false).questions.size() == lesson.questions.size(),
            "a question belongs to both sittings, or to none");
    } catch (const course::ManifestError& error) {
        require(std::string_view(error.what()).starts_with("lessons/06-raw-kernels/lesson.toml"),
                "an error doesn't name its file");
        require_plain(error.what(), "an error");
    }
}

FUZZ_TARGET(misconceptions, std::size_t{1} << 16) {
    static const CourseFixture course;
    const auto root = scratch_folder() / "misconceptions";
    std::filesystem::create_directories(root / "lessons");
    write(root / "lessons/misconceptions.toml", input);
    try {
        const auto all = course::read_misconceptions(root);
        require(!all.empty() && all.back().number == static_cast<int>(all.size()), "they aren't numbered");
    } catch (const course::ManifestError& error) {
        require_plain(error.what(), "an error");
    }
}

}  // namespace fuzz
