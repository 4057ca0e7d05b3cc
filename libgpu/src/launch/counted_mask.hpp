// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/array_core.hpp>

namespace gpu::detail {

/// A dense mask and its true elements, counted chunk by chunk and added up on the device: nothing waits.
struct CountedMask {
    explicit CountedMask(const NodePointer& mask);

    /// How many there are, as a 0-d array of int64. Not for a mask without elements.
    [[nodiscard]] ArrayCore count() const;
    /// Where the first `limit` of them are in the flat mask, as int64; what lies beyond their number isn't written.
    [[nodiscard]] ArrayCore positions(std::int64_t limit) const;

    ArrayCore core;
    std::int64_t size;
    ArrayCore totals;
};

}  // namespace gpu::detail
