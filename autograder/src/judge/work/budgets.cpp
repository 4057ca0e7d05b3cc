// SPDX-License-Identifier: MIT
#include "judge/work/budgets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "judge/work/required_kernels.hpp"
#include "libgpu/src/facts/device_model.hpp"
#include "manifest/names.hpp"

namespace course {

namespace {

const gpu::CountFacts* facts_of(std::string_view counter) noexcept {
    const auto* const found = std::find_if(gpu::count_facts.begin(), gpu::count_facts.end(),
                                           [&](const gpu::CountFacts& facts) { return facts.name == counter; });
    return found == gpu::count_facts.end() ? nullptr : found;
}

}  // namespace

double counted(const gpu::Counts& counts, std::string_view counter) {
    const gpu::CountFacts* const facts = facts_of(counter);
    if (facts == nullptr) throw ManifestError(fmt::format("\"{}\" is not a valid counter", counter));
    return static_cast<double>(counts.*facts->value);
}

bool counted_on_host_only(std::string_view counter) noexcept {
    const gpu::CountFacts* const facts = facts_of(counter);
    return facts != nullptr && facts->on != gpu::CountedOn::every_device;
}

namespace {

struct Cure {
    std::string_view counter;
    bool too_many;
    std::string_view text;
    std::string_view in_cuda = {};  ///< for plain CUDA programs; empty: the same
};

constexpr Cure cures[] = {
    {"launches", false,
     "compute on the device: an expression of gpu arrays becomes a kernel, and so does a gpu::RawKernel",
     "compute on the device, in a kernel that the program launches"},
    {"launches", true,
     "one expression, or one kernel with its grid, is one launch over all elements: not one for each part, nor each "
     "element",
     "one kernel with its grid is one launch over all elements: not one for each part, nor each element"},
    {"copies_to_device", false, "gpu::to_device(x) brings data to the device",
     "cudaMemcpy(x, h, bytes, cudaMemcpyHostToDevice) brings data to the device"},
    {"copies_to_device", true,
     "copy once and keep the gpu::Array; what an expression, gpu::arange or gpu::zeros can make there needs no copy",
     "copy once and keep the memory; what a kernel or cudaMemset() can make there needs no copy"},
    {"copies_to_host", false, "gpu::to_host(z) brings a result back, z.item() a single number",
     "cudaMemcpy(h, z, bytes, cudaMemcpyDeviceToHost) brings a result back"},
    {"copies_to_host", true, "data stays on the device until the result is there: gpu::to_host, or .item(), once",
     "data stays on the device until the result is there: cudaMemcpy(..., cudaMemcpyDeviceToHost) once"},
    {"bytes_to_host", true, "compute on the device until only what is asked for has to come back"},
    {"allocations", true, "a = a * a writes into the array that is there; `return a * a` makes another",
     "call cudaMalloc() once, before the loop, and use the memory again"},
    {"synchronizations", true, "gpu::to_host and .item() wait by themselves", "cudaMemcpy() waits by itself"},
    {"pageable_async_copies", true,
     "a GPU makes the host wait for an asynchronous copy unless its host memory is page-locked: gpu::Pinned",
     "a GPU makes the host wait for cudaMemcpyAsync() unless the host memory is page-locked: cudaMallocHost()"},
    {"streams_at_once", false,
     "work runs side by side in two streams or more, unless something between makes one wait for the other:\n"
     "a wait of the host, work in the default stream, an array that is freed",
     "work runs side by side in two streams or more, unless something between makes one wait for the other:\n"
     "a wait of the host, work in the default stream, cudaFree()"},
    {"copies_not_awaited", true,
     "an asynchronous copy to the host may still be on its way when the function returns:\n"
     "wait for its event, its stream or the device",
     "cudaMemcpyAsync() returns before the copy is done:\n"
     "wait with cudaStreamSynchronize() or cudaDeviceSynchronize() before the program uses what it copies"},
    {"bytes_between_devices", true, "send what the other device lacks, not what it has already"},
    {"atomics", true, "let the threads of a block add up first, and one of them add the block's part to the result"},
    {"global_atomics", true,
     "let the threads of a block add up in shared memory first: only what comes of it goes to global memory"},
    {"barriers", true, "a barrier is needed only between a write to shared memory and another thread's read of it"},
};
static_assert(std::none_of(std::begin(cures), std::end(cures), [](const Cure& cure) {
    return (cure.in_cuda.empty() ? cure.text : cure.in_cuda).find("gpu::") != std::string_view::npos;
}));

// Counters that have names of libgpu's, and what plain CUDA programs call that; the others' names are anybody's.
constexpr std::pair<std::string_view, std::string_view> counters_in_cuda[] = {
    {"copies_to_device", "cudaMemcpyHostToDevice"},
    {"copies_to_host", "cudaMemcpyDeviceToHost"},
    {"copies_on_device", "cudaMemcpyDeviceToDevice"},
    {"copies_between_devices", "cudaMemcpyPeer"},
    {"allocations", "cudaMalloc"},
    {"pageable_async_copies", "cudaMemcpyAsync of pageable memory"},
    {"copies_not_awaited", "cudaMemcpyAsync without a wait"},
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

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

void ReportedBudget::add(BudgetResult result, bool replaces) {
    if (!result.kept()) broken_.push_back({result.case_name, closeness(result)});
    if (!reported_ || replaces || tells_more(result, *reported_)) reported_ = std::move(result);
}

void ReportedBudget::append_to(std::vector<BudgetResult>& results) {
    if (!reported_) return;
    reported_->broken = std::move(broken_);
    results.push_back(std::move(*reported_));
}

std::vector<BudgetResult> check_budgets(std::span<const Budget> budgets, std::span<const CaseResult> cases) {
    std::vector<BudgetResult> results;
    each_budget(budgets, cases, {}, [&](std::string_view counter, const auto& budget_of) {
        if (is_about_work(counter)) return;  // judged by check_work_budgets()
        ReportedBudget reported;
        for (const CaseResult& one : cases) {
            const Budget* const budget = budget_of(one);
            const bool has_result = one.verdict == Verdict::passed || one.verdict == Verdict::wrong;
            if (budget == nullptr || one.anew || !has_result) continue;
            if (!one.checked_counts && counted_on_host_only(counter)) continue;
            const gpu::Counts& counts = one.checked_counts ? *one.checked_counts : one.counts;
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
    // Too little work of a counter that also has a ceiling is work left out, not a misconception; a grid's shape may be
    // wrong either way.
    const bool shape = budget.counter == "grid" || budget.counter == "block" || budget.counter == "threads";
    const bool either = shape || !budget.at_most;
    if (result.exceeds() || (either && result.falls_short())) result.tag = budget.tag.value_or(0);
    return result;
}

bool is_nearer(const BudgetResult& a, const BudgetResult& b) { return closeness(a) >= closeness(b); }

bool tells_more(const BudgetResult& next, const BudgetResult& before) {
    if (next.kept() != before.kept()) return !next.kept();
    if (next.kept()) return is_nearer(next, before);
    const bool is_large = next.elements >= min_telling, was_large = before.elements >= min_telling;
    return is_large != was_large ? is_large : is_ratio(next.counter) && is_nearer(next, before);
}

Verdict verdict_of(const BudgetResult& budget) noexcept {
    if (budget.kept()) return Verdict::passed;
    // the caller may read values that haven't arrived
    if (budget.counter == "copies_not_awaited") return Verdict::wrong;
    if (budget.counter == "double_operations") return Verdict::not_as_asked;  // the task says which type to compute in
    const bool in_vain = budget.counter == "bytes_used_percent";  // a floor for it is a ceiling for the bytes moved
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
    return fmt::format("{}: {} counted, {} ({})", shown_counter(budget), number_text(budget), bounds_text(budget),
                       budget.case_name);
}

std::string_view shown_counter(const BudgetResult& budget) noexcept {
    return budget.shown.empty() ? budget.counter : budget.shown;
}

void tell_in_cuda(BudgetResult& budget, std::string& message) {
    const std::string before = statement(budget);
    for (const auto& [counter, shown] : counters_in_cuda)
        if (counter == budget.counter) budget.shown = shown;
    if (!before.empty()) message = replaced(std::move(message), before, statement(budget));
    for (const Cure& cure : cures) {
        if (cure.in_cuda.empty() || cure.counter != budget.counter) continue;
        for (std::string* const text : {&budget.cause, &message}) *text = replaced(*text, cure.text, cure.in_cuda);
    }
}

std::string describe(const BudgetResult& budget) { return cause_and_cure(statement(budget), budget.cause); }

namespace {

double number(std::uint64_t count) { return static_cast<double>(count); }

double ratio(std::uint64_t of, std::uint64_t to) { return to == 0 ? 0 : number(of) / number(to); }

double global_bytes(const WorkCounts& work) {
    return number(work.global_bytes_read) + number(work.global_bytes_written);
}

double shared_bytes(const WorkCounts& work) {
    return number(work.shared_bytes_read) + number(work.shared_bytes_written);
}

constexpr double min_bytes = 1024;  // for a percentage: fewer bytes don't fill their sectors

/// The values of ratio_names, in their order.
constexpr std::array<double (*)(const WorkCounts&), ratio_names.size()> ratio_values = {
    [](const WorkCounts& work) { return ratio(work.global_sectors, work.global_requests); },
    [](const WorkCounts& work) { return ratio(work.shared_wavefronts, work.shared_requests); },
    [](const WorkCounts& work) { return ratio(work.atomic_turns, work.atomic_requests); },
    [](const WorkCounts& work) { return global_bytes(work) < min_bytes ? 100 : 100 * used_share(work); },
};

/// Sectors and wavefronts that the same bytes need at the least: 32 bytes each, 128 bytes each, one a request.
double needed_sectors(const WorkCounts& work) {
    return std::max(number(work.global_bytes_used) / 32, number(work.global_requests));
}
double needed_wavefronts(const WorkCounts& work) {
    return std::max(shared_bytes(work) / 128, number(work.shared_requests));
}

double wasted_sectors(const WorkCounts& work) { return number(work.global_sectors) - needed_sectors(work); }
double wasted_wavefronts(const WorkCounts& work) { return number(work.shared_wavefronts) - needed_wavefronts(work); }

/// A line, or a whole kernel that libgpu generated and that has no lines.
struct WorkPlace {
    std::string name;
    WorkCounts work;
};

template <class Measure>
WorkPlace worst_place(std::span<const KernelCounts> kernels, const Measure& measure) {
    std::optional<WorkPlace> worst;
    const auto consider = [&](const std::string& name, const WorkCounts& work) {
        if (!worst || measure(work) > measure(worst->work)) worst = WorkPlace{name, work};
    };
    for (const KernelCounts& kernel : kernels) {
        const bool has_file = kernel.lines.empty() || kernel.lines[0].file != kernel.name || !kernel.made_in.empty();
        for (const LineCounts& line : kernel.lines)
            consider(has_file ? fmt::format("{}:{}", line.file, line.line) : "libgpu's kernel " + kernel.name,
                     line.work);
        if (kernel.lines.empty()) consider("kernel " + kernel.name, kernel.work);
    }
    return worst.value_or(WorkPlace{});
}

std::string wasteful_line(std::span<const KernelCounts> kernels) {
    const WorkPlace place = worst_place(kernels, wasted_sectors);
    const double requests = number(place.work.global_requests);
    if (place.name.empty() || wasted_sectors(place.work) <= 0) return "";
    return fmt::format(
        "{} takes {:.1f} sectors of 32 bytes per request where {:.1f} would do: let neighbouring threads "
        "read and write neighbouring elements",
        place.name, number(place.work.global_sectors) / requests, needed_sectors(place.work) / requests);
}

std::string half_used_line(std::span<const KernelCounts> kernels) {
    const auto in_vain = [](const WorkCounts& work) {
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

std::string conflicting_line(std::span<const KernelCounts> kernels) {
    const WorkPlace place = worst_place(kernels, wasted_wavefronts);
    const double requests = number(place.work.shared_requests);
    if (place.name.empty() || wasted_wavefronts(place.work) <= 0) return "";
    return fmt::format(
        "{} takes {:.1f} turns at the banks per request where {:.1f} would do: let neighbouring threads "
        "use neighbouring words of shared memory, or pad its rows by one",
        place.name, number(place.work.shared_wavefronts) / requests, needed_wavefronts(place.work) / requests);
}

// Elements that two threads have in common are read and written twice, and at places where no request begins.
std::string shared_element(std::span<const KernelCounts> kernels) {
    const auto twice = [](const KernelCounts& kernel) { return !kernel.rewritten.empty(); };
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
std::string shared_by_launches(std::span<const KernelCounts> kernels, std::string_view counter) {
    struct Share {
        std::string_view name;
        std::uint64_t launches;
        double count;
    };
    std::vector<Share> shares;
    std::uint64_t all = 0;
    for (const KernelCounts& kernel : kernels) {
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

WorkCause line_in_double(std::span<const KernelCounts> kernels) {
    const WorkPlace place = worst_place(kernels, [](const WorkCounts& work) { return number(work.double_operations); });
    if (place.name.empty() || place.work.double_operations == 0) return {};
    return {place.name +
            " computes in double precision: a number such as 2.0 is a double, and makes what it meets one; "
            "2.0f is a float"};
}

WorkCause busiest_line(std::span<const KernelCounts> kernels, std::string_view counter, double all) {
    const WorkPlace place = worst_place(kernels, [&](const WorkCounts& work) { return counted(work, counter); });
    if (place.name.empty()) return {};
    const double max_count = counted(place.work, counter);
    // Launches that have none of them share nothing.
    const auto add = [&](std::uint64_t sum, const KernelCounts& kernel) {
        return counted(kernel.work, counter) > 0 ? sum + kernel.launches : sum;
    };
    const std::uint64_t launches = std::accumulate(kernels.begin(), kernels.end(), std::uint64_t{0}, add);
    const std::string head = max_count < all
                                 ? fmt::format("{} has {:.10g} of these {:.10g}", place.name, max_count, all)
                                 : place.name + " has all of them";
    if (counter == "global_atomics") return {head};
    std::uint64_t threads = 1;   // of the largest launch
    for (const KernelCounts& kernel : kernels) threads = std::max(threads, kernel.threads);
    if (counter.starts_with("global_") && place.work.global_reads > 0 && place.work.global_writes > 2 * threads)
        return {head + ": it reads and writes an array each time it runs; add up in a variable, and write that once"};
    if (counter == "global_requests") return {head + ": a request moves 32 elements if all lanes of a warp take part"};
    const auto has_all = [&](const KernelCounts& kernel) {
        return kernel.launches == 1 && counted(kernel.work, counter) == all;
    };
    const bool is_shared = launches > 1 && max_count < all && std::none_of(kernels.begin(), kernels.end(), has_all);
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
std::string accumulating_line(std::span<const KernelCounts> kernels) {
    constexpr double often = 4;
    for (const KernelCounts& kernel : kernels) {
        const double threads = number(std::max<std::uint64_t>(kernel.threads, 1));
        for (const LineCounts& line : kernel.lines) {
            const double writes = number(line.work.global_writes) / threads;
            if (writes < often || line.work.global_reads < line.work.global_writes) continue;
            return fmt::format("{}:{} reads and writes global memory {:.0f} times in each thread: if it adds up one "
                               "element, keep the sum in a variable, and write it once", line.file, line.line, writes);
        }
    }
    return "";
}

/// True if requests are spread far wider than wrong beginnings alone would spread them.
bool is_spread(std::span<const KernelCounts> kernels) {
    const WorkPlace place = worst_place(kernels, wasted_sectors);
    return wasted_sectors(place.work) > needed_sectors(place.work);
}

}  // namespace

WorkCause cause_of_work(std::span<const KernelCounts> kernels, std::string_view counter) {
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
    // Requests of few threads: each takes only the sectors that it needs, but there are too many requests.
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

double counted(const WorkCounts& work, std::string_view counter) {
    for (std::size_t k = 0; k < ratio_names.size(); ++k)
        if (ratio_names[k] == counter) return ratio_values[k](work);
    for (const auto& [name, value, more] : work_counters)
        if (name == counter && value != nullptr)
            return number(work.*value) + (more != nullptr ? number(work.*more) : 0);
    throw ManifestError(fmt::format("\"{}\" is not a valid counter of kernels' work", counter));
}

double counted(std::span<const KernelCounts> kernels, std::string_view counter) {
    const auto add_threads = [](double sum, const KernelCounts& kernel) { return sum + number(kernel.threads); };
    if (counter == "threads_started") return std::accumulate(kernels.begin(), kernels.end(), 0.0, add_threads);
    if (!is_ratio(counter)) return counted(total(kernels), counter);
    const bool lowest = counter == "bytes_used_percent";
    double worst = lowest ? 100 : 0;
    for (const KernelCounts& kernel : kernels) {
        const double one = counted(kernel.work, counter);
        worst = lowest ? std::min(worst, one) : std::max(worst, one);
    }
    return worst;
}

WorkCounts total(std::span<const KernelCounts> kernels) noexcept {
    WorkCounts sum{};
    for (const KernelCounts& kernel : kernels) sum += kernel.work;
    return sum;
}

double used_share(const WorkCounts& work) noexcept {
    if (work.global_sectors == 0) return 1;
    return number(work.global_bytes_used) / (32 * number(work.global_sectors));
}

bool is_raw(const KernelCounts& kernel) {
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
                std::vector<KernelCounts> raw;   // how libgpu spreads its own is its matter
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

namespace {

namespace modelled = gpu::detail::modelled;

double as_double(std::uint64_t count) { return static_cast<double>(count); }

/// The time for this many equal copies; copies that a call doesn't make take no time.
template <class Time>
double of_copies(std::uint64_t copies, std::uint64_t bytes, Time time) {
    return copies == 0 ? 0 : as_double(copies) * time(static_cast<std::size_t>(bytes / copies));
}

}  // namespace

double modelled_us(const gpu::Counts& counts, std::span<const KernelCounts> kernels) {
    const auto over_bus = [](std::size_t bytes) { return modelled::time_of_copy(bytes, true); };
    const auto on_device = [](std::size_t bytes) { return modelled::time_on_device(2 * bytes); };
    double us = modelled::call_us;   // until the first operation begins; the others are issued meanwhile
    us += of_copies(counts.copies_to_device, counts.bytes_to_device, over_bus);
    us += of_copies(counts.copies_to_host, counts.bytes_to_host, over_bus);
    us += of_copies(counts.copies_between_devices, counts.bytes_between_devices, over_bus);
    us += of_copies(counts.copies_on_device, counts.bytes_on_device, on_device);
    std::uint64_t seen = 0;
    for (const KernelCounts& kernel : kernels) {
        if (kernel.launches == 0) continue;
        const double launches = as_double(kernel.launches);
        us += launches * modelled::time_of_kernel(as_double(kernel.work.global_sectors) / launches,
                                                  as_double(kernel.work.shared_wavefronts) / launches,
                                                  as_double(kernel.blocks) / launches);
        seen += kernel.launches;
    }
    if (counts.launches > seen)   // by a library: their work isn't known
        us += as_double(counts.launches - seen) * modelled::kernel_us;
    return us;
}

}  // namespace course
