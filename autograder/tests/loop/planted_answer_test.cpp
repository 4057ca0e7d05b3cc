// SPDX-License-Identifier: MIT
#include "loop/planted_answer.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

const PlantedAnswer race{
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
    slow.verdict = slow.tasks[1].verdict = Verdict::over_budget;
    slow.tasks[1].cases[1].verdict = Verdict::passed;
    slow.tasks[1].budgets = {{"sectors_per_request", "n = 1", 32, 4, ""}, {"launches", "n = 1", 1, 1, ""}};
    PlantedAnswer spread = race;
    spread.verdict = "over budget";
    CHECK(why_not_caught(spread, slow, told) == "");
    slow.tasks[1].budgets[1].counted = 2;
    CHECK(why_not_caught(spread, slow, told).starts_with("has only_check_mode = true, but"));
}

TEST_CASE("a planted answer that doesn't need check mode mustn't say so") {
    Result result = found();
    result.tasks[1].cases[1].difference.emplace();
    CHECK(why_not_caught(race, result, told) ==
          "has only_check_mode = true, but it is caught without check mode as well:");
    PlantedAnswer plain = race;
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
    PlantedAnswer plain = race;
    plain.only_check_mode = false;
    CHECK(why_not_caught(plain, result, "") == "was not caught:");
    result.verdict = Verdict::timed_out;
    CHECK(why_not_caught(plain, result, "") == "");
}

TEST_CASE("a lazy answer that lacks the required kernel is caught in check mode alone") {
    const PlantedAnswer lazy{.name = "library-call",
                             .verdict = "not as asked",
                             .says = "no kernel of yours ran",
                             .task = "tree",
                             .only_check_mode = true,
                             .kind = "library call"};
    const std::string screen = "the kernel add of raw_add.cu must run; no kernel of yours ran (n = 1)";
    Result result = found();
    result.verdict = result.tasks[1].verdict = Verdict::not_as_asked;
    result.tasks[1].cases[1].verdict = Verdict::passed;
    result.tasks[1].budgets = {{"launches", "n = 1", 0, 1, screen, 1, "add"}};
    CHECK(why_not_caught(lazy, result, screen) == "");
    result.tasks[1].budgets.push_back({"launches", "n = 1", 0, 1, "", 1});  // the call's own budget tells it as well
    CHECK(why_not_caught(lazy, result, screen).starts_with("has only_check_mode = true, but"));
}

TEST_CASE("a lazy answer without a verdict may fail in any way, but fail it must") {
    const PlantedAnswer lazy{
        .name = "on-cpu", .verdict = "", .says = "launches: 0 counted", .task = "", .kind = "on the CPU"};
    Result result = found();
    for (const Verdict verdict : {Verdict::not_as_asked, Verdict::wrong, Verdict::crashed}) {
        result.verdict = verdict;
        CHECK(why_not_caught(lazy, result, "launches: 0 counted, exactly 1") == "");
    }
    CHECK(why_not_caught(lazy, result, "crashed") == "should say \"launches: 0 counted\":");
    for (const Verdict verdict : {Verdict::passed, Verdict::does_not_compile}) {
        result.verdict = verdict;
        CHECK(why_not_caught(lazy, result, "launches: 0 counted").starts_with("should fail; it got "));
    }
}
