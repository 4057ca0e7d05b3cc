// SPDX-License-Identifier: MIT
#include <gpu/check.hpp>

#include "counts_of_work.hpp"
#include "report/columns.hpp"
#include "report/numbers.hpp"

namespace gpu {

namespace {

using detail::report::bytes;
using detail::report::counted;
using detail::report::Style;
using detail::report::thousands;

std::string host_line(const Counts& host) {
    std::string line;
    const auto add = [&](std::uint64_t number, const std::string& text) {
        if (number > 0) line += (line.empty() ? "" : ", ") + text;
    };
    add(host.launches, counted(host.launches, "launch", "launches"));
    add(host.copies_to_device,
        counted(host.copies_to_device, "copy", "copies") + " to the device (" + bytes(host.bytes_to_device) + ")");
    add(host.copies_to_host,
        counted(host.copies_to_host, "copy", "copies") + " to the host (" + bytes(host.bytes_to_host) + ")");
    const std::uint64_t on_device = host.copies_on_device - host.copies_between_devices;
    add(on_device, counted(on_device, "copy", "copies") + " on the device (" +
                       bytes(host.bytes_on_device - host.bytes_between_devices) + ")");
    add(host.copies_between_devices, counted(host.copies_between_devices, "copy", "copies") + " between devices (" +
                                         bytes(host.bytes_between_devices) + ")");
    add(host.allocations,
        counted(host.allocations, "allocation", "allocations") + " (" + bytes(host.bytes_allocated) + ")");
    add(host.synchronizations, counted(host.synchronizations, "synchronisation", "synchronisations"));
    return "host: " + (line.empty() ? "nothing" : line) + '\n';
}

}  // namespace

std::string CheckReport::table() const {
    std::string text;
    if (!kernels.empty()) {
        std::vector<WorkCounts> rows;
        for (const KernelCounts& kernel : kernels) rows.push_back(kernel.work);
        const auto columns = detail::report::columns_for(rows, Style::full);
        std::vector<std::string_view> groups{"", "", "", ""}, names{"kernel", "launches", "blocks", "threads"};
        for (const auto& column : columns) {
            groups.push_back(column.group);
            names.push_back(column.name);
        }
        detail::report::TextTable table(1);
        for (const KernelCounts& kernel : kernels) {
            std::vector<std::string> cells{kernel.name, thousands(kernel.launches), thousands(kernel.blocks),
                                           thousands(kernel.threads)};
            for (const auto& column : columns) cells.push_back(cell(column, kernel.work, Style::full));
            table.row(std::move(cells));
        }
        table.head(groups, names);
        for (const std::string& line : table.lines(false)) text += line + '\n';
        text += '\n' + detail::report::legend(columns);
        for (const KernelCounts& kernel : kernels)
            if (kernel.approximate)
                text += "kernel " + kernel.name +
                        ": its threads accessed too many places between two synchronisations to " +
                        "keep them all, so sectors and ways are too high; fewer elements tell more\n";
    }
    return text + host_line(host);
}

std::string_view to_string(FindingKind kind) noexcept {
    switch (kind) {
        case FindingKind::out_of_bounds: return "out of bounds";
        case FindingKind::missing_barrier: return "missing barrier";
        case FindingKind::missing_syncwarp: return "missing syncwarp";
        case FindingKind::inter_block_race: return "inter-block race";
        case FindingKind::uninitialized_read: return "uninitialized read";
        case FindingKind::divergent_barrier: return "divergent barrier";
        case FindingKind::deadlock: return "deadlock";
        case FindingKind::misaligned_access: return "misaligned access";
        case FindingKind::division_by_zero: return "division by zero";
        case FindingKind::endless_loop: return "endless loop";
        case FindingKind::stack_overflow: return "stack overflow";
        case FindingKind::failed_assertion: return "failed assertion";
        case FindingKind::host_access: return "host access";
        case FindingKind::host_pointer: return "host pointer";
        case FindingKind::inactive_lane: return "inactive lane";
        case FindingKind::wide_shift: return "wide shift";
        case FindingKind::skipped_barrier: return "skipped barrier";
        case FindingKind::missing_event: return "missing event";
        case FindingKind::constant_write: return "constant write";
        case FindingKind::host_buffer_in_use: return "host buffer in use";
        case FindingKind::memory_leak: return "memory leak";
    }
    return "unknown";
}

std::string to_string(Rule rule) {
    return "rule " + std::to_string(static_cast<int>(rule)) + ": " + std::string(sentence(rule));
}

std::string CheckReport::to_text() const {
    std::string text;
    for (const Finding& finding : findings) {
        if (!text.empty()) text += '\n';
        text += finding.what + '\n' + finding.who;
        if (finding.times > 1)
            text += (finding.who.empty() ? "" : "; ") + detail::report::thousands(finding.times) + " times in all";
        text += '\n' + finding.advice + "\nbreaks " + to_string(finding.rule) + '\n';
    }
    return text;
}

WorkCounts& WorkCounts::operator+=(const WorkCounts& more) noexcept {
    for (const auto& [name, value] : detail::work_counts) this->*value += more.*value;
    return *this;
}

}  // namespace gpu
