// SPDX-License-Identifier: MIT
#include "report/ledger_text.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"

namespace course {

namespace {

constexpr std::size_t line_width = 120, min_source = 20, max_detail = 60;
constexpr std::size_t max_period = 24, min_repeats = 3;  // of a loop that is shown only once

constexpr std::string_view kind_names[] = {"allocation",     "free",           "copy to device",
                                           "copy to host",   "copy on device", "launch",
                                           "linear algebra", "wait",           "print"};
static_assert(std::size(kind_names) == protocol::ledger_kinds);

std::string size_text(double bytes) {
    constexpr std::string_view units[] = {"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 999.95 && unit + 1 < std::size(units); ++unit) bytes /= 1000;
    return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

/// "1,000"
std::string grouped(std::uint64_t number) {
    std::string text = fmt::format("{}", number);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string extent_text(const std::array<std::int64_t, 3>& lengths) {
    if (lengths[2] != 1) return fmt::format("({},{},{})", lengths[0], lengths[1], lengths[2]);
    return lengths[1] == 1 ? fmt::format("{}", lengths[0]) : fmt::format("({},{})", lengths[0], lengths[1]);
}

std::string detail_text(const LedgerLine& line) {
    const std::string array = fmt::format("({} {})", grouped(static_cast<std::uint64_t>(line.elements)), line.type);
    switch (line.kind) {
        case LedgerKind::allocation: return array + (line.pooled ? ", from the pool" : "");
        case LedgerKind::free: return line.pooled ? "back to the pool" : "";
        case LedgerKind::copy_to_device:
        case LedgerKind::copy_to_host:
        case LedgerKind::copy_on_device:
            return array + (line.waits             ? ", waits"
                            : line.pageable_async  ? ", asynchronous, of pageable memory"
                            : line.between_devices ? ", from another device"
                                                   : "");
        case LedgerKind::launch:
            if (line.elements > 0)
                return fmt::format("{}, {} element{}", line.name, grouped(static_cast<std::uint64_t>(line.elements)),
                                   line.elements == 1 ? "" : "s");
            if (line.bytes > 0) return line.name;  // a matrix product
            return fmt::format("{}, grid {} x block {}", line.name, extent_text(line.grid), extent_text(line.block));
        case LedgerKind::linear_algebra: return line.name;
        case LedgerKind::wait: return "for " + line.name;
        case LedgerKind::print: return "not counted";
    }
    return "";
}

std::string place_text(const LedgerLine& line) {
    return line.file.empty() ? "?" : fmt::format("{}:{}", line.file, line.line);
}

/// The answer's own line, without its margin and a trailing comment; empty for lines of other files.
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
    std::size_t places = 4, details = 0;
    for (const LedgerLine& line : ledger.lines) {
        places = std::max(places, place_text(line).size());
        details = std::max(details, std::min(detail_text(line).size(), max_detail));
    }
    std::string text, last_place;
    const auto add = [&](const LedgerLine& line) {
        const std::string place = place_text(line);
        std::string row =
            fmt::format("{:<{}}  {:<14}  {:>8}  {:<{}}", place, places, kind_names[static_cast<std::size_t>(line.kind)],
                        line.bytes > 0 ? size_text(static_cast<double>(line.bytes)) : "", detail_text(line), details);
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
                        ? fmt::format("    ... this line {} times in all\n", grouped(loop.times))
                        : fmt::format("    ... these {} lines {} times in all\n", loop.period, grouped(loop.times));
        k += loop.period * loop.times;
    }
    if (ledger.left_out > 0) text += fmt::format("    ... and {} more\n", grouped(ledger.left_out));
    return text;
}

std::string ledger_totals(const protocol::CountsRecord& counts, const Task& task, const CallSize& size) {
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
        const auto whole = static_cast<std::uint64_t>(std::min(number, 1e19));   // from an untrusted page
        std::string row = fmt::format("{}{:>{}}  {}", counter, grouped(whole), room, asks);
        strip(row);
        text += row + "\n";
    }
    return text;
}

protocol::CountsRecord totals_of(const LedgerReport& ledger) {
    protocol::CountsRecord counts{};
    for (const LedgerLine& line : ledger.lines) {
        const auto copy = [&](std::uint64_t& copies, std::uint64_t& bytes) {
            ++copies;
            bytes += line.bytes;
        };
        switch (line.kind) {
            case LedgerKind::allocation: copy(counts.allocations, counts.bytes_allocated); break;
            case LedgerKind::copy_to_device: copy(counts.copies_to_device, counts.bytes_to_device); break;
            case LedgerKind::copy_to_host: copy(counts.copies_to_host, counts.bytes_to_host); break;
            case LedgerKind::copy_on_device:
                copy(counts.copies_on_device, counts.bytes_on_device);
                if (line.between_devices) copy(counts.copies_between_devices, counts.bytes_between_devices);
                break;
            case LedgerKind::launch: ++counts.launches; break;
            case LedgerKind::wait: ++counts.synchronizations; break;
            case LedgerKind::free:
            case LedgerKind::linear_algebra:
            case LedgerKind::print: break;
        }
        if (line.waits) ++counts.synchronizations;
        if (line.pageable_async) ++counts.pageable_async_copies;
    }
    return counts;
}

}  // namespace course
