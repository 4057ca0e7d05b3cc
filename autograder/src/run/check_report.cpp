// SPDX-License-Identifier: MIT
#include "run/check_report.hpp"

#include <algorithm>
#include <array>
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
using protocol::ShapeRecord;
using protocol::SpreadRecord;

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
            .rule = static_cast<int>(record.rule),
            .kernel = text_of(record.kernel),
            .file = text_of(record.file),
            .variable = text_of(record.variable),
            .line = line_of(record.line),
            .what = text_of(record.what),
            .who = text_of(record.who),
            .advice = text_of(record.advice),
            .times = std::max<std::uint64_t>(record.times, 1)};
}

void check_count(std::string_view what, std::uint64_t count, std::uint64_t most) {
    if (count > most) throw BadReply(fmt::format("{} {}; {} is the most", count, what, most));
}

WorkSpread spread_of(const SpreadRecord& record) {
    return {.total = record.total,
            .busiest_thread = record.busiest_thread,
            .busiest_warp = record.busiest_warp,
            .busiest_block = record.busiest_block,
            .working_threads = record.working_threads,
            .working_warps = record.working_warps,
            .working_blocks = record.working_blocks,
            .shape = {.grid = std::to_array(record.grid), .block = std::to_array(record.block), .launches = 1}};
}

KernelWork kernel_of(const KernelRecord& record, std::span<const LineRecord> lines) {
    KernelWork kernel{.name = text_of(record.name),
                      .file = text_of(record.file),
                      .made_in = text_of(record.made_in),
                      .launches = record.launches,
                      .blocks = record.blocks,
                      .threads = record.threads,
                      .work = record.work,
                      .global = spread_of(record.global),
                      .shared = spread_of(record.shared),
                      .atomic = spread_of(record.atomic),
                      .accesses = record.accesses,
                      .span = record.span,
                      .lines = {},
                      .rewritten = text_of(record.rewritten)};
    check_count("shapes of a kernel's launches", record.shape_count, protocol::max_shapes);
    for (const ShapeRecord& shape : std::span(record.shapes, record.shape_count))
        kernel.shapes.push_back({.grid = std::to_array(shape.grid), .block = std::to_array(shape.block),
                                 .launches = shape.launches});
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

protocol::WorkRecord protocol::operator+(const WorkRecord& a, const WorkRecord& b) noexcept {
    constexpr std::size_t members = sizeof(WorkRecord) / sizeof(std::uint64_t);
    std::array<std::uint64_t, members> left, right;
    std::memcpy(left.data(), &a, sizeof a);
    std::memcpy(right.data(), &b, sizeof b);
    for (std::size_t k = 0; k < members; ++k) {
        const std::uint64_t sum = left[k] + right[k];
        left[k] = sum < right[k] ? std::numeric_limits<std::uint64_t>::max() : sum;
    }
    WorkRecord sum;
    std::memcpy(&sum, left.data(), sizeof sum);
    return sum;
}

namespace {

using protocol::LedgerPage;
using protocol::LedgerRecord;

LedgerLine ledger_line(const LedgerRecord& record) {
    LedgerLine line{.kind = record.kind,
                    .file = text_of(record.file),
                    .line = static_cast<int>(std::min<std::uint32_t>(record.line, std::numeric_limits<int>::max())),
                    .bytes = record.bytes,
                    .elements = std::max<std::int64_t>(record.elements, 0),
                    .type = text_of(record.type),
                    .name = text_of(record.name),
                    .waits = record.waits == 1,
                    .pooled = record.pooled == 1,
                    .pageable_async = record.pageable_async == 1,
                    .between_devices = record.between_devices == 1};
    std::copy_n(record.grid, line.grid.size(), line.grid.begin());
    std::copy_n(record.block, line.block.size(), line.block.begin());
    return line;
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
        if (static_cast<std::uint32_t>(record.kind) < protocol::ledger_kinds)
            report.lines.push_back(ledger_line(record));
    }
    return report;
}

}  // namespace course
