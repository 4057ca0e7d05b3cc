// SPDX-License-Identifier: MIT
#include "run/check_report.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "run/validate_reply.hpp"
#include "support/text.hpp"

namespace course {
namespace {

using protocol::CheckRecord;
using protocol::FindingRecord;
using protocol::KernelRecord;
using protocol::LineRecord;

// Makes the text a single plain line: tabs and line breaks would break the report's layout.
template <std::size_t bytes>
std::string text_of(const char (&text)[bytes]) {
    std::string plain = plain_text({text, ::strnlen(text, bytes)}, bytes, 1);
    if (const std::size_t end = plain.find('\n'); end != plain.npos) plain.resize(end);
    std::replace(plain.begin(), plain.end(), '\t', ' ');
    return plain;
}

int line_of(std::int32_t line) { return std::max<std::int32_t>(line, 0); }

Finding finding_of(const FindingRecord& record, std::size_t k) {
    const gpu::FindingFacts* const facts = gpu::find_facts(record.kind);
    if (facts == nullptr) {
        throw BadReply(fmt::format("finding {} is of a kind that doesn't exist", k));
    }
    if (gpu::sentence(static_cast<gpu::Rule>(record.rule)).empty() || record.rule > 255) {
        throw BadReply(fmt::format("finding {} breaks a rule that doesn't exist", k));
    }
    return {.kind = facts->kind,
            .rule = static_cast<gpu::Rule>(record.rule),
            .kernel = text_of(record.kernel),
            .file = text_of(record.file),
            .line = line_of(record.line),
            .variable = text_of(record.variable),
            .what = text_of(record.what),
            .who = text_of(record.who),
            .advice = text_of(record.advice),
            .times = std::max<std::uint64_t>(record.times, 1)};
}

void check_count(std::string_view what, std::uint64_t count, std::uint64_t max) {
    if (count > max) throw BadReply(fmt::format("{} {}; {} is the most", count, what, max));
}

void check_shape(const gpu::Dim3& grid, const gpu::Dim3& block) {
    for (const gpu::Dim3& lengths : {grid, block})
        if (std::min({lengths.x, lengths.y, lengths.z}) < 0) throw BadReply("a launch of a negative size");
}

KernelCounts kernel_of(const KernelRecord& record, std::span<const LineRecord> lines) {
    check_count("shapes of a kernel's launches", record.shape_count, protocol::max_shapes);
    const std::span<const LaunchCounts> shapes(record.shapes, record.shape_count);
    for (const LaunchCounts& shape : shapes) check_shape(shape.grid, shape.block);
    for (const WorkSpread* const spread : {&record.global_spread, &record.shared_spread, &record.atomic_spread})
        check_shape(spread->grid, spread->block);
    KernelCounts kernel{.name = text_of(record.name),
                        .file = text_of(record.file),
                        .made_in = text_of(record.made_in),
                        .launches = record.launches,
                        .blocks = record.blocks,
                        .threads = record.threads,
                        .shapes = {shapes.begin(), shapes.end()},
                        .work = record.work,
                        .global_spread = record.global_spread,
                        .shared_spread = record.shared_spread,
                        .atomic_spread = record.atomic_spread,
                        .accesses = record.accesses,
                        .span = record.span,
                        .rewritten = text_of(record.rewritten)};
    for (const LineRecord& line : lines) kernel.lines.push_back({text_of(line.file), line_of(line.line), line.work});
    return kernel;
}

}  // namespace

CheckReport take_check(std::span<const std::byte> memory, std::uint64_t offset) {
    if (offset > memory.size() || sizeof(CheckRecord) > memory.size() - offset) {
        throw BadReply("the check record lies outside the output memory");
    }
    const auto record = std::make_unique<CheckRecord>();  // our own copy: the runner may still write there
    std::memcpy(record.get(), memory.data() + offset, sizeof *record);
    check_count("findings", record->finding_count, protocol::max_findings);
    check_count("kernels", record->kernel_count, protocol::max_kernels);
    check_count("lines of kernels", record->line_count, protocol::max_lines);
    if (record->all_findings < record->finding_count) {
        throw BadReply(fmt::format("{} findings of {}", record->finding_count, record->all_findings));
    }

    CheckReport report;
    report.cut = record->cut != 0;
    report.more_findings = record->all_findings - record->finding_count;
    for (std::size_t k = 0; k < record->finding_count; ++k) {
        report.findings.push_back(finding_of(record->findings[k], k));
    }
    const std::span<const LineRecord> lines(record->lines, record->line_count);
    std::size_t next = 0;
    for (std::size_t k = 0; k < record->kernel_count; ++k) {
        const KernelRecord& kernel = record->kernels[k];
        if (kernel.first_line != next || kernel.line_count > lines.size() - next) {
            throw BadReply(fmt::format("kernel {} has lines that aren't there", k));
        }
        report.kernels.push_back(kernel_of(kernel, lines.subspan(next, kernel.line_count)));
        next += kernel.line_count;
    }
    if (next != lines.size()) throw BadReply("lines that belong to no kernel");
    return report;
}

namespace {

using protocol::LedgerPage;
using protocol::LedgerRecord;

// A runner's memory may hold any byte there.
bool flag_of(const bool& flag) {
    unsigned char byte = 0;
    std::memcpy(&byte, &flag, 1);
    return byte == 1;
}

LedgerLine ledger_line(const LedgerRecord& record) {
    const gpu::LedgerWork& work = record.work;
    return {{.kind = work.kind,
             .bytes = work.bytes,
             .elements = std::max<std::int64_t>(work.elements, 0),
             .grid = work.grid,
             .block = work.block,
             .waits = flag_of(work.waits),
             .pooled = flag_of(work.pooled),
             .pageable_async = flag_of(work.pageable_async),
             .between_devices = flag_of(work.between_devices)},
            text_of(record.file),
            static_cast<int>(std::min<std::uint32_t>(record.line, std::numeric_limits<int>::max())),
            text_of(record.type),
            text_of(record.name)};
}

}  // namespace

LedgerReport take_ledger(std::span<const std::byte> page) {
    LedgerReport report;
    if (page.size() < sizeof(LedgerPage)) return report;
    std::uint64_t count = 0;
    std::memcpy(&count, page.data() + offsetof(LedgerPage, count), sizeof count);
    const std::uint64_t written = std::min(count, protocol::max_ledger_records);
    report.left_out = count - written;
    for (std::uint64_t k = 0; k < written; ++k) {
        LedgerRecord record;  // a copy: the runner may still write
        std::memcpy(&record, page.data() + offsetof(LedgerPage, records) + k * sizeof record, sizeof record);
        if (static_cast<std::size_t>(record.work.kind) < gpu::ledger_kinds.size())
            report.lines.push_back(ledger_line(record));
    }
    return report;
}

}  // namespace course
