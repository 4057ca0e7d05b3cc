// SPDX-License-Identifier: MIT
#include "fuzz/course_fixture.hpp"
#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace fuzz {

namespace {

void check_limit(const std::optional<course::Limit>& limit, const course::CallSize& size) {
    if (limit) require(limit->at(size) >= 0, "a limit is negative, or no number");
}

void check_task(const course::Task& task, const course::CallSize& size) {
    require(task.star == (task.points == 0), "a task with points is a star, or one without isn't");
    require(task.points >= 0, "a task has negative points");
    const auto check_budget = [&](const course::Budget& budget) {
        require(budget.at_least || budget.at_most, "a budget bounds nothing");
        check_limit(budget.at_least, size);
        check_limit(budget.at_most, size);
    };
    for (const course::Budget& budget : task.budgets) check_budget(budget);
    for (const course::RequiredKernel& kernel : task.kernels)
        for (const course::Budget& budget : kernel.budgets) check_budget(budget);
    if (task.changes) require(task.changes->at_most >= 1, "no line may be changed");
    if (task.speed) require(task.speed->elements >= 1, "a speed line is for no element");
}

}  // namespace

FUZZ_TARGET(exercise_manifest, std::size_t{1} << 16) {
    static const CourseFixture course;
    write(course.exercise / "exercise.toml", input);
    course::Manifest manifest;
    try {
        manifest = course::read_manifest(course.exercise);
    } catch (const course::ManifestError& error) {
        const std::string_view text = error.what();
        require(text.starts_with("exercises/08-raw-add/exercise.toml"), "an error doesn't name its file");
        require_plain(error.what(), "an error");
        return;
    }
    require(manifest.minutes >= 1 && manifest.call_seconds > 0 && manifest.check_elements >= 0,
            "a number is too small");
    require(!manifest.tasks.empty() && !manifest.functions.empty() && manifest.hints.size() == 2,
            "a list is too short");
    course::CallSize size{.elements = 1000, .arguments = {}};
    course::Result result;
    for (const course::Function& function : manifest.functions)
        size.arguments.resize(std::max(size.arguments.size(), function.takes.size()), 7);
    for (const course::Task& task : manifest.tasks) {
        check_task(task, size);
        result.tasks.push_back({.id = task.id,
                                .title = task.title,
                                .points = task.points,
                                .max_points = task.points,
                                .message = {},
                                .cases = {},
                                .budgets = {},
                                .speed = {},
                                .spent = {}});
    }
    require(result.max_points() >= 1 && result.points() == result.max_points(), "the points have no sum");
}

}  // namespace fuzz
