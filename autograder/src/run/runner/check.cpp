// SPDX-License-Identifier: MIT
#include "run/runner/check.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "protocol/protocol_check.hpp"

namespace course::runner {
namespace {

using protocol::CheckRecord;
using protocol::FindingRecord;
using protocol::KernelRecord;
using protocol::LedgerRecord;
using protocol::LineRecord;

template <std::size_t bytes>
void set(char (&to)[bytes], const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), bytes), to);
}

// Keeps the end of a path, which identifies the file.
template <std::size_t bytes>
void set_end(char (&to)[bytes], const std::string& path) {
    set(to, path.size() > bytes ? path.substr(path.size() - bytes) : path);
}

void put(const gpu::Finding& finding, FindingRecord& record) {
    record.kind = static_cast<std::uint32_t>(finding.kind);
    record.rule = static_cast<std::uint32_t>(finding.rule);
    record.line = finding.line;
    record.times = finding.times;
    set(record.kernel, finding.kernel);
    set(record.file, finding.file);
    set(record.variable, finding.variable);
    set(record.what, finding.what);
    set(record.who, finding.who);
    set(record.advice, finding.advice);
}

// Its lines follow those of the kernels before it, as far as there is room.
void put(const gpu::KernelCounts& kernel, KernelRecord& record, CheckRecord& all) {
    set(record.name, kernel.name);
    set(record.file, kernel.file);
    set_end(record.made_in, kernel.made_in);
    record.shape_count = std::min<std::size_t>(kernel.shapes.size(), protocol::max_shapes);
    std::copy_n(kernel.shapes.begin(), record.shape_count, record.shapes);
    record.launches = kernel.launches;
    record.blocks = kernel.blocks;
    record.threads = kernel.threads;
    record.work = kernel.work;
    record.global_spread = kernel.global_spread;
    record.shared_spread = kernel.shared_spread;
    record.atomic_spread = kernel.atomic_spread;
    record.accesses = kernel.accesses;
    record.span = kernel.span;
    set(record.rewritten, kernel.rewritten);
    record.first_line = all.line_count;
    for (const gpu::LineCounts& line : kernel.lines) {
        if (all.line_count == protocol::max_lines) {
            all.cut = 1;
            return;
        }
        LineRecord& to = all.lines[all.line_count++];
        set(to.file, line.file);
        to.line = line.line;
        to.work = line.work;
        ++record.line_count;
    }
}

std::unique_ptr<CheckRecord> record_of(const gpu::CheckReport& report) {
    auto record = std::make_unique<CheckRecord>();
    record->all_findings = report.findings.size();
    for (const gpu::Finding& finding : report.findings) {
        if (record->finding_count == protocol::max_findings) break;
        put(finding, record->findings[record->finding_count++]);
    }
    const std::span<const gpu::KernelCounts> kernels(report.kernels);
    const bool has_room = kernels.size() <= protocol::max_kernels;
    for (const gpu::KernelCounts& kernel : kernels.first(has_room ? kernels.size() : protocol::max_kernels - 1))
        put(kernel, record->kernels[record->kernel_count++], *record);
    if (has_room) return record;
    gpu::KernelCounts others;   // the sum of the others, in one record
    others.name = "all other kernels";
    for (const gpu::KernelCounts& kernel : kernels.subspan(record->kernel_count)) {
        others.launches += kernel.launches;
        others.blocks += kernel.blocks;
        others.threads += kernel.threads;
        others.work += kernel.work;
        others.accesses += kernel.accesses;
        others.span += kernel.span;
    }
    put(others, record->kernels[record->kernel_count++], *record);
    record->cut = 1;
    return record;
}

}  // namespace

void write_check(const gpu::CheckReport& report, std::span<std::byte> memory, protocol::Reply& reply) {
    std::size_t used = 0;
    for (const protocol::ValueRecord& value : std::span(reply.values, reply.value_count)) {
        used = std::max<std::size_t>(used, value.offset + value.bytes);
    }
    used = std::min((used + 63) / 64 * 64, memory.size());
    if (sizeof(CheckRecord) > memory.size() - used) throw std::length_error("no room is left for the check's record");
    const auto record = record_of(report);
    std::memcpy(memory.data() + used, record.get(), sizeof *record);
    reply.check_offset = used;
    reply.checked = 1;
}

namespace {

template <std::size_t bytes>
void set_text(char (&to)[bytes], const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), bytes - 1), to);
}

LedgerRecord record_of(const gpu::LedgerEntry& entry) {
    LedgerRecord record{entry, static_cast<std::uint32_t>(std::max(entry.line, 0)), {}, {}, {}};
    set_text(record.file, entry.file);
    set_text(record.type, entry.type);
    set_text(record.name, entry.name);
    return record;
}

gpu::LedgerOptions writing_to(protocol::LedgerPage& page) {
    return {.entries = 0, .on_entry = [&page](const gpu::LedgerEntry& entry) {
                const std::atomic_ref<std::uint64_t> count(page.count);
                const std::uint64_t place = count.load(std::memory_order_relaxed);
                if (place < protocol::max_ledger_records) page.records[place] = record_of(entry);
                count.store(place + 1, std::memory_order_release);
            }};
}

}  // namespace

WrittenLedger::WrittenLedger(protocol::LedgerPage& page) : ledger_(writing_to(page)) {}

}  // namespace course::runner
