// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

// Kernels that find the k largest elements of lines without sorting them: as those of order_text. `U` is the unsigned
// integer of the elements' size.
namespace gpu::detail {

/// What a block of 256 threads takes at a time.
struct SelectTile {
    int items = 16;  ///< of a thread
    static constexpr int threads = 256;
    [[nodiscard]] std::int64_t size() const noexcept { return std::int64_t{threads} * items; }
};

/// What is known of a line's k-th largest key after some digits, as the kernels lay it out.
inline constexpr std::int64_t select_step_words = 2;

/// select_counts(const U* x, unsigned long long* counts, Chosen* chosen, long long n, long long k, int parts, int
/// pass): `parts` blocks for each line add to (lines, passes, 256) counts, which were 0, and write (lines, passes + 1)
/// steps: those of the pass. One launch for each pass of radix_passes().
RawText select_counts_text(DType element, const SelectTile& tile);
/// select_tile_counts(const U* x, const unsigned long long* counts, Chosen* chosen, long long* totals, long long n,
/// long long tiles): a block for each tile of each line. Totals are (lines, 2, tiles): the larger elements, and the
/// equal. Counts are null where the last step is there already.
RawText select_tile_counts_text(DType element, const SelectTile& tile);
/// select_kept(const U* x, const Chosen* chosen, const long long* totals, U* keys, long long* positions, long long n,
/// long long tiles, long long k): the totals are their cumulative sums by now. The results are (lines, k).
RawText select_kept_text(DType element, const SelectTile& tile);
/// select_parts(const U* x, const Chosen* chosen, const long long* totals, U* keys, long long* positions, long long n,
/// long long tiles): the smaller, the equal and the larger ones; results that are null aren't written.
RawText select_parts_text(DType element, const SelectTile& tile);
/// select_ordered(const U* sorted, const long long* order, const long long* from, U* keys, long long* positions, long
/// long k, long long count): a thread for each of `count` elements, lines of k.
RawText select_ordered_text(DType element);
/// select_known(const U* sorted, Chosen* chosen, long long n, long long kth, long long lines): the last step, from
/// lines that are sorted.
RawText select_known_text(DType element);

/// What a thread takes of a line where threads share nothing.
inline constexpr std::int64_t select_chunk = 1024;
/// select_chunk_counts(const U* x, const Chosen* chosen, long long* totals, long long n, long long chunks, long long
/// count): as select_tile_counts, by `count` threads.
RawText select_chunk_counts_text(DType element);
/// select_chunk_parts(const U* x, const Chosen* chosen, const long long* totals, U* keys, long long* positions,
/// long long n, long long chunks, long long count): as select_parts.
RawText select_chunk_parts_text(DType element);

}  // namespace gpu::detail
