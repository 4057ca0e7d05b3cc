// SPDX-License-Identifier: MIT
#include "judge/work/work_budgets.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "judge/work/budgets.hpp"
#include "judge/work/parallelism.hpp"
#include "manifest/names.hpp"

namespace course {

namespace {

double number(std::uint64_t count) { return static_cast<double>(count); }

double ratio(std::uint64_t of, std::uint64_t to) { return to == 0 ? 0 : number(of) / number(to); }

double global_bytes(const Work& work) { return number(work.global_bytes_read) + number(work.global_bytes_written); }

double shared_bytes(const Work& work) { return number(work.shared_bytes_read) + number(work.shared_bytes_written); }

constexpr double least_bytes = 1024;  // of a percent: fewer don't fill their sectors

struct Counter {
    std::string_view name;
    double (*value)(const Work&);
};

constexpr Counter counters[] = {
    {"global_reads", [](const Work& work) { return number(work.global_reads); }},
    {"global_writes", [](const Work& work) { return number(work.global_writes); }},
    {"global_bytes", global_bytes},
    {"global_requests", [](const Work& work) { return number(work.global_requests); }},
    {"global_sectors", [](const Work& work) { return number(work.global_sectors); }},
    {"global_segments", [](const Work& work) { return number(work.global_segments); }},
    {"shared_reads", [](const Work& work) { return number(work.shared_reads); }},
    {"shared_writes", [](const Work& work) { return number(work.shared_writes); }},
    {"shared_bytes", shared_bytes},
    {"shared_requests", [](const Work& work) { return number(work.shared_requests); }},
    {"shared_wavefronts", [](const Work& work) { return number(work.shared_wavefronts); }},
    {"warp_operations", [](const Work& work) { return number(work.warp_operations); }},
    {"divergent_requests", [](const Work& work) { return number(work.divergent_requests); }},
    {"global_atomics", [](const Work& work) { return number(work.global_atomics); }},
    {"double_operations", [](const Work& work) { return number(work.double_operations); }},
    {"sectors_per_request", [](const Work& work) { return ratio(work.global_sectors, work.global_requests); }},
    {"bank_conflict_ways", [](const Work& work) { return ratio(work.shared_wavefronts, work.shared_requests); }},
    {"atomic_turns", [](const Work& work) { return ratio(work.atomic_turns, work.atomic_requests); }},
    {"bytes_used_percent",
     [](const Work& work) { return global_bytes(work) < least_bytes ? 100 : 100 * used_share(work); }},
};
// threads_started is a number of kernels, not of their lines.
static_assert(std::size(counters) + 1 == work_counter_names.size() + ratio_names.size());

/// Sectors and wavefronts that the same bytes need at the least: 32 bytes each, 128 bytes each, one a request.
double needed_sectors(const Work& work) {
    return std::max(number(work.global_bytes_used) / 32, number(work.global_requests));
}
double needed_wavefronts(const Work& work) { return std::max(shared_bytes(work) / 128, number(work.shared_requests)); }

double wasted_sectors(const Work& work) { return number(work.global_sectors) - needed_sectors(work); }
double wasted_wavefronts(const Work& work) { return number(work.shared_wavefronts) - needed_wavefronts(work); }

/// A line, or a whole kernel that libgpu has made and that has no lines.
struct WorkPlace {
    std::string name;
    Work work;
};

template <class Measure>
WorkPlace worst_place(std::span<const KernelWork> kernels, const Measure& measure) {
    std::optional<WorkPlace> worst;
    const auto consider = [&](const std::string& name, const Work& work) {
        if (!worst || measure(work) > measure(worst->work)) worst = WorkPlace{name, work};
    };
    for (const KernelWork& kernel : kernels) {
        const bool has_file = kernel.lines.empty() || kernel.lines[0].file != kernel.name || !kernel.made_in.empty();
        for (const LineWork& line : kernel.lines)
            consider(has_file ? fmt::format("{}:{}", line.file, line.line) : "libgpu's kernel " + kernel.name,
                     line.work);
        if (kernel.lines.empty()) consider("kernel " + kernel.name, kernel.work);
    }
    return worst.value_or(WorkPlace{});
}

std::string wasteful_line(std::span<const KernelWork> kernels) {
    const WorkPlace place = worst_place(kernels, wasted_sectors);
    const double requests = number(place.work.global_requests);
    if (place.name.empty() || wasted_sectors(place.work) <= 0) return "";
    return fmt::format(
        "{} takes {:.1f} sectors of 32 bytes per request where {:.1f} would do: let neighbouring threads "
        "read and write neighbouring elements",
        place.name, number(place.work.global_sectors) / requests, needed_sectors(place.work) / requests);
}

std::string half_used_line(std::span<const KernelWork> kernels) {
    const auto in_vain = [](const Work& work) {
        return 32 * number(work.global_sectors) - number(work.global_bytes_used);
    };
    const WorkPlace place = worst_place(kernels, in_vain);
    if (place.name.empty() || in_vain(place.work) <= 0) return "";
    const double requests = number(place.work.global_requests), needed = needed_sectors(place.work) / requests;
    const std::string why = wasted_sectors(place.work) > 0
                                ? fmt::format("{:.1f} sectors of 32 bytes per request where {:.1f} would do",
                                              number(place.work.global_sectors) / requests, needed)
                                : "a request has few threads, and moves whole sectors of 32 bytes";
    return fmt::format(
        "{} uses {:.0f}% of the bytes that it moves ({}): let neighbouring threads read and write "
        "neighbouring elements",
        place.name, std::floor(100 * used_share(place.work)), why);
}

std::string conflicting_line(std::span<const KernelWork> kernels) {
    const WorkPlace place = worst_place(kernels, wasted_wavefronts);
    const double requests = number(place.work.shared_requests);
    if (place.name.empty() || wasted_wavefronts(place.work) <= 0) return "";
    return fmt::format(
        "{} takes {:.1f} turns at the banks per request where {:.1f} would do: let neighbouring threads "
        "use neighbouring words of shared memory, or pad its rows by one",
        place.name, number(place.work.shared_wavefronts) / requests, needed_wavefronts(place.work) / requests);
}

// Elements that two threads have in common are read and written twice, and at places where no request begins.
std::string shared_element(std::span<const KernelWork> kernels) {
    const auto twice = [](const KernelWork& kernel) { return !kernel.rewritten.empty(); };
    const auto found = std::find_if(kernels.begin(), kernels.end(), twice);
    if (found == kernels.end()) return "";
    return found->rewritten + ": each element needs one thread; check the index and the stride";
}

/// "launch", "2 launches".
std::string launches_text(std::uint64_t launches) {
    return launches == 1 ? "1 launch" : fmt::format("{} launches", launches);
}

/// "2 launches of expression share them", "3 launches share them: expression has 64 in 2 launches, sum has 32 in 1
/// launch".
std::string shared_by_launches(std::span<const KernelWork> kernels, std::string_view counter) {
    struct Share {
        std::string_view name;
        std::uint64_t launches;
        double count;
    };
    std::vector<Share> shares;
    std::uint64_t all = 0;
    for (const KernelWork& kernel : kernels) {
        if (counted(kernel.work, counter) == 0) continue;
        const auto same = [&](const Share& one) { return one.name == kernel.name; };
        auto share = std::find_if(shares.begin(), shares.end(), same);
        if (share == shares.end()) share = shares.insert(shares.end(), {kernel.name, 0, 0});
        share->launches += kernel.launches;
        share->count += counted(kernel.work, counter);
        all += kernel.launches;
    }
    if (shares.size() == 1) return fmt::format("{} of {} share them", launches_text(all), shares[0].name);
    std::string text = launches_text(all) + " share them";
    for (const Share& share : shares)
        text += fmt::format("{}{} has {:.10g} in {}", &share == &shares.front() ? ": " : ", ", share.name, share.count,
                            launches_text(share.launches));
    return text;
}

WorkCause line_in_double(std::span<const KernelWork> kernels) {
    const WorkPlace place = worst_place(kernels, [](const Work& work) { return number(work.double_operations); });
    if (place.name.empty() || place.work.double_operations == 0) return {};
    return {place.name +
            " computes in double precision: a number such as 2.0 is a double, and makes what it meets one; "
            "2.0f is a float"};
}

WorkCause busiest_line(std::span<const KernelWork> kernels, std::string_view counter, double all) {
    const WorkPlace place = worst_place(kernels, [&](const Work& work) { return counted(work, counter); });
    if (place.name.empty()) return {};
    const double most = counted(place.work, counter);
    // Launches that have none of them share nothing.
    const auto add = [&](std::uint64_t sum, const KernelWork& kernel) {
        return counted(kernel.work, counter) > 0 ? sum + kernel.launches : sum;
    };
    const std::uint64_t launches = std::accumulate(kernels.begin(), kernels.end(), std::uint64_t{0}, add);
    const std::string head = most < all ? fmt::format("{} has {:.10g} of these {:.10g}", place.name, most, all)
                                        : place.name + " has all of them";
    if (counter == "global_atomics") return {head};
    std::uint64_t threads = 1;   // of the largest launch
    for (const KernelWork& kernel : kernels) threads = std::max(threads, kernel.threads);
    if (counter.starts_with("global_") && place.work.global_reads > 0 && place.work.global_writes > 2 * threads)
        return {head + ": it reads and writes an array each time it runs; add up in a variable, and write that once"};
    if (counter == "global_requests") return {head + ": a request moves 32 elements if all lanes of a warp take part"};
    const auto has_all = [&](const KernelWork& kernel) {
        return kernel.launches == 1 && counted(kernel.work, counter) == all;
    };
    const bool is_shared = launches > 1 && most < all && std::none_of(kernels.begin(), kernels.end(), has_all);
    if (counter.starts_with("global_") && is_shared)
        return {.text = shared_by_launches(kernels, counter) +
                        "; what one launch writes and the next one reads needs no array if one expression or one "
                        "kernel does both",
                .ledger_shows_it = true};
    if (counter.starts_with("global_"))
        return {head + ": what is needed twice can stay in a variable or in shared memory"};
    if (counter.starts_with("shared_")) return {head + ": what is needed twice can stay in a variable"};
    if (counter == "divergent_requests") return {head + ": there, only some threads of a warp take part"};
    return {head};
}

/// A line that reads and writes global memory again and again in each thread, and wastes nothing by that: a sum.
std::string accumulating_line(std::span<const KernelWork> kernels) {
    constexpr double often = 4;
    for (const KernelWork& kernel : kernels) {
        const double threads = number(std::max<std::uint64_t>(kernel.threads, 1));
        for (const LineWork& line : kernel.lines) {
            const double writes = number(line.work.global_writes) / threads;
            if (writes < often || line.work.global_reads < line.work.global_writes) continue;
            return fmt::format("{}:{} reads and writes global memory {:.0f} times in each thread: if it adds up one "
                               "element, keep the sum in a variable, and write it once", line.file, line.line, writes);
        }
    }
    return "";
}

/// True if requests are spread far wider than wrong beginnings alone would spread them.
bool is_spread(std::span<const KernelWork> kernels) {
    const WorkPlace place = worst_place(kernels, wasted_sectors);
    return wasted_sectors(place.work) > needed_sectors(place.work);
}

}  // namespace

WorkCause cause_of_work(std::span<const KernelWork> kernels, std::string_view counter) {
    if (counter == "threads_started") return {};
    if (counter == "double_operations") return line_in_double(kernels);
    const bool by_sectors =
        counter == "sectors_per_request" || counter == "global_sectors" || counter == "global_segments";
    if (counter.starts_with("global_") && !(by_sectors && is_spread(kernels)))
        if (std::string shared = shared_element(kernels); !shared.empty())
            return {.text = std::move(shared), .index_is_wrong = true};
    std::string text;
    if (by_sectors && !is_spread(kernels))
        if (std::string sum = accumulating_line(kernels); !sum.empty())
            return {.text = std::move(sum), .replaces_cure = true};
    if (counter == "bytes_used_percent") text = half_used_line(kernels);
    if (by_sectors) text = wasteful_line(kernels);
    // Requests of few threads: each takes no more sectors than it needs, and there are too many of them.
    if (by_sectors && !is_ratio(counter) && text.empty()) text = half_used_line(kernels);
    if (counter == "bank_conflict_ways" || counter == "shared_wavefronts") text = conflicting_line(kernels);
    if (!text.empty() || is_ratio(counter)) return {std::move(text)};
    return busiest_line(kernels, counter, counted(kernels, counter));
}

void add_cause(BudgetResult& result, const WorkCause& cause, const std::string& cure) {
    result.cause = cause_and_cure(cause.text, cause.index_is_wrong || cause.replaces_cure ? "" : cure);
    result.index_is_wrong = cause.index_is_wrong;
    result.ledger_shows_it = cause.ledger_shows_it;
}

double counted(const Work& work, std::string_view counter) {
    for (const Counter& one : counters)
        if (one.name == counter) return one.value(work);
    throw ManifestError(fmt::format("\"{}\" is not a valid counter of kernels' work", counter));
}

double counted(std::span<const KernelWork> kernels, std::string_view counter) {
    const auto add_threads = [](double sum, const KernelWork& kernel) { return sum + number(kernel.threads); };
    if (counter == "threads_started") return std::accumulate(kernels.begin(), kernels.end(), 0.0, add_threads);
    if (!is_ratio(counter)) return counted(total(kernels), counter);
    const bool lowest = counter == "bytes_used_percent";
    double worst = lowest ? 100 : 0;
    for (const KernelWork& kernel : kernels) {
        const double one = counted(kernel.work, counter);
        worst = lowest ? std::min(worst, one) : std::max(worst, one);
    }
    return worst;
}

Work total(std::span<const KernelWork> kernels) noexcept {
    Work sum{};
    for (const KernelWork& kernel : kernels) sum = sum + kernel.work;
    return sum;
}

double used_share(const Work& work) noexcept {
    if (work.global_sectors == 0) return 1;
    return number(work.global_bytes_used) / (32 * number(work.global_sectors));
}

bool is_raw(const KernelWork& kernel) {
    const bool generated = kernel.file.empty() || kernel.file == kernel.name || kernel.file.starts_with("libgpu ");
    return kernel.made_in.empty() && !generated;
}

std::vector<BudgetResult> check_work_budgets(std::span<const Budget> budgets, std::span<const CheckedWork> cases) {
    std::vector<BudgetResult> results;
    each_budget(budgets, cases, {}, [&](std::string_view counter, const auto& budget_of) {
        if (!is_about_work(counter)) return;
        ReportedBudget reported;
        for (const CheckedWork& one : cases) {
            const Budget* const budget = budget_of(one);
            if (budget == nullptr) continue;
            if (is_parallelism(counter)) {
                std::vector<KernelWork> raw;   // how libgpu spreads its own is its matter
                std::copy_if(one.kernels.begin(), one.kernels.end(), std::back_inserter(raw), is_raw);
                if (auto shared = check_parallelism(*budget, one, raw)) reported.add(*std::move(shared));
                continue;
            }
            BudgetResult result = compare_with(*budget, one.case_name, one.size, counted(one.kernels, counter));
            const bool too_little = result.falls_short() && counter != "bytes_used_percent";
            if (!result.kept())
                add_cause(result, too_little ? WorkCause{} : cause_of_work(one.kernels, counter),
                          cure_of(*budget, result));
            reported.add(std::move(result));
        }
        reported.append_to(results);
    });
    return results;
}

}  // namespace course
