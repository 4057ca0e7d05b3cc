// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/manifest.hpp"
#include "protocol/protocol.hpp"
#include "run/check_report.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// The value of a counter by its name in manifest/names.hpp. @throws ManifestError for another name.
double counted(const gpu::Counts& counts, std::string_view counter);

/// True if only the host backend counts it: it is judged if the case ran in check mode.
bool counted_on_host_only(std::string_view counter) noexcept;

/// The bounds that check.cpp states for that counter, for the whole call or a required kernel; null: none.
const Budget* stated_budget(std::span<const StatedBudget> stated, std::string_view kernel,
                            std::string_view counter) noexcept;

/// The counters for which the check states bounds in any of the cases, each once.
template <class Case>
std::vector<std::string> stated_counters(std::span<const Case> cases, std::string_view kernel) {
    std::vector<std::string> counters;
    for (const Case& one : cases)
        for (const StatedBudget& stated : one.stated)
            if (stated.kernel == kernel &&
                std::find(counters.begin(), counters.end(), stated.budget.counter) == counters.end())
                counters.push_back(stated.budget.counter);
    return counters;
}

/// Calls `check(counter, budget_of)` for each of the manifest's budgets, then for each counter with stated bounds.
/// `budget_of(case)` is the budget for a case; null: none.
template <class Case, class Check>
void each_budget(std::span<const Budget> budgets, std::span<const Case> cases, std::string_view kernel,
                 const Check& check) {
    for (const Budget& budget : budgets) check(budget.counter, [&](const Case&) { return &budget; });
    for (const std::string& counter : stated_counters(cases, kernel))
        check(counter, [&](const Case& one) { return stated_budget(one.stated, kernel, counter); });
}

/// Chooses which of a budget's results, over the cases, is reported; that one names all cases that break the budget.
class ReportedBudget {
public:
    /// @param tells_most report it whatever the earlier cases were
    void add(BudgetResult result, bool replaces = false);
    /// Adds nothing if there was no case.
    void append_to(std::vector<BudgetResult>& results);

private:
    std::optional<BudgetResult> reported_;
    std::vector<BudgetResult::Broken> broken_;
};

/// Compares the costs of a task's calls with its budgets and the bounds that the check states (except kernels' work,
/// see below): one result for each counter, with the first case that breaks it (with at least 31 elements, if there is
/// one), or else the last of those that come nearest. Check mode's counts decide on every machine; for a case that
/// didn't run there, libgpu's counts of the usual run. Cases that didn't return aren't counted; floors don't apply if
/// there is nothing to do (n = 0).
std::vector<BudgetResult> check_budgets(std::span<const Budget> budgets, std::span<const CaseResult> cases);

/// A budget's bounds for a call of that size, and the count.
BudgetResult compare_with(const Budget& budget, const std::string& case_name, const CallSize& size, double counted);

/// True if `a` is as near to its bounds as `b` or nearer: among equals, the last one is reported, usually the largest
/// case.
bool is_nearer(const BudgetResult& a, const BudgetResult& b);

/// True if the later one of two cases of one budget, `next`, should be reported. One that breaks it is; of two that do,
/// the first with at least 31 elements (for a ratio the worst of these); of two that don't, the nearer one.
bool tells_more(const BudgetResult& next, const BudgetResult& before);

/// 1 at a bound, more beyond it; the bound may be 0.
double closeness(const BudgetResult& budget);

/// The verdict on an answer with right values: passed; over budget, which includes moving bytes in vain; not as asked.
Verdict verdict_of(const BudgetResult& budget) noexcept;

/// The count: "3", for a ratio "4.03", for percent "97".
std::string number_text(const BudgetResult& budget);

/// "at most 2", "at least 1", "exactly 2", "1 to 2".
std::string bounds_text(const BudgetResult& budget);

/// What helps against it: the manifest's cure, otherwise a sentence for the counter; empty if there is none.
std::string cure_of(const Budget& budget, const BudgetResult& result);

/// The cause, and on the next line the remedy; either may be empty.
std::string cause_and_cure(std::string cause, const std::string& cure);

/// "copies_to_device: 3 counted, at most 2 (n = 257)"; nothing for a required kernel within its bounds.
std::string statement(const BudgetResult& budget);

/// The counter's name as people read it: "copies_to_device", or "cudaMemcpyHostToDevice" for a plain CUDA program.
std::string_view shown_counter(const BudgetResult& budget) noexcept;

/// The statement, and on the next lines the cause and the remedy, if known.
std::string describe(const BudgetResult& budget);

/// Tells of a plain CUDA program in CUDA's words: its counter, its cause, and the task's message that quotes them.
void tell_in_cuda(BudgetResult& budget, std::string& message);

/// A case's kernels in check mode.
struct CheckedWork {
    std::string case_name;
    CallSize size;
    std::vector<KernelCounts> kernels;
    std::vector<StatedBudget> stated = {};
};

/// A counter of check mode, by its name in manifest/names.hpp; a ratio of nothing is 0. The percent of bytes used is
/// 100 for work on less than 1 KiB: so few bytes don't fill their sectors. @throws ManifestError
double counted(const WorkCounts& work, std::string_view counter);

/// The same of all kernels: the sum of what they did, or a ratio's value where it is worst.
double counted(std::span<const KernelCounts> kernels, std::string_view counter);

/// The work of all kernels together.
WorkCounts total(std::span<const KernelCounts> kernels) noexcept;

/// The share of the bytes in all sectors moved that threads asked for, up to 1; 1 if none were moved.
double used_share(const WorkCounts& work) noexcept;

/// Why a counter is as large as it is: the worst line of the kernels, and what would help there. Empty if nothing is
/// known.
struct WorkCause {
    std::string text;
    bool index_is_wrong = false, ledger_shows_it = false;
    bool replaces_cure = false;   ///< the author's cure is for another cause
};
WorkCause cause_of_work(std::span<const KernelCounts> kernels, std::string_view counter);

/// Adds the cause to the result, and the remedy below it: an author's cure doesn't apply to a wrong index.
void add_cause(BudgetResult& result, const WorkCause& cause, const std::string& cure);

/// True of a kernel that the student wrote whole, and no library around a piece of text.
bool is_raw(const KernelCounts& kernel);

/// Compares kernels' work with the budgets and stated bounds: one result per budget of this kind, as in
/// check_budgets(); an exceeded one names the worst line. Parallelism is judged for raw kernels.
std::vector<BudgetResult> check_work_budgets(std::span<const Budget> budgets, std::span<const CheckedWork> cases);

/// How many microseconds a call would take by the model of the ledger's picture (libgpu/src/facts/device_model.hpp),
/// if its copies and launches came one after the other. It compares two ways to one result, and promises nothing. Pure.
double modelled_us(const gpu::Counts& counts, std::span<const KernelCounts> kernels);

}  // namespace course
