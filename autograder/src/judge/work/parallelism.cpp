// SPDX-License-Identifier: MIT
#include "judge/work/parallelism.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"

namespace course {

namespace {

double real(std::uint64_t count) { return static_cast<double>(count); }

/// So much of a launch's work is all of it: a last element, or a sum handed on, may lie elsewhere. In shared memory,
/// which the other threads of a block have filled before one warp goes on alone, less is.
double nearly_all_of(std::string_view work) { return work == "shared_accesses" ? 0.6 : 0.9; }
/// How many times more the busiest thread of a right answer does than it would if all threads shared the work. Blocks
/// that a row of 260 fills badly come to 2; several elements for a thread, in a grid of more threads than that needs, to
/// 16. The first holds where one thread, warp or block of the launch has nearly all, as rows don't do that to it; the
/// second within a block, whose row may be short: a float4 for each thread makes 4.
constexpr double max_factor_of_one = 3, max_factor_in_block = 5;
/// The same of a launch's span, which counts the busiest thread between each two barriers. 2.3 where a warp's lanes
/// find out which of them have the same value; 2.6 where one warp of eight fills a tile.
constexpr double max_factor_of_span = 2.5;
constexpr double min_elements = 4096, min_elements_of_thread = 4;
/// Two blocks of two full warps: a launch of less shares too little, however evenly.
constexpr double min_threads = 128;

const WorkSpread& spread_of(const KernelWork& kernel, std::string_view work) {
    if (work == "atomics") return kernel.atomic;
    return work == "shared_accesses" ? kernel.shared : kernel.global;
}

/// A launch's threads, warps and blocks.
struct Launched {
    double blocks, block_threads, block_warps;
    explicit Launched(const LaunchShape& shape)
        : blocks(shape.blocks()), block_threads(shape.block_threads()), block_warps(std::ceil(block_threads / 32)) {}
    [[nodiscard]] double threads() const { return blocks * block_threads; }
};

/// How many threads could share it.
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
    const double blocks = spread.shape.blocks();
    return fmt::format("launched as {:.0f} block{} of {:.0f}", blocks, blocks == 1 ? "" : "s",
                       spread.shape.block_threads());
}

/// What a budget is judged by: how many threads' worth of work is done at once, and how many are wanted.
struct Shared {
    const WorkSpread* launch;
    double parallelism, wanted;
    std::string sentence;   ///< empty: it is enough
};

/// The kernel that does most of it.
template <class Work>
const KernelWork& busiest(std::span<const KernelWork> kernels, const Work& work) {
    return *std::max_element(kernels.begin(), kernels.end(), [&](const KernelWork& one, const KernelWork& other) {
        return work(one) < work(other);
    });
}

Shared by_spread(std::span<const KernelWork> kernels, std::string_view work, double n) {
    const auto total = [&](const KernelWork& kernel) { return spread_of(kernel, work).total; };
    const WorkSpread& most = spread_of(busiest(kernels, total), work);
    const Launched launched(most.shape);
    const double threads = launched.threads();
    if (threads < min_threads)
        return {&most, parallelism(most), min_threads,
                fmt::format("{} thread{} did {}", number_word(threads), threads == 1 ? "" : "s", all_of(work))};
    return {&most, parallelism(most), std::floor(available(most, launched, n) / max_factor_of_one),
            concentration(most, n, work)};
}

Shared by_span(std::span<const KernelWork> kernels, double n) {
    const KernelWork& most = busiest(kernels, [](const KernelWork& kernel) { return kernel.accesses; });
    const double threads = available(most.global, Launched(most.global.shape), n), span = real(most.span);
    const double enough = real(most.accesses) / threads;
    Shared shared{&most.global, real(most.accesses) / std::max(1.0, span), std::floor(threads / max_factor_of_span),
                  ""};
    if (span > max_factor_of_span * enough)
        shared.sentence = fmt::format("between barriers a few threads work, and the others wait for them: {:.0f} "
                                      "accesses one after another, where {:.0f} would do",
                                      span, std::ceil(enough));
    return shared;
}

}  // namespace

std::string concentration(const WorkSpread& spread, double n, std::string_view work) {
    if (spread.total == 0) return "";
    const Launched launched(spread.shape);
    const double factor = available(spread, launched, n) / parallelism(spread);
    if (factor <= max_factor_of_one) return "";
    const double nearly_all = nearly_all_of(work);
    const double thread = real(spread.busiest_thread), warp = real(spread.busiest_warp),
                 block = real(spread.busiest_block), most = nearly_all * real(spread.total);
    const auto one = [&](std::string_view what, double of, std::string_view each) {
        return fmt::format("one {} of {} did {}{}", what, number_word(of), all_of(work), each);
    };
    if (thread >= most) return one("thread", launched.threads(), "");
    if (warp >= most) return one("warp", launched.blocks * launched.block_warps, "");
    if (launched.blocks > 1 && block >= most) return one("block", launched.blocks, "");
    const double elements_of_block = n * block / real(spread.total);
    if (thread * std::min(launched.block_threads, elements_of_block) / block > max_factor_in_block) {
        const std::string_view each = launched.blocks > 1 ? " of each block" : "";
        if (thread >= nearly_all * block) return one("thread", launched.block_threads, each);
        if (warp >= nearly_all * block) return one("warp", launched.block_warps, each);
        if (thread >= nearly_all * warp) return one("thread", std::min(launched.block_threads, 32.0), " of each warp");
    }
    // Of each warp's lanes a few: unless the rest has nothing to do, as in a table of two columns.
    const double lanes = std::ceil(real(spread.working_threads) / std::max(1.0, real(spread.working_warps)));
    if (factor <= max_factor_in_block || lanes > 4 || launched.block_threads < 32) return "";
    return fmt::format("{} of 32 lanes of each warp did {}", number_word(lanes), all_of(work));
}

std::optional<BudgetResult> check_parallelism(const Budget& budget, const CheckedWork& one,
                                              std::span<const KernelWork> kernels) {
    if (!is_parallelism(budget.counter) || kernels.empty()) return {};
    const std::string_view work = std::string_view(budget.counter).substr(0, budget.counter.find(' '));
    const auto n = static_cast<double>(one.size.elements);
    const Shared shared = work == "between_barriers" ? by_span(kernels, n) : by_spread(kernels, work, n);
    const double least = min_elements_of_thread * Launched(shared.launch->shape).block_threads;
    if (shared.launch->total == 0 || n < std::max(min_elements, least)) return {};
    const bool enough = shared.sentence.empty();
    BudgetResult result{.counter = budget.counter,
                        .case_name = one.case_name,
                        .counted = shared.parallelism,
                        .at_least = enough ? std::min(std::floor(shared.parallelism), shared.wanted) : shared.wanted,
                        .elements = one.size.elements};
    if (enough) return result;
    result.tag = budget.tag.value_or(0);
    result.statement = fmt::format("{} ({}; {})", shared.sentence, launch_text(*shared.launch), one.case_name);
    result.cause = budget.cure;
    return result;
}

}  // namespace course
