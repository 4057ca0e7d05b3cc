// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "protocol/protocol.hpp"
#include "protocol/protocol_check.hpp"

namespace course::protocol {

/// A member of WorkRecord and its name.
struct WorkCount {
    std::string_view name;
    std::uint64_t WorkRecord::*value;
};

// libgpu's table of its own members is libgpu/src/counts.hpp. The runner copies member by member, so a name that is
// missing in one doesn't compile there.
#define COURSE_WORK_COUNT(member) \
    WorkCount { #member, &WorkRecord::member }
inline constexpr std::array work_counts = {
    COURSE_WORK_COUNT(global_reads),
    COURSE_WORK_COUNT(global_writes),
    COURSE_WORK_COUNT(global_bytes_read),
    COURSE_WORK_COUNT(global_bytes_written),
    COURSE_WORK_COUNT(global_bytes_used),
    COURSE_WORK_COUNT(global_requests),
    COURSE_WORK_COUNT(global_sectors),
    COURSE_WORK_COUNT(global_segments),
    COURSE_WORK_COUNT(shared_reads),
    COURSE_WORK_COUNT(shared_writes),
    COURSE_WORK_COUNT(shared_bytes_read),
    COURSE_WORK_COUNT(shared_bytes_written),
    COURSE_WORK_COUNT(shared_requests),
    COURSE_WORK_COUNT(shared_wavefronts),
    COURSE_WORK_COUNT(atomics),
    COURSE_WORK_COUNT(global_atomics),
    COURSE_WORK_COUNT(atomic_requests),
    COURSE_WORK_COUNT(atomic_turns),
    COURSE_WORK_COUNT(barriers),
    COURSE_WORK_COUNT(warp_operations),
    COURSE_WORK_COUNT(divergent_requests),
    COURSE_WORK_COUNT(double_operations),
};
#undef COURSE_WORK_COUNT
static_assert(sizeof(WorkRecord) == work_counts.size() * sizeof(std::uint64_t), "a new count has no name yet");

// What the student's function asked of the device, recorded by the runner during the call in a separate part of the
// output memory, so that the records survive the runner.

/// In gpu::LedgerEntry::Kind's order (the runner's ledger.cpp compares them).
enum class LedgerKind : std::uint32_t {
    allocation,
    free,
    copy_to_device,
    copy_to_host,
    copy_on_device,
    launch,
    linear_algebra,
    wait,
    print
};
inline constexpr std::uint32_t ledger_kinds = 9;

inline constexpr std::uint64_t max_ledger_records = 4096;

struct LedgerRecord {
    LedgerKind kind;
    std::uint32_t line;
    std::uint64_t bytes;
    std::int64_t elements;  ///< 0: not known
    std::int64_t grid[3], block[3];
    std::uint32_t waits, pooled;  ///< 1: a copy that the host waited for; memory from, or returned to, the pool
    std::uint32_t pageable_async;   ///< 1: an asynchronous copy of pageable memory
    std::uint32_t between_devices;  ///< 1: a copy from another device
    char file[name_bytes];        ///< empty: the line isn't known
    char type[16];                ///< of the elements
    char name[96];                ///< a kernel's; what was waited for
};

struct LedgerPage {
    std::uint64_t count;  ///< of all that happened; only the first ones have records
    LedgerRecord records[max_ledger_records];
};

static_assert(ledger_offset + sizeof(LedgerPage) <= canary_offset);

}  // namespace course::protocol
