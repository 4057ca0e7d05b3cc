// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gpu/facts.hpp>

#include "protocol/protocol_check.hpp"

namespace course {

using gpu::Finding;
using gpu::FindingKind;
using gpu::KernelCounts;
using gpu::LaunchCounts;
using gpu::LedgerLine;
using gpu::LineCounts;
using gpu::WorkCounts;
using gpu::WorkSpread;

/// What the runner says that gpu::check saw during a call. It can make a verdict worse or explain it, and nothing else.
/// All texts are plain and short.
struct CheckReport {
    std::vector<Finding> findings;
    std::uint64_t more_findings = 0;    ///< that aren't in the list
    std::vector<KernelCounts> kernels;  ///< without their texts
    bool cut = false;  ///< there were more kernels or lines
};

/// Copies a check record out of the shared memory, once, and sanitises it: checks every count and makes every text
/// plain. @throws BadReply if no honest runner could have sent it.
CheckReport take_check(std::span<const std::byte> memory, std::uint64_t offset);

/// What a call asked of the device, in order.
struct LedgerReport {
    std::vector<LedgerLine> lines;
    std::uint64_t left_out = 0;  ///< after these
};

/// Reads what a runner has recorded so far without trusting it; impossible records are skipped.
LedgerReport take_ledger(std::span<const std::byte> page);

}  // namespace course
