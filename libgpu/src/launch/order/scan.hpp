// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/array_core.hpp>
#include <gpu/indexable.hpp>

#include "codegen/order_text.hpp"

namespace gpu::detail {

/// A dense array as `lines` times `n` times `inner` elements, to be scanned along the middle axis.
struct ScanSpace {
    std::int64_t lines = 1, n = 0, inner = 1;
    [[nodiscard]] std::int64_t chunks() const noexcept { return (n + scan_chunk - 1) / scan_chunk; }
};

/// How an array of this shape divides up along an axis, or as a flat one. @throws AxisError
ScanSpace scan_space(const Shape& shape, OptionalAxis axis);

/// The type that a scan reads a value as: integers are widened as they are read, other conversions take a kernel.
DType scan_input(const Node& value, DType accumulator);

/// Scans `input` into `output`, which may be the same array. Chunks of a fixed length are summed first and their totals
/// scanned the same way, so the order of additions depends only on n.
void scan(const ArrayCore& input, const ArrayCore& output, const ScanTypes& types, const ScanSpace& space);

/// The totals up to and including each chunk, (lines, chunks, inner), in the accumulator's type.
ArrayCore scanned_totals(const ArrayCore& input, const ScanTypes& types, const ScanSpace& space);

}  // namespace gpu::detail
