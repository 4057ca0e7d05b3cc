// SPDX-License-Identifier: MIT
#include "report/counts_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/work/budgets.hpp"
#include "libgpu/src/facts/texts.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::size_t max_kernel_lines = 200, max_line_bytes = 200;  // lines shown per kernel, and bytes per line

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        std::string plain;
        line.resize(std::min(line.size(), max_line_bytes));
        for (const char c : line) plain += c == '\t' ? std::string(4, ' ') : std::string(1, c);
        lines.push_back(std::move(plain));
    }
    return lines;
}

/// The lines from the kernel's head to its end, counted from 1, as far as the text shows them.
struct Range {
    int first, last;
};
Range kernel_range(const std::vector<std::string>& text, int first, int last) {
    const auto line = [&](int number) -> std::string_view { return text[static_cast<std::size_t>(number - 1)]; };
    const int end = static_cast<int>(text.size());
    Range range{std::clamp(first, 1, std::max(end, 1)), std::clamp(last, 1, std::max(end, 1))};
    for (int k = range.first; k >= 1 && k <= end; --k)
        if (line(k).find("__global__") != std::string_view::npos) {
            range.first = k;
            break;
        }
    while (range.last < end && !line(range.last).starts_with('}')) {
        if (line(range.last + 1).find("__global__") != std::string_view::npos) break;
        ++range.last;
    }
    return range;
}

/// The kernel with what it did in one of the answer's files, and that file's lines: those of the runner aren't shown.
KernelCounts beside(const SourceFile& source, const KernelCounts& kernel) {
    KernelCounts shown{.name = kernel.name,
                       .file = source.name,
                       .launches = kernel.launches,
                       .blocks = kernel.blocks,
                       .threads = kernel.threads};
    int first = std::numeric_limits<int>::max(), last = 0;
    for (const LineCounts& line : kernel.lines) {
        if (base_name(line.file) != source.name) continue;
        shown.lines.push_back({source.name, line.line, line.work});
        first = std::min(first, line.line);
        last = std::max(last, line.line);
    }
    const std::vector<std::string> text = lines_of(source.text);
    const Range range = kernel_range(text, first, last);
    shown.first_line = range.first;
    const int end = std::min(range.last, static_cast<int>(text.size()));
    for (int k = range.first; k <= end; ++k) {
        if (static_cast<std::size_t>(k - range.first) == max_kernel_lines) {
            shown.source += "...\n";
            break;
        }
        shown.source += text[static_cast<std::size_t>(k - 1)] + '\n';
    }
    return shown;
}

}  // namespace

std::string counts_text(const CheckResult& check, std::span<const SourceFile> sources) {
    if (check.kernels.empty()) return "";
    std::vector<KernelCounts> shown;
    for (const KernelCounts& kernel : check.kernels)
        for (const SourceFile& source : sources)
            if (KernelCounts one = beside(source, kernel); !one.lines.empty()) shown.push_back(std::move(one));
    const std::string text =
        fmt::format("work of the kernels at {}\n{}", check.work_case, gpu::facts::kernel_table(check.kernels));
    return shown.empty() ? text : text + "\n" + gpu::facts::annotated(shown);
}

namespace {

std::string up_to(std::span<const Passage> parts, int rank, std::size_t columns) {
    std::string text;
    for (const Passage& part : parts)
        if (part.rank <= rank) text += fitted(part.text, columns);
    return text;
}

}  // namespace

int fitting_rank(std::span<const Passage> parts, std::size_t max_lines, std::size_t columns) {
    std::set<int> ranks;
    for (const Passage& part : parts) ranks.insert(part.rank);
    int fits = 0;
    for (const int rank : ranks) {
        const std::string text = up_to(parts, rank, columns);
        if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) > max_lines) break;
        fits = rank;
    }
    return fits;
}

std::string few_lines(std::span<const Passage> parts, std::size_t max_lines, std::size_t columns) {
    return up_to(parts, fitting_rank(parts, max_lines, columns), columns);
}

namespace {

constexpr std::size_t max_shown = 3;

double number(std::uint64_t count) { return static_cast<double>(count); }

/// "2 reads", "0.27 writes": a count per element, in few digits.
std::string per_element(std::uint64_t count, std::int64_t elements, std::string_view noun) {
    const double each = number(count) / static_cast<double>(std::max<std::int64_t>(elements, 1));
    const std::string text = each >= 100 ? fmt::format("{:.0f}", each) : fmt::format("{:.3g}", each);
    return fmt::format("{} {}{}", text, noun, text == "1" ? "" : "s");
}

/// True if it stops a kernel in both runs.
bool is_fault(FindingKind kind) { return gpu::facts_of(kind).ends != gpu::Ends::goes_on; }

/// "4 atomics", "1 atomic"; nothing for 0.
void add_count(std::vector<std::string>& parts, std::uint64_t count, std::string_view noun) {
    if (count > 0) parts.push_back(plural(count, noun));
}

/// "4 atomics", "12055 atomics (2048 global, 29.1 turns per request)".
std::string atomics(std::span<const KernelCounts> kernels) {
    const WorkCounts work = total(kernels);
    WorkCounts busiest{};  // the line that takes the most turns
    for (const KernelCounts& kernel : kernels)
        for (const LineCounts& line : kernel.lines)
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
    std::string text = what + "\n";
    for (const std::string& line : {gpu::facts::who_text(finding), finding.advice})
        if (!line.empty()) text += "  " + line + "\n";
    return text + "  breaks " + to_string(finding.rule) + "\n";
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
    const std::size_t count = std::min(found.size(), max_shown);
    for (std::size_t k = 0; k < count; ++k) text += finding_text(found[k].finding);
    if (const std::uint64_t more = found.size() - count + task.check->more_found; more > 0)
        text += fmt::format("... and {} more\n", more);
    return text;
}

std::string checked_text(const CheckResult& check, bool on_gpu) {
    std::string text;
    if (check.cases > 0)
        text = fmt::format("{} up to {} in check mode{}, no mistake found", plural(check.cases, "case"), check.largest,
                           on_gpu ? " on the host" : "");
    if (check.note.empty()) return text;
    return text + (text.empty() ? "" : "; ") + check.note;
}

std::string work_text(const CheckResult& check) {
    const WorkCounts work = total(check.kernels);
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
