// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "host/check/checked_memory.hpp"
#include "host/check/raw_finding.hpp"
#include "host/check/stream_order.hpp"

// Copies and fills access whole pieces of arrays at once, without a kernel's instructions. Their stamps are put into
// cells only where something else may run at the same time, so a program with one stream pays nothing for them.
namespace gpu::detail::host {

/// Puts these operations' copies into their arrays' cells, unless they are there.
void remember_copies(CheckedMemory& memory, StreamOrder& order, const UnorderedOperations& operations);

/// An access to this piece that one of the operations made, and that races with the copy; nothing if none does.
/// The finding's variable is left empty. `array`: where the piece lies.
std::optional<RawFinding> conflict_of(CheckedMemory& memory, const CopiedPiece& piece,
                                      const UnorderedOperations& operations, std::uintptr_t& array);

/// What a finding tells of the operation that came before.
void describe_other(RawFinding& finding, const StreamOperation& operation, Stamp stamp, bool wrote);

}  // namespace gpu::detail::host
