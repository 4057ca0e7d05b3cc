// SPDX-License-Identifier: MIT
#include "author/planted_answer.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

const PlantedAnswer race{.name = "race", .verdict = "wrong", .says = "missing barrier", .task = "tree"};
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

TEST_CASE("of an answer with a mistake in a star, the star's verdict counts: the exercise is passed") {
    Result result = found("host");
    result.tasks[1].star = true;
    result.verdict = Verdict::passed;
    CHECK(why_not_caught(race, result, told) == "");
    result.tasks[1].verdict = Verdict::not_started;
    CHECK(why_not_caught(race, result, told) == "should get \"wrong\"; it got \"not started\":");
    PlantedAnswer lazy = race;
    lazy.verdict.clear();
    CHECK(why_not_caught(lazy, result, told) == "should fail; it got \"not started\":");
    result.tasks[1].verdict = Verdict::crashed;
    CHECK(why_not_caught(lazy, result, told) == "");
}

TEST_CASE("a tag that the verdict doesn't show is noted, and one that it shows isn't") {
    Result result = found("host");
    PlantedAnswer tagged = race;
    CHECK(why_tag_not_shown(tagged, result) == "");
    tagged.tag = 5;
    CHECK(why_tag_not_shown(tagged, result) == "has tag 5, which its verdict doesn't show (it shows none)");
    result.tasks[0].tags = {5};   // another task than the one that must fail
    result.tasks[1].tags = {7, 8};
    CHECK(why_tag_not_shown(tagged, result) == "has tag 5, which its verdict doesn't show (it shows 7, 8)");
    result.tasks[1].tags = {5, 7};
    CHECK(why_tag_not_shown(tagged, result) == "");
    tagged.task.clear();
    result.tasks[1].tags.clear();
    CHECK(why_tag_not_shown(tagged, result) == "");
}

TEST_CASE("a lazy answer without a verdict may fail in any way, but fail it must") {
    const PlantedAnswer lazy{
        .name = "on-cpu", .verdict = "", .says = "launches: 0 counted", .task = "", .kind = "on the CPU"};
    Result result = found("host");
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
