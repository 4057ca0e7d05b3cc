// SPDX-License-Identifier: MIT
#include "judge/budgets.hpp"

#include <cstring>

#include <doctest/doctest.h>

#include "manifest/names.hpp"

using namespace course;

namespace {

CaseResult one_case(std::string name, std::int64_t elements, std::uint64_t copies, std::uint64_t atomics = 0) {
    CaseResult result;
    result.name = std::move(name);
    result.elements = elements;
    result.counts.copies_to_device = copies;
    result.checked_counts = result.counts;
    result.checked_counts->atomics = atomics;
    return result;
}

}  // namespace

TEST_CASE("every counter's name reads its own member") {
    protocol::CountsRecord counts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    double want = 1;
    for (std::string_view name : counter_names) CHECK(counted(counts, name) == want++);
    CHECK(counted(counts, "copies_to_device") == static_cast<double>(counts.copies_to_device));
    CHECK(counted(counts, "synchronizations") == static_cast<double>(counts.synchronizations));
    CHECK(counted(counts, "atomics") == static_cast<double>(counts.atomics));
}

TEST_CASE("a name that is no counter is the manifest's error") {
    CHECK_THROWS_WITH_AS(counted({}, "copies"), "\"copies\" is not a valid counter", ManifestError);
}

TEST_CASE("a budget is kept up to its limit") {
    const Budget budget{.counter = "copies_to_device", .plus = 2};
    const std::vector<CaseResult> kept{one_case("n = 1", 1, 2)}, exceeded{one_case("n = 1", 1, 3)};
    CHECK(check_budgets(std::span(&budget, 1), kept).at(0).kept());
    CHECK_FALSE(check_budgets(std::span(&budget, 1), exceeded).at(0).kept());
}

TEST_CASE("the first case that exceeds a budget is reported, in a sentence") {
    const Budget budget{.counter = "copies_to_device", .plus = 2};
    const std::vector<CaseResult> cases{one_case("n = 1", 1, 2), one_case("n = 257", 257, 3), one_case("n = 9", 9, 5)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    REQUIRE(results.size() == 1);
    CHECK(describe(results[0]) == "copies_to_device: 3 counted, 2 allowed (n = 257)");
}

TEST_CASE("a budget grows with the elements, in whole blocks") {
    const Budget budget{.counter = "atomics", .plus = 1, .each = 1, .per = 256};
    const std::vector<CaseResult> cases{one_case("n = 257", 257, 0, 3), one_case("n = 1009", 1009, 0, 2)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    CHECK(results.at(0).kept());
    CHECK(results[0].case_name == "n = 257");   // 3 of 3, nearer than 2 of 5
    CHECK(results[0].allowed == 3);
}

TEST_CASE("of cases that come equally near the last is reported") {
    const Budget budget{.counter = "atomics", .plus = 0, .each = 1};
    const std::vector<CaseResult> cases{one_case("n = 0", 0, 0, 0), one_case("n = 1", 1, 0, 1),
                                        one_case("n = 257", 257, 0, 257)};
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 257");
}

TEST_CASE("an allowance of nothing is exceeded by one") {
    const Budget budget{.counter = "copies_to_device", .plus = 0};
    const std::vector<CaseResult> cases{one_case("a", 5, 0), one_case("b", 5, 1)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    CHECK_FALSE(results.at(0).kept());
    CHECK(results[0].case_name == "b");
}

TEST_CASE("what check mode counted decides, whatever was counted in the usual run") {
    const Budget budget{.counter = "launches", .plus = 1};
    std::vector<CaseResult> cases{one_case("a", 5, 0)};
    cases[0].counts.launches = 7;
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).kept());
    cases[0].counts.launches = 1;
    cases[0].checked_counts->launches = 2;
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).counted == 2);
    CHECK_FALSE(check_budgets(std::span(&budget, 1), cases).at(0).kept());
}

TEST_CASE("of a case too large for check mode the usual run's counts are judged, but for what a GPU doesn't count") {
    const Budget budgets[] = {{.counter = "launches", .plus = 1}, {.counter = "atomics", .plus = 0}};
    std::vector<CaseResult> cases{one_case("small", 5, 0, 0), one_case("large", 100'003, 0)};
    cases[1].checked_counts.reset();
    cases[1].counts.launches = 2;
    cases[1].counts.atomics = 100'003;
    const std::vector<BudgetResult> results = check_budgets(budgets, cases);
    REQUIRE(results.size() == 2);
    CHECK(results[0].case_name == "large");
    CHECK_FALSE(results[0].kept());
    CHECK(results[1].case_name == "small");
    CHECK(results[1].kept());
    cases.erase(cases.begin());
    CHECK(check_budgets(budgets, cases).size() == 1);
}

TEST_CASE("a call that crashed has no counts to judge") {
    const Budget budget{.counter = "copies_to_device", .plus = 0};
    std::vector<CaseResult> cases{one_case("a", 5, 7)};
    cases[0].verdict = Verdict::crashed;
    CHECK(check_budgets(std::span(&budget, 1), cases).empty());
}
