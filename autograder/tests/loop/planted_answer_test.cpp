// SPDX-License-Identifier: MIT
#include "loop/planted_answer.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

const WrongAnswer race{.name = "race", .verdict = "wrong", .says = "missing barrier", .task = "tree"};
const std::string told = "check mode found:\nmissing barrier: ...";

/// Two tasks; the second is wrong.
Result found(const std::string& backend) {
    Result result;
    result.verdict = Verdict::wrong;
    result.environment.backend = backend;
    for (const char* id : {"atomic", "tree"}) result.tasks.emplace_back().id = id;
    result.tasks[1].verdict = Verdict::wrong;
    return result;
}

}  // namespace

TEST_CASE("verdict, task and words must be those of the manifest, on every backend") {
    for (const char* backend : {"host", "cuda"}) {
        CAPTURE(backend);
        Result result = found(backend);
        CHECK(why_not_caught(race, result, told) == "");
        CHECK(why_not_caught(race, result, "nothing") == "should say \"missing barrier\":");
        std::swap(result.tasks[0].id, result.tasks[1].id);
        CHECK(why_not_caught(race, result, told) == "should fail in the task tree, and passed it:");
        result.verdict = Verdict::crashed;
        CHECK(why_not_caught(race, result, told) == "should get \"wrong\"; it got \"crashed\":");
        result.verdict = Verdict::passed;
        CHECK(why_not_caught(race, result, told) == "should get \"wrong\"; it got \"passed\":");
    }
}
