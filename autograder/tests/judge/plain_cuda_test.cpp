// SPDX-License-Identifier: MIT
#include "answer/plain_cuda.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"

using namespace course;

namespace {

// A call that makes too many or too few of what is counted.
BudgetResult broken(std::string_view counter, bool too_many) {
    const Limit limit{.plus = 2};
    Budget budget{.counter = std::string(counter)};
    (too_many ? budget.at_most : budget.at_least) = limit;
    BudgetResult result = compare_with(budget, "n = 257", {.elements = 257}, too_many ? 3 : 1);
    result.cause = cure_of(budget, result);
    return result;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Result result_of(const BudgetResult& budget) {
    Result result;
    result.tasks.emplace_back().budgets = {budget};
    result.tasks[0].message = describe(budget);
    return result;
}

}  // namespace

TEST_CASE("budgets of a plain CUDA program are told in CUDA's words") {
    for (const std::string_view counter : counter_names)
        for (const bool too_many : {true, false}) {
            Result result = result_of(broken(counter, too_many));
            tell_in_cuda(result);
            const TaskResult& task = result.tasks[0];
            CAPTURE(task.message);
            for (const std::string_view libgpus : {"gpu::", ".item()", "copies_to_", "_awaited", "pageable_async"}) {
                CHECK(!holds(task.message, libgpus));
                CHECK(!holds(task.budgets[0].cause, libgpus));
            }
            CHECK(task.message == describe(task.budgets[0]));
            CHECK(task.budgets[0].counter == counter);   // result.json's name stays
        }
    Result required = result_of({.counter = "grid", .case_name = "n = 257", .counted = 2, .kernel = "kernel k"});
    tell_in_cuda(required);  // within its bounds: it says nothing
    CHECK(required.tasks[0].message.empty());
    Result result = result_of(broken("copies_to_device", true));
    tell_in_cuda(result);
    CHECK(result.tasks[0].message ==
          "cudaMemcpyHostToDevice: 3 counted, at most 2 (n = 257)\n"
          "copy once and keep the memory; what a kernel or cudaMemset() can make there needs no copy");
}

TEST_CASE("findings of a plain CUDA program are told in CUDA's words") {
    Finding finding;
    finding.what = "kernel k: the argument p points to host memory; bring it over with gpu::to_device";
    finding.advice =
        "on a GPU a kernel follows device pointers alone: pass a gpu::Array, such as gpu::Array<float> x = "
        "gpu::to_device(h)";
    Result result;
    result.tasks.emplace_back().check.emplace().found = {{"n = 1", finding}};
    tell_in_cuda(result);
    const Finding& told = result.tasks[0].check->found[0].finding;
    CHECK(!holds(told.what + told.advice, "gpu::"));
    CHECK(holds(told.what, "cudaMemcpy(..., cudaMemcpyHostToDevice)"));
    CHECK(holds(told.advice, "cudaMalloc()"));
}
