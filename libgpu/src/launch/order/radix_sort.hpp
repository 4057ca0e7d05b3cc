// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "codegen/order_text.hpp"
#include "launch/order/sort.hpp"

namespace gpu::detail {

/// How many elements blocks take at a time.
struct RadixTiles {
    RadixTile counts, pass, lines;
    bool wide = false;  ///< 64 bits for counts and positions
};

/// What is fast for so many lines of this length.
RadixTiles radix_tiles(const SortTypes& types, std::int64_t n, std::int64_t lines);

/// The lines along the last axis of a dense array, which has elements, in ascending order: their elements, and, with
/// positions, where each was in its line. Without `keys`, those aren't made: positions alone.
SortedLines radix_sorted(const ArrayCore& lines, bool keys, bool with_positions, const RadixTiles& tiles);

/// The same for threads that share nothing, each with a part of a line.
struct RadixChunks {
    int count = 1;  ///< of a line
    bool wide = false;
};

/// Enough for so many workers.
RadixChunks radix_chunks(std::int64_t n, std::int64_t lines, int workers);

/// As radix_sorted().
SortedLines chunk_sorted(const ArrayCore& lines, bool keys, bool with_positions, const RadixChunks& chunks);

}  // namespace gpu::detail
