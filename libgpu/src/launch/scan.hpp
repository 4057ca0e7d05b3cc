// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/array_core.hpp>

#include "codegen/indexing_text.hpp"

namespace gpu::detail {

/// A dense array as `lines` times `n` times `inner` elements, to be scanned along the middle axis.
struct ScanSpace {
    std::int64_t lines = 1, n = 0, inner = 1;
    [[nodiscard]] std::int64_t chunks() const noexcept { return (n + scan_chunk - 1) / scan_chunk; }
};

/// Scans `input` into `output`, which may be the same array. Chunks of a fixed length are summed first and their totals
/// scanned the same way, so the order of additions depends only on n.
void scan(const ArrayCore& input, const ArrayCore& output, const ScanTypes& types, const ScanSpace& space);

/// The totals up to and including each chunk, (lines, chunks, inner), in the accumulator's type.
ArrayCore scanned_totals(const ArrayCore& input, const ScanTypes& types, const ScanSpace& space);

}  // namespace gpu::detail
