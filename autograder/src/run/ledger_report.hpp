// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "protocol/protocol_ledger.hpp"

namespace course {

using protocol::LedgerKind;

/// One allocation, copy, launch or wait of a call, with the line that asked for it.
struct LedgerLine {
    LedgerKind kind = LedgerKind::launch;
    std::string file;  ///< without folders; empty: not known
    int line = 0;
    std::uint64_t bytes = 0;
    std::int64_t elements = 0;  ///< 0: not known
    std::string type = {};      ///< of the elements
    std::string name = {};      ///< a kernel's, or what was waited for
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    bool waits = false, pooled = false, pageable_async = false, between_devices = false;
    friend bool operator==(const LedgerLine&, const LedgerLine&) = default;
};

/// What a call asked of the device, in order.
struct LedgerReport {
    std::vector<LedgerLine> lines;
    std::uint64_t left_out = 0;  ///< that happened after these
};

/// Reads what a runner has written so far; nothing of it is trusted, and a record that can't be is left out.
LedgerReport take_ledger(std::span<const std::byte> page);

}  // namespace course
