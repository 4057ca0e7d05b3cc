// SPDX-License-Identifier: MIT
#include "judge/work/required_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"

namespace course {

namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string named(const KernelCounts& kernel) {
    const std::string& file = kernel.made_in.empty() ? kernel.file : kernel.made_in;
    return fmt::format("{} of {}", kernel.name, file_name(file));
}

// "no kernel of yours ran", "the kernel mul of raw_add.cu ran".
std::string what_ran(std::span<const KernelCounts> kernels) {
    if (kernels.empty()) return "no kernel ran";
    std::vector<std::string> own;
    for (const KernelCounts& kernel : kernels)
        if (is_raw(kernel) || !kernel.made_in.empty()) own.push_back(named(kernel));
    if (own.empty()) return "no kernel of yours ran";
    return fmt::format("the kernel{} {} ran instead", own.size() == 1 ? "" : "s", fmt::join(own, " and "));
}

// "the kernel add of raw_add.cu must run with a thread for each element".
std::string demand(const RequiredKernel& required) {
    const std::string text = name_of(required) + " must run";
    return required.with.empty() ? text : text + " with " + required.with;
}

/// All launches of the required kernels, as one.
struct Ran {
    std::vector<KernelCounts> kernels;
    std::vector<LaunchCounts> shapes;
    std::uint64_t launches = 0, blocks = 0;
};

Ran those_of(const RequiredKernel& required, std::span<const KernelCounts> kernels) {
    Ran ran;
    for (const KernelCounts& kernel : kernels) {
        if (!is_instance(kernel, required)) continue;
        ran.kernels.push_back(kernel);
        ran.shapes.insert(ran.shapes.end(), kernel.shapes.begin(), kernel.shapes.end());
        ran.launches += kernel.launches;
        ran.blocks += kernel.blocks;
    }
    return ran;
}

double product(const gpu::Dim3& lengths) {
    return static_cast<double>(lengths.x) * static_cast<double>(lengths.y) * static_cast<double>(lengths.z);
}

double of_shape(const LaunchCounts& shape, std::string_view counter) {
    if (counter == "grid") return product(shape.grid);
    return counter == "block" ? product(shape.block) : product(shape.grid) * product(shape.block);
}

// The launch that misses the bound by most.
BudgetResult count_of(const Budget& budget, const CheckedWork& one, const Ran& ran) {
    const std::string_view counter = budget.counter;
    const auto compared = [&](double counted) { return compare_with(budget, one.case_name, one.size, counted); };
    if (counter == "launches") return compared(static_cast<double>(ran.launches));
    if (counter == "grid" || counter == "block" || counter == "threads") {
        std::optional<BudgetResult> farthest;
        for (const LaunchCounts& shape : ran.shapes) {
            const BudgetResult result = compared(of_shape(shape, counter));
            const bool farther = !farthest || (farthest->kept() && (!result.kept() || is_nearer(result, *farthest)));
            if (farther) farthest = result;
        }
        return farthest.value_or(compared(0));
    }
    const WorkCounts work = total(ran.kernels);
    if (counter == "atomics") return compared(static_cast<double>(work.atomics));
    if (counter == "barriers_per_block")
        return compared(ran.blocks == 0 ? 0 : static_cast<double>(work.barriers) / static_cast<double>(ran.blocks));
    return compared(counted(ran.kernels, counter));
}

std::string times(double count) { return count == 1 ? "once" : fmt::format("{:.10g} times", count); }

std::string with_noun(std::string_view number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == "1" || number.ends_with(" 1") ? "" : "s");
}

/// The sentence about a broken bound.
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

bool is_instance(const KernelCounts& kernel, const RequiredKernel& required) {
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
            // The largest failing case is the most telling; for a ratio, the worst one.
            const bool replaces = !result.kept() && !is_ratio(counter);
            reported.add(std::move(result), replaces);
        }
        reported.append_to(results);
    };
    for (const RequiredKernel& kernel : required)
        each_budget(std::span(kernel.budgets), cases, short_name_of(kernel),
                    [&](std::string_view counter, const auto& budget_of) { check(kernel, counter, budget_of); });
    return results;
}

namespace {

double real(std::uint64_t count) { return static_cast<double>(count); }

/// The share of a launch's work that counts as all of it: a last element, or passing on a sum, may lie elsewhere. It is
/// lower for shared memory, which a block's other threads have filled before one warp continues alone.
double nearly_all_of(std::string_view work) { return work == "shared_accesses" ? 0.6 : 0.9; }
/// The maximum ratio of the busiest thread's work in a right answer to an even share. Blocks that rows of 260 fill
/// badly reach 2; several elements per thread, in a grid of more threads than that needs, 16. The first limit applies
/// if one thread, warp or block of the launch has nearly all, which rows don't cause; the second within a block, whose
/// row may be short: a float4 for each thread makes 4.
constexpr double max_factor_of_one = 3, max_factor_in_block = 5;
/// The same for a launch's span, which counts the busiest thread between barriers. 2.3 if a warp's lanes find out which
/// of them have the same value; 2.6 if one warp of eight fills a tile.
constexpr double max_factor_of_span = 2.5;
constexpr double min_elements = 4096, min_elements_of_thread = 4;
/// Two blocks of two full warps: a smaller launch shares too little, however evenly.
constexpr double min_threads = 128;

const WorkSpread& spread_of(const KernelCounts& kernel, std::string_view work) {
    if (work == "atomics") return kernel.atomic_spread;
    return work == "shared_accesses" ? kernel.shared_spread : kernel.global_spread;
}

/// A launch's threads, warps and blocks.
struct Launched {
    double blocks, block_threads, block_warps;
    explicit Launched(const WorkSpread& spread)
        : blocks(product(spread.grid)),
          block_threads(product(spread.block)),
          block_warps(std::ceil(block_threads / 32)) {}
    [[nodiscard]] double threads() const { return blocks * block_threads; }
};

/// The number of threads that could share it.
double available(const WorkSpread& spread, const Launched& launched, double n) {
    return std::min({launched.threads(), n, real(spread.total)});
}

std::string number_word(double count) {
    constexpr std::array<std::string_view, 13> words = {"none", "one", "two",   "three", "four",   "five",  "six",
                                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    return count < words.size() ? std::string(words[static_cast<std::size_t>(count)]) : fmt::format("{:.0f}", count);
}

std::string all_of(std::string_view work) {
    if (work == "atomics") return "all the atomic operations";
    return work == "shared_accesses" ? "all the work in shared memory" : "all the work";
}

double parallelism(const WorkSpread& spread) {
    return spread.busiest_thread == 0 ? 0 : real(spread.total) / real(spread.busiest_thread);
}

std::string launch_text(const WorkSpread& spread) {
    const Launched launched(spread);
    return fmt::format("launched as {:.0f} block{} of {:.0f}", launched.blocks, launched.blocks == 1 ? "" : "s",
                       launched.block_threads);
}

/// The basis for judging a budget: how many threads' worth of work is done at once, and how many are wanted.
struct Shared {
    const WorkSpread* launch;
    double parallelism, wanted;
    std::string sentence;   ///< empty: enough
};

/// The kernel that does most of the work.
template <class Work>
const KernelCounts& busiest(std::span<const KernelCounts> kernels, const Work& work) {
    return *std::max_element(kernels.begin(), kernels.end(), [&](const KernelCounts& one, const KernelCounts& other) {
        return work(one) < work(other);
    });
}

Shared by_spread(std::span<const KernelCounts> kernels, std::string_view work, double n) {
    const auto total = [&](const KernelCounts& kernel) { return spread_of(kernel, work).total; };
    const WorkSpread& busy = spread_of(busiest(kernels, total), work);
    const Launched launched(busy);
    const double threads = launched.threads();
    if (threads < min_threads)
        return {&busy, parallelism(busy), min_threads,
                fmt::format("{} thread{} did {}", number_word(threads), threads == 1 ? "" : "s", all_of(work))};
    return {&busy, parallelism(busy), std::floor(available(busy, launched, n) / max_factor_of_one),
            concentration(busy, n, work)};
}

Shared by_span(std::span<const KernelCounts> kernels, double n) {
    const KernelCounts& busy = busiest(kernels, [](const KernelCounts& kernel) { return kernel.accesses; });
    const double threads = available(busy.global_spread, Launched(busy.global_spread), n), span = real(busy.span);
    const double min_span = real(busy.accesses) / threads;
    Shared shared{&busy.global_spread, real(busy.accesses) / std::max(1.0, span),
                  std::floor(threads / max_factor_of_span), ""};
    if (span > max_factor_of_span * min_span)
        shared.sentence = fmt::format(
            "between barriers a few threads work, and the others wait for them: {:.0f} "
            "accesses one after another, where {:.0f} would do",
            span, std::ceil(min_span));
    return shared;
}

}  // namespace

std::string concentration(const WorkSpread& spread, double n, std::string_view work) {
    if (spread.total == 0) return "";
    const Launched launched(spread);
    const double factor = available(spread, launched, n) / parallelism(spread);
    if (factor <= max_factor_of_one) return "";
    const double nearly_all = nearly_all_of(work);
    const double thread = real(spread.busiest_thread), warp = real(spread.busiest_warp),
                 block = real(spread.busiest_block), limit = nearly_all * real(spread.total);
    const auto one = [&](std::string_view what, double of, std::string_view each) {
        return fmt::format("one {} of {} did {}{}", what, number_word(of), all_of(work), each);
    };
    if (thread >= limit) return one("thread", launched.threads(), "");
    if (warp >= limit) return one("warp", launched.blocks * launched.block_warps, "");
    if (launched.blocks > 1 && block >= limit) return one("block", launched.blocks, "");
    const double elements_of_block = n * block / real(spread.total);
    if (thread * std::min(launched.block_threads, elements_of_block) / block > max_factor_in_block) {
        const std::string_view each = launched.blocks > 1 ? " of each block" : "";
        if (thread >= nearly_all * block) return one("thread", launched.block_threads, each);
        if (warp >= nearly_all * block) return one("warp", launched.block_warps, each);
        if (thread >= nearly_all * warp) return one("thread", std::min(launched.block_threads, 32.0), " of each warp");
    }
    // A few of each warp's lanes: unless the others have nothing to do, as in a table of two columns.
    const double lanes = std::ceil(real(spread.working_threads) / std::max(1.0, real(spread.working_warps)));
    if (factor <= max_factor_in_block || lanes > 4 || launched.block_threads < 32) return "";
    return fmt::format("{} of 32 lanes of each warp did {}", number_word(lanes), all_of(work));
}

std::optional<BudgetResult> check_parallelism(const Budget& budget, const CheckedWork& one,
                                              std::span<const KernelCounts> kernels) {
    if (!is_parallelism(budget.counter) || kernels.empty()) return {};
    const std::string_view work = std::string_view(budget.counter).substr(0, budget.counter.find(' '));
    const auto n = static_cast<double>(one.size.elements);
    const Shared shared = work == "between_barriers" ? by_span(kernels, n) : by_spread(kernels, work, n);
    const double min_of_block = min_elements_of_thread * Launched(*shared.launch).block_threads;
    if (shared.launch->total == 0 || n < std::max(min_elements, min_of_block)) return {};
    const bool is_met = shared.sentence.empty();
    BudgetResult result{.counter = budget.counter,
                        .case_name = one.case_name,
                        .counted = shared.parallelism,
                        .at_least = is_met ? std::min(std::floor(shared.parallelism), shared.wanted) : shared.wanted,
                        .elements = one.size.elements};
    if (is_met) return result;
    result.tag = budget.tag.value_or(0);
    result.statement = fmt::format("{} ({}; {})", shared.sentence, launch_text(*shared.launch), one.case_name);
    result.cause = budget.cure;
    return result;
}

}  // namespace course
