// SPDX-License-Identifier: MIT
#include "facts/columns.hpp"

#include <algorithm>
#include <array>

namespace gpu::facts {

namespace {

std::string number(std::uint64_t value, Style style) {
    return style == Style::full ? thousands(value) : short_number(value);
}

std::uint64_t global_bytes(const WorkCounts& w) { return w.global_bytes_read + w.global_bytes_written; }

// The minimum of sectors for these requests if no bytes were shared between threads: at least one each. Threads that
// read the same bytes touch fewer.
std::uint64_t ideal_sectors(const WorkCounts& w) {
    return std::min(w.global_sectors, std::max(w.global_requests, (global_bytes(w) + 31) / 32));
}

bool has_global(const WorkCounts& w) { return w.global_requests > 0; }

bool has_shared(const WorkCounts& w) { return w.shared_requests > 0; }

std::uint64_t synchronisations(const WorkCounts& w) { return w.barriers + w.warp_operations; }

const std::vector<Column>& all_columns() {
    static constexpr std::string_view global = "global memory", shared = "shared memory";
    static const auto* const columns = new std::vector<Column>{
        {global, "reads", "", [](const WorkCounts& w) { return w.global_reads > 0; },
         [](const WorkCounts& w, Style s) { return number(w.global_reads, s); }, Column::everywhere},
        {global, "writes", "", [](const WorkCounts& w) { return w.global_writes > 0; },
         [](const WorkCounts& w, Style s) { return number(w.global_writes, s); }, Column::everywhere},
        {global, "bytes", "", has_global, [](const WorkCounts& w, Style) { return bytes(global_bytes(w)); },
         Column::table},
        {global, "sectors", "pieces of 32 bytes that a request of a warp touches, on average", has_global,
         [](const WorkCounts& w, Style) { return ratio(w.global_sectors, w.global_requests); }, Column::table},
        {global, "ideal", "how many sectors would do if neighbouring threads accessed neighbouring elements",
         has_global, [](const WorkCounts& w, Style) { return ratio(ideal_sectors(w), w.global_requests); },
         Column::table},
        {global, "used", "how much of these sectors the threads wanted", has_global,
         [](const WorkCounts& w, Style) { return percent(w.global_bytes_used, 32 * w.global_sectors); }, Column::table},
        {global, "sectors",
         "pieces of 32 bytes that a request of a warp touches, and how many would do if neighbours were accessed",
         has_global,
         [](const WorkCounts& w, Style) {
             return ratio(w.global_sectors, w.global_requests) + '/' + ratio(ideal_sectors(w), w.global_requests);
         },
         Column::margin},
        {shared, "reads", "", [](const WorkCounts& w) { return w.shared_reads > 0; },
         [](const WorkCounts& w, Style s) { return number(w.shared_reads, s); }, Column::everywhere},
        {shared, "writes", "", [](const WorkCounts& w) { return w.shared_writes > 0; },
         [](const WorkCounts& w, Style s) { return number(w.shared_writes, s); }, Column::everywhere},
        {shared, "ways", "how often a request of a warp is repeated because of bank conflicts; 1.0 is ideal",
         has_shared, [](const WorkCounts& w, Style) { return ratio(w.shared_wavefronts, w.shared_requests); },
         Column::everywhere},
        {"", "atomics", "", [](const WorkCounts& w) { return w.atomics > 0; },
         [](const WorkCounts& w, Style s) { return number(w.atomics, s); }, Column::everywhere},
        {"", "turns", "how many threads of a warp's atomic request are on the same element, one after the other",
         [](const WorkCounts& w) { return w.atomic_turns > w.atomic_requests; },
         [](const WorkCounts& w, Style) { return ratio(w.atomic_turns, w.atomic_requests); }, Column::everywhere},
        {"", "barriers", "", [](const WorkCounts& w) { return w.barriers > 0; },
         [](const WorkCounts& w, Style s) { return number(w.barriers, s); }, Column::table},
        {"", "warp ops", "", [](const WorkCounts& w) { return w.warp_operations > 0; },
         [](const WorkCounts& w, Style s) { return number(w.warp_operations, s); }, Column::table},
        {"", "syncs", "barriers of blocks and operations of warps",
         [](const WorkCounts& w) { return synchronisations(w) > 0; },
         [](const WorkCounts& w, Style s) { return number(synchronisations(w), s); }, Column::margin},
        {"", "divergent", "requests that some of the warp's running threads took no part in",
         [](const WorkCounts& w) { return w.divergent_requests > 0; },
         [](const WorkCounts& w, Style) {
             return percent(w.divergent_requests, w.global_requests + w.shared_requests);
         },
         Column::everywhere},
    };
    return *columns;
}

}  // namespace

std::vector<Column> columns_for(const std::vector<WorkCounts>& rows, Style style) {
    const auto hidden = style == Style::full ? Column::margin : Column::table;
    std::vector<Column> columns;
    for (const Column& column : all_columns())
        if (column.where != hidden && std::any_of(rows.begin(), rows.end(), column.used)) columns.push_back(column);
    return columns;
}

std::string cell(const Column& column, const WorkCounts& work, Style style) {
    return column.used(work) ? column.value(work, style) : std::string();
}

std::string legend(const std::vector<Column>& columns) {
    std::string text;
    for (const Column& column : columns)
        if (!column.meaning.empty()) text += std::string(column.name) + ": " + std::string(column.meaning) + '\n';
    return text;
}

void TextTable::head(const std::vector<std::string_view>& groups, const std::vector<std::string_view>& names) {
    for (std::size_t k = 0; k < groups.size(); ++k)
        groups_.emplace_back(k > 0 && groups[k] == groups[k - 1] ? std::string_view("=") : groups[k]);
    rows_.insert(rows_.begin(), std::vector<std::string>(names.begin(), names.end()));
}

std::vector<std::string> TextTable::lines(bool padded) const {
    std::vector<std::size_t> width;
    for (const auto& row : rows_) {
        width.resize(std::max(width.size(), row.size()));
        for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
    }
    // A group's name may be as wide as its columns together.
    for (std::size_t k = 0; k < groups_.size(); ++k) {
        if (groups_[k].empty() || groups_[k] == "=") continue;
        std::size_t end = k + 1, room = width[k];
        for (; end < groups_.size() && groups_[end] == "="; ++end) room += 2 + width[end];
        if (room < groups_[k].size()) width[k] += groups_[k].size() - room;
    }
    std::vector<std::string> lines;
    std::string head;
    for (std::size_t k = 0, at = 0; k < groups_.size(); at += width[k++] + 2)
        if (!groups_[k].empty() && groups_[k] != "=") head.append(at - head.size(), ' ').append(groups_[k]);
    if (!head.empty()) lines.push_back(head);
    std::size_t max_length = head.size();
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (k > 0) line += "  ";
            const std::string space(width[k] - row[k].size(), ' ');
            line += k < left_ ? row[k] + space : space + row[k];
        }
        max_length = std::max(max_length, line.size());
        lines.push_back(line);
    }
    for (std::string& line : lines) {
        if (padded)
            line.resize(max_length, ' ');
        else
            line.erase(line.find_last_not_of(' ') + 1);
    }
    return lines;
}

namespace {

// number / unit with `digits` digits after the point, rounded.
std::string fraction(std::uint64_t number, std::uint64_t unit, int digits) {
    std::uint64_t scale = 1;
    for (int k = 0; k < digits; ++k) scale *= 10;
    // Counts are far below 2^64 / 1000, but nothing here may wrap around.
    const std::uint64_t whole = number / unit, rest = number % unit;
    const auto part = static_cast<std::uint64_t>(
        static_cast<long double>(rest) / static_cast<long double>(unit) * static_cast<long double>(scale) + 0.5L);
    if (digits == 0) return thousands(whole + part);
    std::string tail = std::to_string(part % scale);
    tail.insert(0, static_cast<std::size_t>(digits) - tail.size(), '0');
    return thousands(whole + part / scale) + '.' + tail;
}

}  // namespace

std::string short_number(std::uint64_t number) {
    if (number < 100'000) return thousands(number);
    static constexpr std::array<char, 6> names = {'k', 'M', 'G', 'T', 'P', 'E'};
    std::uint64_t unit = 1000;
    std::size_t name = 0;
    // 999.5 of a unit would be shown as 1,000.
    while (name + 1 < names.size() && number / unit + (number % unit >= unit / 2 ? 1 : 0) >= 1000) {
        unit *= 1000;
        ++name;
    }
    return fraction(number, unit, number / unit < 10 ? 2 : number / unit < 100 ? 1 : 0) + ' ' + names[name];
}

std::string bytes(std::uint64_t number) {
    if (number < 1024) return std::to_string(number) + " B";
    static constexpr std::array<const char*, 6> names = {" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    std::uint64_t unit = 1024;
    std::size_t name = 0;
    while (name + 1 < names.size() && number / unit >= 1024) {
        unit *= 1024;
        ++name;
    }
    return fraction(number, unit, 1) + names[name];
}

std::string ratio(std::uint64_t a, std::uint64_t b) { return b == 0 ? std::string() : fraction(a, b, 1); }

std::string percent(std::uint64_t a, std::uint64_t b) {
    if (b == 0) return {};
    if (a >= b) return "100%";
    const double exact = 100.0 * static_cast<double>(a) / static_cast<double>(b);
    int shown = static_cast<int>(exact + 0.5);
    if (a > 0) shown = std::clamp(shown, 1, 99);
    return std::to_string(shown) + '%';
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view more) {
    return thousands(number) + ' ' + std::string(number == 1 ? one : more);
}

}  // namespace gpu::facts
