// SPDX-License-Identifier: MIT
#pragma once

// What the student's function asked of the device, as the runner writes it down while the call goes on: records in a
// part of the output memory of their own, so that they are there whatever becomes of the runner.

#include <cstddef>
#include <cstdint>

#include "protocol/protocol.hpp"

namespace course::protocol {

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

inline constexpr std::uint64_t most_ledger_records = 4096;

struct LedgerRecord {
    LedgerKind kind;
    std::uint32_t line;
    std::uint64_t bytes;
    std::int64_t elements;  ///< 0: not known
    std::int64_t grid[3], block[3];
    std::uint32_t waits, pooled;  ///< 1: a copy for which the host waited; memory that the pool had, or took back
    std::uint32_t pageable_async;   ///< 1: an asynchronous copy of pageable memory
    std::uint32_t between_devices;  ///< 1: a copy from another device
    char file[name_bytes];        ///< empty: the line isn't known
    char type[16];                ///< of the elements
    char name[96];                ///< a kernel's; what was waited for
};

struct LedgerPage {
    std::uint64_t count;  ///< of all that happened; only the first ones have records
    LedgerRecord records[most_ledger_records];
};

static_assert(ledger_offset + sizeof(LedgerPage) <= canary_offset);

}  // namespace course::protocol
