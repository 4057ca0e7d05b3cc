// SPDX-License-Identifier: MIT
#include "loop/planted_answer.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

const WrongAnswer race{
    .name = "race", .verdict = "wrong", .says = "missing barrier", .task = "tree", .only_check_mode = true};
const std::string told = "check mode found:\nmissing barrier: ...";

/// Two tasks; the second is wrong, with right values.
Result found() {
    Result result;
    result.verdict = Verdict::wrong;
    result.environment.backend = "host";
    for (const char* id : {"atomic", "tree"}) {
        TaskResult& task = result.tasks.emplace_back();
        task.id = id;
        task.cases.resize(2);
        task.check.emplace();
    }
    result.tasks[1].verdict = result.tasks[1].cases[1].verdict = Verdict::wrong;
    return result;
}

}  // namespace

TEST_CASE("a planted answer that check mode alone catches is caught") {
    CHECK(why_not_caught(race, found(), told) == "");
    Result slow = found();
    slow.verdict = slow.tasks[1].verdict = Verdict::too_slow;
    slow.tasks[1].cases[1].verdict = Verdict::passed;
    slow.tasks[1].budgets = {{"sectors_per_request", "n = 1", 32, 4, ""}, {"launches", "n = 1", 1, 1, ""}};
    WrongAnswer spread = race;
    spread.verdict = "too slow";
    CHECK(why_not_caught(spread, slow, told) == "");
    slow.tasks[1].budgets[1].counted = 2;
    CHECK(why_not_caught(spread, slow, told).starts_with("has only_check_mode = true, but"));
}

TEST_CASE("a planted answer that doesn't need check mode mustn't say so") {
    Result result = found();
    result.tasks[1].cases[1].difference.emplace();
    CHECK(why_not_caught(race, result, told) ==
          "has only_check_mode = true, but it is caught without check mode as well:");
    WrongAnswer plain = race;
    plain.only_check_mode = false;
    CHECK(why_not_caught(plain, result, told) == "");
    CHECK(why_not_caught(plain, found(), told) == "");
}

TEST_CASE("verdict, task and words must be those of the manifest") {
    Result result = found();
    CHECK(why_not_caught(race, result, "nothing") == "should say \"missing barrier\":");
    std::swap(result.tasks[0].id, result.tasks[1].id);
    CHECK(why_not_caught(race, result, told) == "should fail in the task tree, and passed it:");
    result.verdict = Verdict::passed;
    CHECK(why_not_caught(race, result, told) == "should get \"wrong\"; it got \"passed\":");
}

TEST_CASE("on a GPU, what check mode alone catches may pass, and all else must fail") {
    Result result = found();
    result.environment.backend = "cuda";
    result.verdict = Verdict::passed;
    CHECK(why_not_caught(race, result, "") == "");
    WrongAnswer plain = race;
    plain.only_check_mode = false;
    CHECK(why_not_caught(plain, result, "") == "was not caught:");
    result.verdict = Verdict::timed_out;
    CHECK(why_not_caught(plain, result, "") == "");
}
