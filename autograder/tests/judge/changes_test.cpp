// SPDX-License-Identifier: MIT
// How many lines of the stub an answer may change, and what is said of more.
#include "judge/work/changes.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

Task task(int at_most, std::string cure = {}) {
    Task task{.id = "fade", .title = "repair it", .points = 1, .budgets = {}, .speed = {}};
    task.changes = ChangeLimit{.files = {"fade.cu", "fade.cpp"}, .at_most = at_most, .cure = std::move(cure)};
    return task;
}

TaskResult judged(const Task& task, std::map<std::string, ChangedLines> changes, Verdict before = Verdict::passed) {
    TaskResult result;
    result.points = result.max_points = 1;
    result.verdict = before;
    judge_changes(task, changes, result);
    return result;
}

const std::map<std::string, ChangedLines> five = {{"fade.cu", {4, {9, 9, 10, 12}, 0}}, {"fade.cpp", {1, {}, 1}},
                                                  {"other.cu", {100, {1}, 99}}};

}  // namespace

TEST_CASE("as many lines as allowed, in all files together, change no verdict and are shown") {
    const TaskResult result = judged(task(5), five);
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points == 1);
    CHECK(result.message == "");
    REQUIRE(result.budgets.size() == 1);
    CHECK(result.budgets[0].counter == "changed_lines");
    CHECK(result.budgets[0].counted == 5);
    CHECK(result.budgets[0].at_most == 5);
    CHECK_FALSE(result.budgets[0].decides);
}

TEST_CASE("with one more the answer is not as asked, and the message says where") {
    const TaskResult result = judged(task(4), five);
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(result.points == 0);
    CHECK(result.budgets.at(0).decides);
    CHECK(result.message ==
          "5 lines of fade.cu and fade.cpp are changed, at most 4 may be: repair what was given, and leave the rest of "
          "it as it was\n"
          "  fade.cu: lines 9-10, 12\n"
          "  fade.cpp: 1 line removed\n"
          "  (a statement counts as a line; comments and white space don't count)");
    CHECK(judged(task(4, "keep the tile"), five).message.starts_with(
        "5 lines of fade.cu and fade.cpp are changed, at most 4 may be: keep the tile\n"));
    CHECK(judged(task(4), {{"fade.cu", {7, {3}, 6}}}).message.find("  fade.cu: line 3, and 6 lines removed\n") !=
          std::string::npos);
}

TEST_CASE("a wrong answer stays wrong, and nothing is said of its lines; a task without a limit isn't looked at") {
    for (const Verdict verdict : {Verdict::wrong, Verdict::crashed, Verdict::environment}) {
        const TaskResult result = judged(task(4), five, verdict);
        CHECK(result.verdict == verdict);
        CHECK(result.message == "");
    }
    Task without = task(4);
    without.changes.reset();
    CHECK(judged(without, five).budgets.empty());
    CHECK(judged(without, five).verdict == Verdict::passed);
}

TEST_CASE("an answer that is over budget as well is not as asked, and both are said") {
    TaskResult result;
    result.verdict = Verdict::over_budget;
    result.message = "barriers: 9 counted, at most 2 (n = 33)";
    judge_changes(task(4), five, result);
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(result.message.ends_with("don't count)\nbarriers: 9 counted, at most 2 (n = 33)"));
}
