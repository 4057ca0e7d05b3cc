// SPDX-License-Identifier: MIT
#pragma once

// What gpu::check saw during one call, as the untrusted runner tells it: one record of fixed size in the output memory.
// And the call's ledger. Part of the protocol; the runner's side includes it as well. What libgpu counts is here as it
// is there: no number in it is trusted.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gpu/facts.hpp>

#include "protocol/protocol.hpp"

namespace course::protocol {

// The maximum numbers sent: a report that is read at a glance needs no more.
inline constexpr std::uint32_t max_findings = 16;
inline constexpr std::uint32_t max_kernels = 16;
inline constexpr std::uint32_t max_lines = 512;
inline constexpr std::uint32_t max_shapes = 8;  ///< per kernel's launches

// Texts end at their first zero byte, or fill their array.

struct FindingRecord {
    std::uint32_t kind;  ///< a gpu::FindingKind
    std::uint32_t rule;  ///< the gpu::Rule that it breaks
    std::uint32_t reserved;
    std::int32_t line;
    std::uint64_t times;
    char kernel[128], file[256], variable[128];
    char what[768], who[768], advice[768];
};

struct KernelRecord {
    char name[128], file[256];
    char made_in[256];      ///< the C++ file that creates an elementwise or reduction kernel; empty: libgpu itself
    std::uint64_t launches, blocks, threads;
    gpu::LaunchCounts shapes[max_shapes];
    std::uint64_t shape_count;
    gpu::WorkCounts work;
    gpu::WorkSpread global_spread, shared_spread, atomic_spread;
    std::uint64_t accesses, span;          ///< work and span of all launches
    char rewritten[512];                   ///< gpu::KernelCounts::rewritten
    std::uint32_t first_line, line_count;  ///< its part of CheckRecord::lines; the parts are consecutive
};

struct LineRecord {
    char file[256];
    std::int32_t line;
    std::uint32_t reserved;
    gpu::WorkCounts work;
};

struct CheckRecord {
    std::uint32_t finding_count, kernel_count, line_count;
    std::uint32_t cut;           ///< 1: there were more kernels or lines than the record holds
    std::uint64_t all_findings;  ///< including those that the record doesn't hold
    FindingRecord findings[max_findings];
    KernelRecord kernels[max_kernels];
    LineRecord lines[max_lines];
};

// What the student's function asked of the device, as the runner writes it down while the call goes on: records in a
// part of the output memory of their own, so that they are there whatever becomes of the runner.

inline constexpr std::uint64_t max_ledger_records = 4096;

struct LedgerRecord {
    gpu::LedgerWork work;
    std::uint32_t line;
    char file[name_bytes];  ///< empty: the line isn't known
    char type[16];          ///< of the elements
    char name[96];          ///< a kernel's; what was waited for
};

struct LedgerPage {
    std::uint64_t count;  ///< of all that happened; only the first ones have records
    LedgerRecord records[max_ledger_records];
};

template <class Record>
inline constexpr bool is_plain = std::is_trivially_copyable_v<Record> && std::is_standard_layout_v<Record>;
static_assert(is_plain<Request> && is_plain<Reply> && is_plain<CheckRecord> && is_plain<LedgerPage>);
static_assert(ledger_offset + sizeof(LedgerPage) <= canary_offset);

}  // namespace course::protocol
