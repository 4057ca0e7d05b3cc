// SPDX-License-Identifier: MIT
#include "verdict/verdict.hpp"

#include <doctest/doctest.h>

#include "manifest/names.hpp"

using namespace course;

TEST_CASE("verdicts are spelled as exercise.toml spells them") {
    CHECK(to_string(Verdict::wrong) == "wrong");
    CHECK(to_string(Verdict::does_not_compile) == "does not compile");
    for (std::string_view name : failing_verdicts) {
        bool found = false;
        for (int k = 0; k <= static_cast<int>(Verdict::environment); ++k) {
            const auto verdict = static_cast<Verdict>(k);
            if (to_string(verdict) != name) continue;
            found = true;
            CHECK(exit_code(verdict) != 0);
        }
        CHECK_MESSAGE(found, name);
    }
}

TEST_CASE("exit codes") {
    CHECK(exit_code(Verdict::passed) == 0);
    CHECK(exit_code(Verdict::noisy) == 0);
    CHECK(exit_code(Verdict::review) == 1);
    CHECK(exit_code(Verdict::wrong) == 1);
    CHECK(exit_code(Verdict::not_as_asked) == 1);
    CHECK(exit_code(Verdict::over_budget) == 1);
    CHECK(exit_code(Verdict::too_slow) == 1);
    CHECK(exit_code(Verdict::crashed) == 1);
    CHECK(exit_code(Verdict::timed_out) == 1);
    CHECK(exit_code(Verdict::out_of_memory) == 1);
    CHECK(exit_code(Verdict::does_not_compile) == 2);
    CHECK(exit_code(Verdict::not_started) == 3);
    CHECK(exit_code(Verdict::environment) == 4);
}

TEST_CASE("the failed case that tells most is shown") {
    TaskResult task;
    task.verdict = Verdict::wrong;
    const auto add = [&](std::string name, std::int64_t elements, const std::string& pattern, std::int64_t total,
                         Verdict verdict = Verdict::wrong) {
        CaseResult one;
        one.name = std::move(name);
        one.verdict = verdict;
        one.elements = elements;
        one.difference = Difference{};
        one.difference->pattern = pattern;
        one.difference->total = total;
        task.cases.push_back(one);
    };
    CHECK(telling_case(task) == nullptr);
    const auto shown = [&] { return telling_case(task)->name; };
    add("passed", 300, "", 300, Verdict::passed);
    CHECK(telling_case(task) == nullptr);
    add("another verdict", 300, "all zero", 300, Verdict::too_slow);
    CHECK(shown() == "another verdict");  // better than nothing
    add("n = 1", 1, "", 1);
    CHECK(shown() == "n = 1");
    add("n = 100000", 100000, "all zero", 100000);
    CHECK(shown() == "n = 1");  // the first where none is of a good size
    add("n = 33", 33, "", 33);
    add("n = 257", 257, "", 257);
    CHECK(shown() == "n = 33");  // a warp and more
    add("n = 3", 3, "all but the first element", 3);
    CHECK(shown() == "n = 3");  // a pattern
    add("sum of 31", 31, "zero", 1);
    add("n = 255", 255, "never written", 255);
    CHECK(shown() == "sum of 31");  // both; the first of these
    for (CaseResult& one : task.cases) one.has_nonfinite = one.name != "n = 100000";
    CHECK(shown() == "n = 100000");  // plain numbers
    for (CaseResult& one : task.cases) one.has_nonfinite = true;
    CHECK(shown() == "n = 33");  // the first of a good size: patterns of infinities tell nothing
}

TEST_CASE("the worst of two verdicts counts, in either order") {
    const Verdict order[] = {Verdict::passed,        Verdict::noisy,       Verdict::review,
                             Verdict::too_slow,      Verdict::over_budget, Verdict::not_as_asked,
                             Verdict::wrong,         Verdict::timed_out,   Verdict::out_of_memory,
                             Verdict::crashed,       Verdict::does_not_compile,
                             Verdict::not_started,   Verdict::environment};
    for (const Verdict verdict : order)
        CHECK(is_right(verdict) ==
              (worst(verdict, Verdict::not_as_asked) != verdict || verdict == Verdict::not_as_asked));
    for (std::size_t a = 0; a < std::size(order); ++a)
        for (std::size_t b = 0; b < std::size(order); ++b) {
            CHECK(worst(order[a], order[b]) == order[std::max(a, b)]);
        }
}
