// SPDX-License-Identifier: MIT
#include "answer/plain_cuda.hpp"

#include <string>

#include "judge/work/budgets.hpp"
#include "libgpu/gpucc/runtime/words.hpp"

namespace course {

namespace {

void translate(std::string& text) { text = gpucc::in_cuda(std::move(text)); }

void tell_in_cuda(CheckResult& check) {
    for (FoundMistake& found : check.found)
        for (std::string* const text : {&found.finding.what, &found.finding.who, &found.finding.advice})
            translate(*text);
    translate(check.note);
}

}  // namespace

void tell_in_cuda(Result& result) {
    translate(result.message);
    for (TaskResult& task : result.tasks) {
        for (BudgetResult& budget : task.budgets) {
            tell_in_cuda(budget, task.message);
            translate(budget.cause);
        }
        translate(task.message);
        for (CaseResult& one : task.cases) translate(one.message);
        if (task.check) tell_in_cuda(*task.check);
    }
}

}  // namespace course
