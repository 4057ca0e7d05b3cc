// SPDX-License-Identifier: MIT
#include "judge/work/required_kernels.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/work/budgets.hpp"
#include "judge/work/parallelism.hpp"
#include "manifest/names.hpp"

namespace course {

namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string named(const KernelWork& kernel) {
    const std::string& file = kernel.made_in.empty() ? kernel.file : kernel.made_in;
    return fmt::format("{} of {}", kernel.name, file_name(file));
}

// "no kernel of yours ran", "the kernel mul of raw_add.cu ran".
std::string what_ran(std::span<const KernelWork> kernels) {
    if (kernels.empty()) return "no kernel ran";
    std::vector<std::string> own;
    for (const KernelWork& kernel : kernels)
        if (is_raw(kernel) || !kernel.made_in.empty()) own.push_back(named(kernel));
    if (own.empty()) return "no kernel of yours ran";
    return fmt::format("the kernel{} {} ran instead", own.size() == 1 ? "" : "s", fmt::join(own, " and "));
}

// "the kernel add of raw_add.cu must run with a thread for each element".
std::string demand(const RequiredKernel& required) {
    const std::string text = name_of(required) + " must run";
    return required.with.empty() ? text : text + " with " + required.with;
}

/// All launches of the kernels that are meant, as one.
struct Ran {
    std::vector<KernelWork> kernels;
    std::vector<LaunchShape> shapes;
    std::uint64_t launches = 0, blocks = 0;
};

Ran those_of(const RequiredKernel& required, std::span<const KernelWork> kernels) {
    Ran ran;
    for (const KernelWork& kernel : kernels) {
        if (!is_instance(kernel, required)) continue;
        ran.kernels.push_back(kernel);
        ran.shapes.insert(ran.shapes.end(), kernel.shapes.begin(), kernel.shapes.end());
        ran.launches += kernel.launches;
        ran.blocks += kernel.blocks;
    }
    return ran;
}

double of_shape(const LaunchShape& shape, std::string_view counter) {
    if (counter == "grid") return shape.blocks();
    return counter == "block" ? shape.block_threads() : shape.blocks() * shape.block_threads();
}

// Of several launches the one that is farthest off.
BudgetResult count_of(const Budget& budget, const CheckedWork& one, const Ran& ran) {
    const std::string_view counter = budget.counter;
    const auto compared = [&](double counted) { return compare_with(budget, one.case_name, one.size, counted); };
    if (counter == "launches") return compared(static_cast<double>(ran.launches));
    if (counter == "grid" || counter == "block" || counter == "threads") {
        std::optional<BudgetResult> farthest;
        for (const LaunchShape& shape : ran.shapes) {
            const BudgetResult result = compared(of_shape(shape, counter));
            const bool farther = !farthest || (farthest->kept() && (!result.kept() || is_nearer(result, *farthest)));
            if (farther) farthest = result;
        }
        return farthest.value_or(compared(0));
    }
    const Work work = total(ran.kernels);
    if (counter == "atomics") return compared(static_cast<double>(work.atomics));
    if (counter == "barriers_per_block")
        return compared(ran.blocks == 0 ? 0 : static_cast<double>(work.barriers) / static_cast<double>(ran.blocks));
    return compared(counted(ran.kernels, counter));
}

std::string times(double count) { return count == 1 ? "once" : fmt::format("{:.10g} times", count); }

std::string with_noun(std::string_view number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == "1" || number.ends_with(" 1") ? "" : "s");
}

/// The sentence about a bound that was broken.
std::string sentence(const RequiredKernel& required, const Budget& budget, const BudgetResult& result,
                     const CheckedWork& one, const Ran& ran) {
    const std::string must = name_of(required) + " must run", bounds = bounds_text(result);
    const std::string got = number_text(result);
    const auto said = [&](const std::string& wanted, const std::string& was) {
        return fmt::format("{} {}; {} ({})", must, wanted, was, result.case_name);
    };
    const std::string_view counter = budget.counter;
    if (counter == "launches" && ran.launches == 0)
        return fmt::format("{}; {} ({})", demand(required), what_ran(one.kernels), result.case_name);
    if (counter == "launches" && result.at_most == 0.0)
        return fmt::format("{} must not run here; it ran {} ({})", name_of(required), times(result.counted),
                           result.case_name);
    if (counter == "launches") {
        const bool once = result.at_most && *result.at_most == 1 && result.at_least == result.at_most;
        return said(once ? "exactly once" : with_noun(bounds, "time"), "it ran " + times(result.counted));
    }
    if (counter == "grid") return said("with " + with_noun(bounds, "block"), "it ran with " + got);
    if (counter == "block")
        return said(fmt::format("in blocks of {}", with_noun(bounds, "thread")), "it ran in blocks of " + got);
    if (counter == "threads" && result.falls_short() && !required.with.empty())
        return fmt::format("{}, {}; it ran with {} ({})", demand(required), with_noun(bounds, "thread"), got,
                           result.case_name);
    if (counter == "threads") return said("with " + with_noun(bounds, "thread"), "it ran with " + got);
    return fmt::format("{}: {}: {} counted, {} ({})", name_of(required), counter, got, bounds, result.case_name);
}

void explain(BudgetResult& result, const RequiredKernel& required, const Budget& budget, const CheckedWork& one,
             const Ran& ran) {
    const bool too_much = result.exceeds() || verdict_of(result) == Verdict::over_budget;
    const bool of_work = too_much && is_counted_in_check_mode(budget.counter);
    result.statement = sentence(required, budget, result, one, ran);
    add_cause(result, of_work ? cause_of_work(ran.kernels, budget.counter) : WorkCause{}, budget.cure);
}

}  // namespace

bool is_instance(const KernelWork& kernel, const RequiredKernel& required) {
    const bool file = file_name(kernel.file) == required.file || file_name(kernel.made_in) == required.file;
    const bool instance = kernel.name.starts_with(required.name + "<");  // of a template
    return file && (required.name.empty() || kernel.name == required.name || instance);
}

std::string name_of(const RequiredKernel& kernel) {
    return kernel.name.empty() ? "a kernel of " + kernel.file
                               : fmt::format("the kernel {} of {}", kernel.name, kernel.file);
}

const std::string& short_name_of(const RequiredKernel& kernel) noexcept {
    return kernel.name.empty() ? kernel.file : kernel.name;
}

std::vector<BudgetResult> check_required_kernels(std::span<const RequiredKernel> required,
                                                 std::span<const CheckedWork> cases) {
    std::vector<BudgetResult> results;
    const auto check = [&](const RequiredKernel& kernel, std::string_view counter, const auto& budget_of) {
        ReportedBudget reported;
        for (const CheckedWork& one : cases) {
            const Budget* const budget = budget_of(one);
            if (budget == nullptr || one.size.empty) continue;
            const Ran ran = those_of(kernel, one.kernels);
            if (ran.launches == 0 && counter != "launches") continue;
            std::optional<BudgetResult> shared = check_parallelism(*budget, one, ran.kernels);
            if (is_parallelism(counter) && !shared) continue;
            BudgetResult result = shared ? *std::move(shared) : count_of(*budget, one, ran);
            result.kernel = short_name_of(kernel);
            if (!result.kept() && is_parallelism(counter))
                result.statement = fmt::format("{}: {}", name_of(kernel), result.statement);
            else if (!result.kept())
                explain(result, kernel, *budget, one, ran);
            // Of cases that fail the largest tells most; of a ratio the worst.
            const bool tells_most = !result.kept() && !is_ratio(counter);
            reported.add(std::move(result), tells_most);
        }
        reported.append_to(results);
    };
    for (const RequiredKernel& kernel : required)
        each_budget(std::span(kernel.budgets), cases, short_name_of(kernel),
                    [&](std::string_view counter, const auto& budget_of) { check(kernel, counter, budget_of); });
    return results;
}

}  // namespace course
