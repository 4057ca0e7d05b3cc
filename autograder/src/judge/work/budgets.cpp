// SPDX-License-Identifier: MIT
#include "judge/work/budgets.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "judge/work/parallelism.hpp"
#include "manifest/names.hpp"

namespace course {

double counted(const protocol::CountsRecord& counts, std::string_view counter) {
    const auto* const found = std::find(counter_names.begin(), counter_names.end(), counter);
    if (found == counter_names.end()) throw ManifestError(fmt::format("\"{}\" is not a valid counter", counter));
    std::uint64_t values[counter_names.size()];
    static_assert(sizeof values == sizeof counts);  // the names are in the record's order
    std::memcpy(values, &counts, sizeof values);
    return static_cast<double>(values[found - counter_names.begin()]);
}

bool counted_on_host_only(std::string_view counter) noexcept {
    return counter == "barriers" || counter == "atomics" || counter == "streams_at_once" ||
           counter == "copies_not_awaited";
}

namespace {

struct Cure {
    std::string_view counter;
    bool too_many;
    std::string_view text;
};

constexpr Cure cures[] = {
    {"launches", false,
     "compute on the device: an expression of gpu arrays becomes a kernel, and so does a gpu::RawKernel"},
    {"launches", true,
     "one expression, or one kernel with its grid, is one launch over all elements: not one for each part, nor each "
     "element"},
    {"copies_to_device", false, "gpu::to_device(x) brings data to the device"},
    {"copies_to_device", true,
     "copy once and keep the gpu::Array; what an expression, gpu::arange or gpu::zeros can make there needs no copy"},
    {"copies_to_host", false, "gpu::to_host(z) brings a result back, z.item() a single number"},
    {"copies_to_host", true, "data stays on the device until the result is there: gpu::to_host, or .item(), once"},
    {"bytes_to_host", true, "compute on the device until only what is asked for has to come back"},
    {"allocations", true, "a = a * a writes into the array that is there; `return a * a` makes another"},
    {"synchronizations", true, "gpu::to_host and .item() wait by themselves"},
    {"pageable_async_copies", true,
     "a GPU makes the host wait for an asynchronous copy unless its host memory is page-locked: gpu::Pinned"},
    {"streams_at_once", false,
     "work runs side by side in two streams or more, unless something between makes one wait for the other:\n"
     "a wait of the host, work in the default stream, an array that is freed"},
    {"copies_not_awaited", true,
     "an asynchronous copy to the host may still be on its way when the function returns:\n"
     "wait for its event, its stream or the device"},
    {"bytes_between_devices", true, "send what the other device lacks, not what it has already"},
    {"atomics", true, "let the threads of a block add up first, and one of them add the block's part to the result"},
    {"global_atomics", true,
     "let the threads of a block add up in shared memory first: only what comes of it goes to global memory"},
    {"barriers", true, "a barrier is needed only between a write to shared memory and another thread's read of it"},
};

}  // namespace

double closeness(const BudgetResult& budget) {
    constexpr double nothing = 1e-9;
    double near = 0;
    if (budget.at_most) near = (budget.counted + nothing) / (*budget.at_most + nothing);
    if (budget.at_least) near = std::max(near, (*budget.at_least + nothing) / (budget.counted + nothing));
    return near;
}

const Budget* stated_budget(std::span<const StatedBudget> stated, std::string_view kernel,
                            std::string_view counter) noexcept {
    for (const StatedBudget& one : stated)
        if (one.kernel == kernel && one.budget.counter == counter) return &one.budget;
    return nullptr;
}

void ReportedBudget::add(BudgetResult result, bool tells_most) {
    if (!result.kept()) broken_.push_back({result.case_name, closeness(result)});
    if (!reported_ || tells_most || tells_more(result, *reported_)) reported_ = std::move(result);
}

void ReportedBudget::append_to(std::vector<BudgetResult>& results) {
    if (!reported_) return;
    reported_->broken = std::move(broken_);
    results.push_back(std::move(*reported_));
}

std::vector<BudgetResult> check_budgets(std::span<const Budget> budgets, std::span<const CaseResult> cases) {
    std::vector<BudgetResult> results;
    each_budget(budgets, cases, {}, [&](std::string_view counter, const auto& budget_of) {
        if (is_about_work(counter)) return;  // judged by work_budgets.hpp
        ReportedBudget reported;
        for (const CaseResult& one : cases) {
            const Budget* const budget = budget_of(one);
            const bool has_result = one.verdict == Verdict::passed || one.verdict == Verdict::wrong;
            if (budget == nullptr || one.anew || !has_result) continue;
            if (!one.checked_counts && counted_on_host_only(counter)) continue;
            const protocol::CountsRecord& counts = one.checked_counts ? *one.checked_counts : one.counts;
            BudgetResult result = compare_with(*budget, one.name, one.size(), counted(counts, counter));
            result.cause = cure_of(*budget, result);
            reported.add(std::move(result));
        }
        reported.append_to(results);
    });
    return results;
}

BudgetResult compare_with(const Budget& budget, const std::string& case_name, const CallSize& size, double counted) {
    BudgetResult result{
        .counter = budget.counter, .case_name = case_name, .counted = counted, .elements = size.elements};
    if (budget.at_most) result.at_most = budget.at_most->at(size);
    if (budget.at_least && !size.empty) result.at_least = budget.at_least->at(size);
    // Too little of what has a ceiling as well is work left out, and no belief; a grid's shape may be wrong either way.
    const bool shape = budget.counter == "grid" || budget.counter == "block" || budget.counter == "threads";
    const bool either = shape || !budget.at_most;
    if (result.exceeds() || (either && result.falls_short())) result.tag = budget.tag.value_or(0);
    return result;
}

bool is_nearer(const BudgetResult& a, const BudgetResult& b) { return closeness(a) >= closeness(b); }

bool tells_more(const BudgetResult& next, const BudgetResult& before) {
    if (next.kept() != before.kept()) return !next.kept();
    if (next.kept()) return is_nearer(next, before);
    const bool is_large = next.elements >= fewest_telling, was_large = before.elements >= fewest_telling;
    return is_large != was_large ? is_large : is_ratio(next.counter) && is_nearer(next, before);
}

Verdict verdict_of(const BudgetResult& budget) noexcept {
    if (budget.kept()) return Verdict::passed;
    if (budget.counter == "copies_not_awaited") return Verdict::wrong;  // what the caller reads is left to chance
    if (budget.counter == "double_operations") return Verdict::not_as_asked;  // the task says which type to compute in
    const bool in_vain = budget.counter == "bytes_used_percent";  // its floor is a ceiling of the bytes moved
    return budget.falls_short() && !in_vain ? Verdict::not_as_asked : Verdict::over_budget;
}

std::string number_text(const BudgetResult& budget) {
    if (budget.counter == "bytes_used_percent" || is_parallelism(budget.counter))
        return fmt::format("{:.0f}", std::floor(budget.counted));
    return is_ratio(budget.counter) ? fmt::format("{:.2f}", budget.counted) : fmt::format("{:.10g}", budget.counted);
}

std::string bounds_text(const BudgetResult& budget) {
    if (budget.at_least && budget.at_most) {
        if (*budget.at_least == *budget.at_most) return fmt::format("exactly {:.10g}", *budget.at_most);
        return fmt::format("{:.10g} to {:.10g}", *budget.at_least, *budget.at_most);
    }
    if (budget.at_least) return fmt::format("at least {:.10g}", *budget.at_least);
    return budget.at_most ? fmt::format("at most {:.10g}", *budget.at_most) : "";
}

std::string cure_of(const Budget& budget, const BudgetResult& result) {
    if (result.kept()) return "";
    if (!budget.cure.empty()) return budget.cure;
    for (const Cure& cure : cures)
        if (cure.counter == budget.counter && cure.too_many == !result.falls_short()) return std::string(cure.text);
    return "";
}

std::string cause_and_cure(std::string cause, const std::string& cure) {
    if (!cause.empty() && !cure.empty()) cause += "\n";
    return cause + cure;
}

std::string statement(const BudgetResult& budget) {
    if (!budget.kernel.empty() || !budget.statement.empty()) return budget.statement;
    return fmt::format("{}: {} counted, {} ({})", budget.counter, number_text(budget), bounds_text(budget),
                       budget.case_name);
}

std::string describe(const BudgetResult& budget) { return cause_and_cure(statement(budget), budget.cause); }

}  // namespace course
