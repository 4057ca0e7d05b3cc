// SPDX-License-Identifier: MIT
#include "judge/work/budgets.hpp"

#include <cstring>

#include <doctest/doctest.h>

#include "manifest/names.hpp"
#include "support/limits.hpp"

using namespace course;
using test::at_least, test::at_most, test::exactly;

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
    protocol::CountsRecord counts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
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
    const Budget budget = at_most("copies_to_device", {.plus = 2});
    const std::vector<CaseResult> kept{one_case("n = 1", 1, 2)}, exceeded{one_case("n = 1", 1, 3)};
    CHECK(check_budgets(std::span(&budget, 1), kept).at(0).kept());
    CHECK_FALSE(check_budgets(std::span(&budget, 1), exceeded).at(0).kept());
}

TEST_CASE("the first case that exceeds a budget is reported, in a sentence") {
    const Budget budget = at_most("copies_to_device", {.plus = 2});
    const std::vector<CaseResult> cases{one_case("n = 1", 1, 2), one_case("n = 257", 257, 3), one_case("n = 9", 9, 5)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    REQUIRE(results.size() == 1);
    CHECK(describe(results[0]) ==
          "copies_to_device: 3 counted, at most 2 (n = 257)\n"
          "copy once and keep the gpu::Array; what an expression, gpu::arange or gpu::zeros can make there needs no "
          "copy");
}

TEST_CASE("a case of few elements isn't reported if a larger one breaks the budget, too") {
    const Budget budget = at_most("copies_to_device", {.plus = 2});
    std::vector<CaseResult> cases{one_case("n = 0", 0, 4), one_case("n = 1", 1, 3), one_case("n = 31", 31, 3),
                                  one_case("n = 257", 257, 9)};
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 31");
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).broken.size() == 4);
    cases.resize(2);
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 0");
    cases.push_back(one_case("n = 257", 257, 2));
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 0");   // the large one keeps it
}

TEST_CASE("a budget grows with the elements, in whole blocks") {
    const Budget budget = at_most("atomics", {.plus = 1, .each = 1, .per = 256});
    const std::vector<CaseResult> cases{one_case("n = 257", 257, 0, 3), one_case("n = 1009", 1009, 0, 2)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    CHECK(results.at(0).kept());
    CHECK(results[0].case_name == "n = 257");  // 3 of 3, nearer than 2 of 5
    CHECK(results[0].at_most == 3);
}

TEST_CASE("of cases that come equally near the last is reported") {
    const Budget budget = at_most("atomics", {.plus = 0, .each = 1});
    const std::vector<CaseResult> cases{one_case("n = 0", 0, 0, 0), one_case("n = 1", 1, 0, 1),
                                        one_case("n = 257", 257, 0, 257)};
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 257");
}

TEST_CASE("an allowance of nothing is exceeded by one") {
    const Budget budget = at_most("copies_to_device", {.plus = 0});
    const std::vector<CaseResult> cases{one_case("a", 5, 0), one_case("b", 5, 1)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    CHECK_FALSE(results.at(0).kept());
    CHECK(results[0].case_name == "b");
}

TEST_CASE("what check mode counted decides, whatever was counted in the usual run") {
    const Budget budget = at_most("launches", {.plus = 1});
    std::vector<CaseResult> cases{one_case("a", 5, 0)};
    cases[0].counts.launches = 7;
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).kept());
    cases[0].counts.launches = 1;
    cases[0].checked_counts->launches = 2;
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).counted == 2);
    CHECK_FALSE(check_budgets(std::span(&budget, 1), cases).at(0).kept());
}

TEST_CASE("of a case too large for check mode the usual run's counts are judged, but for what a GPU doesn't count") {
    const Budget budgets[] = {at_most("launches", {.plus = 1}), at_most("atomics", {.plus = 0})};
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
    const Budget budget = at_most("copies_to_device", {.plus = 0});
    std::vector<CaseResult> cases{one_case("a", 5, 7)};
    cases[0].verdict = Verdict::crashed;
    CHECK(check_budgets(std::span(&budget, 1), cases).empty());
}

TEST_CASE("a floor is kept from its limit on, and says what to use") {
    const Budget budget = at_least("launches", {.plus = 1});
    std::vector<CaseResult> cases{one_case("n = 1", 1, 0), one_case("n = 257", 257, 0)};
    const BudgetResult none = check_budgets(std::span(&budget, 1), cases).at(0);
    CHECK_FALSE(none.kept());
    CHECK(none.falls_short());
    CHECK(verdict_of(none) == Verdict::not_as_asked);
    CHECK(none.case_name == "n = 257");
    CHECK(describe(none) ==
          "launches: 0 counted, at least 1 (n = 257)\n"
          "compute on the device: an expression of gpu arrays becomes a kernel, and so does a gpu::RawKernel");
    for (CaseResult& one : cases) one.checked_counts->launches = 7;
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).kept());
}

TEST_CASE("an exact value has one more and one less against it") {
    const Budget budget = exactly("copies_to_device", {.plus = 2});
    const auto counted = [&](std::uint64_t copies) {
        const CaseResult one = one_case("n = 9", 9, copies);
        return check_budgets(std::span(&budget, 1), std::span(&one, 1)).at(0);
    };
    CHECK(counted(2).kept());
    CHECK(verdict_of(counted(2)) == Verdict::passed);
    CHECK(verdict_of(counted(1)) == Verdict::not_as_asked);
    CHECK(describe(counted(1)) ==
          "copies_to_device: 1 counted, exactly 2 (n = 9)\ngpu::to_device(x) brings data to the device");
    CHECK(verdict_of(counted(3)) == Verdict::over_budget);
    CHECK(describe(counted(3)).starts_with("copies_to_device: 3 counted, exactly 2 (n = 9)\ncopy once"));
}

TEST_CASE("a floor and a ceiling, and which case comes nearest to one of them") {
    const Budget budget{.counter = "atomics", .at_least = Limit{.plus = 2}, .at_most = Limit{.each = 1}};
    const std::vector<CaseResult> cases{one_case("a", 100, 0, 50), one_case("b", 100, 0, 3), one_case("c", 100, 0, 20)};
    const BudgetResult nearest = check_budgets(std::span(&budget, 1), cases).at(0);
    CHECK(nearest.case_name == "b");   // 2 of 3
    CHECK(nearest.kept());
    CHECK(bounds_text(nearest) == "2 to 100");
}

TEST_CASE("where there is nothing to do, no floor is asked for; a ceiling is") {
    const Budget floor = exactly("launches", {.plus = 1});
    CaseResult nothing = one_case("n = 0", 0, 0);
    nothing.empty = true;
    CHECK(check_budgets(std::span(&floor, 1), std::span(&nothing, 1)).at(0).kept());
    nothing.checked_counts->launches = 2;
    CHECK_FALSE(check_budgets(std::span(&floor, 1), std::span(&nothing, 1)).at(0).kept());
    CaseResult number = one_case("twice(7)", 0, 0);   // no arrays at all: that is something to do
    CHECK_FALSE(check_budgets(std::span(&floor, 1), std::span(&number, 1)).at(0).kept());
}

TEST_CASE("a limit may grow with an argument") {
    const Budget budget = exactly("launches", {.plus = 1, .each = 2, .of = 3});
    CaseResult one = one_case("n = 9, blocks = 4", 9, 0);
    one.arguments = {9, 9, 4};
    one.checked_counts->launches = 9;
    CHECK(check_budgets(std::span(&budget, 1), std::span(&one, 1)).at(0).kept());
    one.arguments = {9, 9};
    CHECK_THROWS_WITH_AS(check_budgets(std::span(&budget, 1), std::span(&one, 1)),
                         "a limit of exercise.toml grows with argument 3, and the call has 2", ManifestError);
}

TEST_CASE("each broken budget names a cure where one is known, the author's first") {
    Budget budget = at_most("allocations", {.plus = 1});
    CaseResult one = one_case("n = 9", 9, 0);
    one.checked_counts->allocations = 2;
    const auto described = [&] { return describe(check_budgets(std::span(&budget, 1), std::span(&one, 1))[0]); };
    CHECK(described() == "allocations: 2 counted, at most 1 (n = 9)\n"
                         "a = a * a writes into the array that is there; `return a * a` makes another");
    budget.cure = "keep the first array";
    CHECK(described() == "allocations: 2 counted, at most 1 (n = 9)\nkeep the first array");
    budget.counter = "bytes_allocated";
    budget.cure.clear();
    one.checked_counts->bytes_allocated = 8;
    CHECK(described() == "bytes_allocated: 8 counted, at most 1 (n = 9)");
    one.checked_counts->allocations = one.checked_counts->bytes_allocated = 1;
    CHECK(described() == "bytes_allocated: 1 counted, at most 1 (n = 9)");   // kept: nothing to cure
}
