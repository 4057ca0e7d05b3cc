// SPDX-License-Identifier: MIT
#include "report/ledger_text.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "judge/work/budgets.hpp"
#include "libgpu/src/facts/columns.hpp"
#include "libgpu/src/facts/texts.hpp"
#include "manifest/names.hpp"

namespace course {

namespace {

using gpu::facts::ledger_row;
using gpu::facts::place_text;
using gpu::facts::thousands;

constexpr std::size_t line_width = 120, min_source = 20, max_width = 87;  // behind the place
constexpr std::size_t max_period = 24, min_repeats = 3;  // of a loop that is shown once

/// The answer's own line, without its margin and what comment follows it; empty for lines of other files.
std::string source_line(const LedgerLine& line, std::span<const SourceFile> sources) {
    for (const SourceFile& source : sources) {
        if (source.name != line.file) continue;
        std::string_view rest = source.text;
        for (int k = 1; k < line.line && !rest.empty(); ++k)
            rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
        rest = rest.substr(0, rest.find_first_of("\r\n"));
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        rest = rest.substr(0, rest.find(" // "));
        return std::string(rest.substr(0, rest.find_last_not_of(" \t") + 1));
    }
    return "";
}

/// True for the same line of a loop, whether or not its memory came from the pool: only in the first iteration it
/// doesn't.
bool same_but_for_the_pool(const LedgerLine& one, LedgerLine other) {
    other.pooled = one.pooled;
    return one == other;
}

/// How often the lines from `begin` on repeat with this period, including the first time.
std::size_t repeats(const std::vector<LedgerLine>& lines, std::size_t begin, std::size_t period) {
    std::size_t same = 0;
    while (begin + period + same < lines.size() &&
           same_but_for_the_pool(lines[begin + same], lines[begin + period + same]))
        ++same;
    return 1 + same / period;
}

struct Loop {
    std::size_t period = 1, times = 1;
};
Loop loop_at(const std::vector<LedgerLine>& lines, std::size_t begin) {
    for (std::size_t period = 1; period <= max_period; ++period)
        if (const std::size_t times = repeats(lines, begin, period); times >= min_repeats) return {period, times};
    return {};
}

void strip(std::string& line) { line.resize(line.find_last_not_of(' ') + 1); }

}  // namespace

std::string ledger_text(const LedgerReport& ledger, std::span<const SourceFile> sources) {
    if (ledger.lines.empty()) return "nothing was asked of the device\n";
    std::size_t places = 4, width = 0;
    for (const LedgerLine& line : ledger.lines) places = std::max(places, place_text(line).size());
    for (const LedgerLine& line : ledger.lines)
        width = std::max(width, std::min(ledger_row(line, places).size(), places + max_width));
    std::string text, last_place;
    const auto add = [&](const LedgerLine& line) {
        const std::string place = place_text(line);
        std::string row = fmt::format("{:<{}}", ledger_row(line, places), width);
        if (place != last_place) {
            std::string source = source_line(line, sources);
            const std::size_t room = std::max(min_source, line_width - std::min(line_width, row.size() + 4));
            if (source.size() > room) source = source.substr(0, room - 3) + "...";
            if (!source.empty()) row += "  | " + source;
        }
        last_place = place;
        strip(row);
        text += row + "\n";
    };
    for (std::size_t k = 0; k < ledger.lines.size();) {
        const Loop loop = loop_at(ledger.lines, k);
        for (std::size_t i = 0; i < loop.period; ++i) add(ledger.lines[k + i]);
        if (loop.times > 1)
            text += loop.period == 1
                        ? fmt::format("    ... this line {} times in all\n", thousands(loop.times))
                        : fmt::format("    ... these {} lines {} times in all\n", loop.period, thousands(loop.times));
        k += loop.period * loop.times;
    }
    if (ledger.left_out > 0) text += fmt::format("    ... and {} more\n", thousands(ledger.left_out));
    return text;
}

std::string ledger_totals(const gpu::Counts& counts, const Task& task, const CallSize& size) {
    std::string text;
    for (const std::string_view counter : counter_names) {
        if (counted_on_host_only(counter)) continue;  // counters of kernels: the device's ledger doesn't have them
        const double number = counted(counts, counter);
        std::string asks;
        for (const Budget& budget : task.budgets) {
            if (budget.counter != counter) continue;
            const BudgetResult result = compare_with(budget, "", size, number);
            const std::string bounds = bounds_text(result);
            if (!bounds.empty()) asks = fmt::format("asked for: {}{}", bounds, result.kept() ? "" : "  <- not kept");
        }
        if (number == 0 && asks.empty()) continue;
        const std::size_t room = std::max<std::size_t>(30, counter.size() + 2) - counter.size();
        const auto whole = static_cast<std::uint64_t>(std::min(number, 1e19));   // of a page that isn't to be trusted
        std::string row = fmt::format("{}{:>{}}  {}", counter, thousands(whole), room, asks);
        strip(row);
        text += row + "\n";
    }
    return text;
}

gpu::Counts totals_of(const LedgerReport& ledger) {
    gpu::Counts counts;
    for (const LedgerLine& line : ledger.lines) gpu::detail::add_work(counts, line);
    return counts;
}

}  // namespace course
