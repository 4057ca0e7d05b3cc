// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/array_core.hpp>

#include "codegen/selection_text.hpp"
#include "launch/order/sort.hpp"

namespace gpu::detail {

/// True if the k largest of each line are found faster than by sorting all.
bool selects_largest(const ArrayCore& lines, std::int64_t k);

/// The k largest elements of the lines along the last axis of a dense array, with their positions: the largest first,
/// of equal ones the first. k is neither 0 nor more than there are.
SortedLines largest_selected(const ArrayCore& lines, std::int64_t k, const SelectTile& tile = {});

/// How lines are parted.
struct PartWay {
    bool by_blocks = false;  ///< of threads that share memory, a tile a block; else a thread has a chunk
    bool selects = false;    ///< by blocks: nothing is sorted
    SelectTile tile = {};
};
PartWay part_way(const ArrayCore& lines);

/// The lines along the last axis of a dense array, which has elements, parted at the element that sorting puts at
/// `kth`: the smaller ones, those that equal it, the larger ones, each in their order; or their positions alone.
ArrayCore parted(const ArrayCore& lines, std::int64_t kth, bool positions, const PartWay& way);

}  // namespace gpu::detail
