// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/array_core.hpp>

namespace gpu::detail {

/// The lines along the last axis of a dense array in ascending order, and where each element was in its line.
struct SortedLines {
    ArrayCore keys, positions;
};
SortedLines sorted_with_positions(const ArrayCore& lines);

}  // namespace gpu::detail
