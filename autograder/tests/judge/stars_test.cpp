// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "judge/checks.hpp"

using namespace course;
using namespace course::testing;

namespace {

/// Two tasks, of which the second one is a bonus. Both call add(); `answer` is asked which one it is for.
Result judged_with_star(const std::function<CallResult(bool star)>& spoilt, JudgeOptions options = {}) {
    Manifest manifest = sample_manifest({"plain", "bonus"});
    manifest.tasks[1].star = true;
    manifest.tasks[1].points = 0;
    int calls = 0;
    const int calls_of_a_task = static_cast<int>(std::size(sizes::edges));
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        CallResult reply = spoilt(calls++ >= calls_of_a_task);
        if (reply.outcome == Outcome::returned && reply.results.empty())
            reply.results.push_back(value_of(sum_of(arguments), arguments[0].shape));
        return reply;
    });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    return judged(manifest, caller, AddCheck(), options);
}

}  // namespace

TEST_CASE("a star that is right is passed, and gives no points") {
    const Result result = judged_with_star([](bool) { return CallResult(); });
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
    CHECK(result.max_points() == 2);
    CHECK(result.stars() == 1);
    CHECK(result.max_stars() == 1);
    CHECK(result.tasks.at(1).star);
}

TEST_CASE("a star that fails in any way changes neither verdict nor points") {
    for (const Outcome outcome :
         {Outcome::exception, Outcome::crashed, Outcome::timed_out, Outcome::out_of_memory,
          Outcome::kernel_does_not_compile, Outcome::missing_function, Outcome::no_device}) {
        CAPTURE(static_cast<int>(outcome));
        const Result result =
            judged_with_star([&](bool star) { return star ? failed(outcome, "why") : CallResult(); });
        CHECK(result.verdict == Verdict::passed);
        CHECK(exit_code(result.verdict) == 0);
        CHECK(result.message.empty());
        CHECK(result.points() == 2);
        CHECK(result.stars() == 0);
        CHECK_FALSE(is_passed(result.tasks.at(1)));
    }
}

TEST_CASE("a star is earned though the tasks with points fail") {
    const Result result = judged_with_star([](bool star) { return star ? CallResult() : failed(Outcome::exception); });
    CHECK(result.verdict == Verdict::crashed);
    CHECK(result.points() == 0);
    CHECK(is_passed(result.tasks.at(1)));
}

TEST_CASE("a star that isn't begun isn't called") {
    bool asked = false;
    JudgeOptions options;
    options.not_begun = {"bonus"};
    int seen = 0;
    options.after_tasks = [&](std::span<const JudgedTask> judged) {
        for (const JudgedTask& one : judged) {
            CHECK(one.task.id == "plain");
            ++seen;
        }
    };
    const Result result = judged_with_star(
        [&](bool star) {
            asked = asked || star;
            return CallResult();
        },
        options);
    CHECK_FALSE(asked);
    CHECK(seen == 1);
    CHECK(result.verdict == Verdict::passed);
    REQUIRE(result.tasks.size() == 2);
    CHECK(result.tasks[1].verdict == Verdict::not_started);
    CHECK(result.tasks[1].cases.empty());
    CHECK(result.max_stars() == 1);
}
