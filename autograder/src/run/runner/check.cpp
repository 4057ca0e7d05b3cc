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
using protocol::LineRecord;
using protocol::WorkRecord;

template <std::size_t bytes>
void set(char (&to)[bytes], const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), bytes), to);
}

// Keeps the end of a path, which identifies the file.
template <std::size_t bytes>
void set_end(char (&to)[bytes], const std::string& path) {
    set(to, path.size() > bytes ? path.substr(path.size() - bytes) : path);
}

WorkRecord record_of(const gpu::WorkCounts& work) {
    return {.global_reads = work.global_reads,
            .global_writes = work.global_writes,
            .global_bytes_read = work.global_bytes_read,
            .global_bytes_written = work.global_bytes_written,
            .global_bytes_used = work.global_bytes_used,
            .global_requests = work.global_requests,
            .global_sectors = work.global_sectors,
            .global_segments = work.global_segments,
            .shared_reads = work.shared_reads,
            .shared_writes = work.shared_writes,
            .shared_bytes_read = work.shared_bytes_read,
            .shared_bytes_written = work.shared_bytes_written,
            .shared_requests = work.shared_requests,
            .shared_wavefronts = work.shared_wavefronts,
            .atomics = work.atomics,
            .global_atomics = work.global_atomics,
            .atomic_requests = work.atomic_requests,
            .atomic_turns = work.atomic_turns,
            .barriers = work.barriers,
            .warp_operations = work.warp_operations,
            .divergent_requests = work.divergent_requests,
            .double_operations = work.double_operations};
}
static_assert(sizeof(WorkRecord) == sizeof(gpu::WorkCounts), "a new count has no place in the protocol yet");

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

void put(const gpu::Dim3& lengths, std::uint64_t (&to)[3]) {
    to[0] = static_cast<std::uint64_t>(lengths.x);
    to[1] = static_cast<std::uint64_t>(lengths.y);
    to[2] = static_cast<std::uint64_t>(lengths.z);
}

void put(const gpu::LaunchCounts& shape, protocol::ShapeRecord& record) {
    put(shape.grid, record.grid);
    put(shape.block, record.block);
    record.launches = shape.launches;
}

void put(const gpu::WorkSpread& spread, protocol::SpreadRecord& record) {
    record = {.total = spread.total,
              .busiest_thread = spread.busiest_thread,
              .busiest_warp = spread.busiest_warp,
              .busiest_block = spread.busiest_block,
              .working_threads = spread.working_threads,
              .working_warps = spread.working_warps,
              .working_blocks = spread.working_blocks,
              .grid = {},
              .block = {}};
    put(spread.grid, record.grid);
    put(spread.block, record.block);
}

// Its lines follow the previous kernels' lines, as far as there is room.
void put(const gpu::KernelCounts& kernel, KernelRecord& record, CheckRecord& all) {
    set(record.name, kernel.name);
    set(record.file, kernel.file);
    set_end(record.made_in, kernel.made_in);
    for (const gpu::LaunchCounts& shape : kernel.shapes) {
        if (record.shape_count == protocol::max_shapes) break;
        put(shape, record.shapes[record.shape_count++]);
    }
    record.launches = kernel.launches;
    record.blocks = kernel.blocks;
    record.threads = kernel.threads;
    record.work = record_of(kernel.work);
    put(kernel.global_spread, record.global);
    put(kernel.shared_spread, record.shared);
    put(kernel.atomic_spread, record.atomic);
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
        to.work = record_of(line.work);
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

using protocol::LedgerKind;
using protocol::LedgerRecord;
using Kind = gpu::LedgerEntry::Kind;

constexpr bool same_number(LedgerKind mine, Kind libgpus) {
    return static_cast<std::uint32_t>(mine) == static_cast<std::uint32_t>(libgpus);
}
static_assert(same_number(LedgerKind::allocation, Kind::allocation) && same_number(LedgerKind::free, Kind::free) &&
              same_number(LedgerKind::copy_to_device, Kind::copy_to_device) &&
              same_number(LedgerKind::copy_to_host, Kind::copy_to_host) &&
              same_number(LedgerKind::copy_on_device, Kind::copy_on_device) &&
              same_number(LedgerKind::launch, Kind::launch) &&
              same_number(LedgerKind::linear_algebra, Kind::linear_algebra) &&
              same_number(LedgerKind::wait, Kind::wait) && same_number(LedgerKind::print, Kind::print));

template <std::size_t bytes>
void set_text(char (&to)[bytes], const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), bytes - 1), to);
}

LedgerRecord record_of(const gpu::LedgerEntry& entry) {
    LedgerRecord record{.kind = static_cast<LedgerKind>(entry.kind),
                        .line = static_cast<std::uint32_t>(std::max(entry.line, 0)),
                        .bytes = entry.bytes,
                        .elements = entry.elements,
                        .grid = {entry.grid.x, entry.grid.y, entry.grid.z},
                        .block = {entry.block.x, entry.block.y, entry.block.z},
                        .waits = entry.waits ? 1U : 0U,
                        .pooled = entry.pooled ? 1U : 0U,
                        .pageable_async = entry.pageable_async ? 1U : 0U,
                        .between_devices = entry.between_devices ? 1U : 0U,
                        .file = {},
                        .type = {},
                        .name = {}};
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
