// SPDX-License-Identifier: MIT
// How long a verdict's second run may take.
#include <algorithm>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "judge/check_mode.hpp"
#include "judge/checks.hpp"

using namespace course;
using namespace course::testing;

namespace {

CallReply right_sum(std::span<const Value> arguments) {
    return returned({value_of(sum_of(arguments), arguments[0].shape)});
}

}  // namespace

TEST_CASE("all calls in check mode have one deadline, whatever the tasks: what is left then hasn't passed") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) { return right_sum(arguments); });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        return right_sum(arguments);
    });
    const Result result = judged(sample_manifest({"one", "two", "three"}), caller, AddCheck(), {.check_seconds = 0.05});
    CHECK(result.verdict == Verdict::timed_out);
    CHECK(result.points() == 0);
    CHECK(caller.checked_calls <= 2);   // of 27
    for (const TaskResult& task : result.tasks) CHECK(task.verdict == Verdict::timed_out);
    const std::string& message = result.tasks[2].cases.at(0).message;
    CHECK(message.find("check mode may take 0.05 s for all calls of an answer") != std::string::npos);
}

TEST_CASE("no call in check mode gets more time than is left for all of them") {
    struct Watching : ScriptedCaller {
        using ScriptedCaller::ScriptedCaller;
        CallReply check_call(const std::string& function, std::span<const Value> arguments,
                             std::span<const ValueType> results, const CheckLimits& limits) override {
            most = std::max(most, limits.seconds);
            return ScriptedCaller::check_call(function, arguments, results, limits);
        }
        double most = 0;
    };
    Watching caller([](const std::string&, std::span<const Value> arguments) { return right_sum(arguments); });
    CHECK(judged(sample_manifest(), caller, AddCheck(), {.check_seconds = 7}).verdict == Verdict::passed);
    CHECK(caller.most > 0);
    CHECK(caller.most <= 7);
}

TEST_CASE("an answer that hangs everywhere is searched for the cause once: the time for it is one for all tasks") {
    ScriptedCaller caller([](const std::string&, auto) { return failed(Outcome::timed_out, "no answer within 1 s"); });
    caller.in_check_mode([](const std::string&, auto) {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        return failed(Outcome::timed_out, "no answer within 1 s");
    });
    const Result result = judged(sample_manifest({"one", "two", "three"}), caller, AddCheck(), {.hung_seconds = 2.05});
    CHECK(caller.checked_calls == 1);
    for (const TaskResult& task : result.tasks) CHECK(task.verdict == Verdict::timed_out);
}
