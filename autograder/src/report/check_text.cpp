// SPDX-License-Identifier: MIT
#include "report/check_text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/work/work_budgets.hpp"

namespace course {

namespace {

constexpr std::size_t most_shown = 3;

double number(std::uint64_t count) { return static_cast<double>(count); }

/// "2 reads", "0.27 writes": a count for each element, in few digits.
std::string per_element(std::uint64_t count, std::int64_t elements, std::string_view noun) {
    const double each = number(count) / static_cast<double>(std::max<std::int64_t>(elements, 1));
    const std::string text = each >= 100 ? fmt::format("{:.0f}", each) : fmt::format("{:.3g}", each);
    return fmt::format("{} {}{}", text, noun, text == "1" ? "" : "s");
}

bool is_race(FindingKind kind) {
    return kind == FindingKind::missing_barrier || kind == FindingKind::missing_syncwarp ||
           kind == FindingKind::inter_block_race;
}

/// What stops a kernel in both runs.
bool is_fault(FindingKind kind) {
    return !is_race(kind) && kind != FindingKind::uninitialized_read && kind != FindingKind::inactive_lane &&
           kind != FindingKind::wide_shift && kind != FindingKind::skipped_barrier &&
           kind != FindingKind::missing_event && kind != FindingKind::constant_write &&
           kind != FindingKind::host_buffer_in_use && kind != FindingKind::memory_leak;
}

/// "4 atomics", "1 atomic"; nothing for none.
void add_count(std::vector<std::string>& parts, std::uint64_t count, std::string_view noun) {
    if (count > 0) parts.push_back(fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"));
}

/// "4 atomics", "12055 atomics (2048 global, 29.1 turns per request)".
std::string atomics(std::span<const KernelWork> kernels) {
    const Work work = total(kernels);
    Work busiest{};  // the line that takes the most turns
    for (const KernelWork& kernel : kernels)
        for (const LineWork& line : kernel.lines)
            if (line.work.atomic_turns > busiest.atomic_turns) busiest = line.work;
    const double turns = counted(busiest, "atomic_turns");
    std::vector<std::string> parts;
    add_count(parts, work.atomics, "atomic");
    if (parts.empty()) return "";
    std::vector<std::string> more;
    if (work.global_atomics > 0 && work.global_atomics < work.atomics)
        more.push_back(fmt::format("{} global", work.global_atomics));
    if (turns >= 1.05) more.push_back(fmt::format("{:.1f} turns per request", turns));
    return more.empty() ? parts[0] : fmt::format("{} ({})", parts[0], fmt::join(more, ", "));
}

std::string traffic(std::uint64_t reads, std::uint64_t writes, std::int64_t elements, std::string_view shared) {
    std::string text;
    const auto is_some = [&](std::uint64_t count) { return number(count) >= 0.01 * static_cast<double>(elements); };
    if (reads > 0 && is_some(reads)) text = per_element(reads, elements, fmt::format("{}read", shared));
    if (writes > 0 && is_some(writes))
        text += (text.empty() ? "" : " and ") + per_element(writes, elements, fmt::format("{}write", shared));
    return text;
}

}  // namespace

std::string finding_text(const Finding& finding) {
    std::string what = finding.what;
    const std::string kind(to_string(finding.kind));
    const std::string place = finding.file.empty() ? "" : fmt::format("{}:{}", finding.file, finding.line);
    if (what.empty()) what = kind;
    if (!place.empty() && what.find(place) == what.npos) what = place + ": " + what;
    if (is_race(finding.kind) && what.find("race on ") != what.npos)
        what = kind + ": " + what;  // others begin with a name
    std::string who = finding.who;
    if (finding.times > 1) who += fmt::format("{}{} times in all", who.empty() ? "" : "; ", finding.times);
    std::string text = what + "\n";
    for (const std::string& line : {who, finding.advice})
        if (!line.empty()) text += "  " + line + "\n";
    return text + fmt::format("  breaks rule {}: {}\n", finding.rule,
                              protocol::rules[static_cast<std::size_t>(finding.rule - 1)]);
}

bool is_found_too(const TaskResult& task, const CaseResult& shown) {
    if (shown.verdict != Verdict::crashed || !task.check) return false;
    const std::vector<FoundMistake>& found = task.check->found;
    return std::any_of(found.begin(), found.end(), [&](const FoundMistake& one) {
        return one.case_name == shown.name && is_fault(one.finding.kind) &&
               shown.message.starts_with("kernel " + one.finding.kernel + ":");
    });
}

std::string found_text(const TaskResult& task, const std::string& shown_case, bool on_gpu) {
    if (!task.check || task.check->found.empty()) return "";
    const std::vector<FoundMistake>& found = task.check->found;
    const auto shown = std::find_if(task.cases.begin(), task.cases.end(),
                                    [&](const CaseResult& one) { return one.name == shown_case; });
    const bool right =
        shown != task.cases.end() && exit_code(shown->verdict) != 0 && !shown->difference && shown->message.empty();
    const std::string where = found[0].case_name == shown_case ? "" : " in case " + found[0].case_name;
    std::string text = fmt::format("{}check mode{} found{}:\n", right ? "the values are right, but " : "",
                                   on_gpu ? " on the host" : "", where);
    const std::size_t count = std::min(found.size(), most_shown);
    for (std::size_t k = 0; k < count; ++k) text += finding_text(found[k].finding);
    if (const std::uint64_t more = found.size() - count + task.check->more_found; more > 0)
        text += fmt::format("... and {} more\n", more);
    return text;
}

std::string checked_text(const CheckResult& check, bool on_gpu) {
    std::string text;
    if (check.cases > 0)
        text = fmt::format("{} case{} up to {} in check mode{}, no mistake found", check.cases,
                           check.cases == 1 ? "" : "s", check.largest, on_gpu ? " on the host" : "");
    if (check.note.empty()) return text;
    return text + (text.empty() ? "" : "; ") + check.note;
}

std::string work_text(const CheckResult& check) {
    const Work work = total(check.kernels);
    std::vector<std::string> parts;
    const auto add = [&](std::string part) {
        if (!part.empty()) parts.push_back(std::move(part));
    };
    if (check.work_elements > 0) {
        std::string global = traffic(work.global_reads, work.global_writes, check.work_elements, "");
        std::string shared = traffic(work.shared_reads, work.shared_writes, check.work_elements, "shared ");
        if (!shared.empty()) global += (global.empty() ? "" : ", ") + shared;
        add(global.empty() ? "" : global + " per element");
    }
    if (work.global_requests > 0)
        parts.push_back(fmt::format("{:.1f} sectors per request ({:.0f}% used)",
                                    counted(check.kernels, "sectors_per_request"), std::floor(100 * used_share(work))));
    if (const double ways = counted(check.kernels, "bank_conflict_ways"); ways > 1)
        parts.push_back(fmt::format("{:.1f}-way bank conflicts", ways));
    add(atomics(check.kernels));
    add_count(parts, work.barriers, "barrier");
    add_count(parts, work.warp_operations, "warp operation");
    add_count(parts, work.divergent_requests, "divergent request");
    return parts.empty() ? "" : fmt::format("{} at {}", fmt::join(parts, ", "), check.work_case);
}

}  // namespace course
