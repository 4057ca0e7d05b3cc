// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

// Kernels that scan, sort and search in sorted vectors: as those of indexing_text.
namespace gpu::detail {

/// The number of elements that one thread of a scan covers. It affects the result's bits: the same everywhere.
inline constexpr std::int64_t scan_chunk = 128;

/// A cumulative sum or product. The input is (lines, n, inner), dense; the chunks' results are (lines, chunks, inner).
struct ScanTypes {
    DType input = DType::float32, accumulator = DType::float32, output = DType::float32;
    bool product = false;
};
/// scan_totals(const X* x, A* totals, long long lines, long long n, long long inner): one total per chunk.
RawText scan_totals_text(const ScanTypes& types);
/// scan_chunks(const X* x, const A* totals, O* out, long long lines, long long n, long long inner): `totals` are
/// scanned already; null if a line is one chunk.
RawText scan_chunks_text(const ScanTypes& types);

/// A scan by an operation. The input is (lines, n, inner), dense; the chunks' results are (lines, chunks, inner).
/// Results have the accumulator's type. Where `starts` is true, a segmented scan begins again; it has one line.
struct ScanByTypes {
    DType input = DType::float32, accumulator = DType::float32;
    bool segmented = false, exclusive = false;
    std::string operation;  ///< an expression over `a` and `b`
    std::string name;       ///< the function that was called, for messages
};

/// scan_by_totals(const X* x, const bool* starts, A* totals, bool* restarts, long long lines, long long n, long long
/// inner): one total per chunk. Unless it is segmented, `starts` and `restarts` aren't read or written.
RawText scan_by_totals_text(const ScanByTypes& types);
/// scan_by_chunks(const X* x, const bool* starts, const A* totals, A* out, A init, long long lines, long long n, long
/// long inner): `totals` are scanned already; null if a line is one chunk. `init` is an exclusive scan's.
RawText scan_by_chunks_text(const ScanByTypes& types);

/// A stable merge sort of consecutive lines of n elements: one thread each sorts runs of `sort_run` elements, then
/// pairs of sorted parts are merged, with `sort_chunk` results per thread, until a line is one part. `sort_chunk`
/// divides every merged pair except the last of a line.
inline constexpr std::int64_t sort_run = 16, sort_chunk = 32;

/// What is sorted: elements, or elements with their original positions in their line.
struct SortTypes {
    DType element = DType::float32;
    bool with_positions = false;
};

/// sort_runs(const E* x, E* keys, long long* positions, long long lines, long long n); without positions, null.
RawText sort_runs_text(const SortTypes& types);
/// sort_merge(const E* x, const long long* from, E* keys, long long* positions, long long lines, long long n, long long
/// width): merges parts of this width into parts of twice the width.
RawText sort_merge_text(const SortTypes& types);

/// A stable radix sort of consecutive lines of n elements, for devices whose threads share memory: a block takes a tile
/// of elements at a time, and sorts it by 8 bits of their keys.
struct RadixTile {
    int threads = 256;  ///< of a block: a multiple of 32, 256 or more
    int items = 8;      ///< of a thread
    int resident = 1;   ///< blocks that a multiprocessor should have room for
    [[nodiscard]] std::int64_t size() const noexcept { return std::int64_t{threads} * items; }
};
struct RadixTypes : SortTypes {
    bool wide = false;  ///< positions and counts have 64 bits: for lines of 2^30 elements and more
};

/// The number of passes: of digits of a key.
inline int radix_passes(DType element) noexcept { return static_cast<int>(size_of(element)); }
inline constexpr int radix_digits = 256;

/// radix_counts(const U* x, Word* counts, long long n, int parts): `parts` blocks for each line add to (lines, passes,
/// 256) counts. `U` is the unsigned integer of the elements' size, and `Word` that of counts.
RawText radix_counts_text(const RadixTypes& types, const RadixTile& tile);
/// radix_pass(const U* x, const Word* from, U* keys, Word* places, long long* positions, const Word* counts, Word*
/// published, Word* next_published, unsigned* taken, long long n, int pass, int is_first): a block for each tile of
/// each line. `published` are (lines, tiles, 256) zeros; the next pass's are set to 0. `taken` is 0. Writes `keys`
/// unless they are null, and, with positions, `positions` or else `places`; `from` are those of the pass before.
RawText radix_pass_text(const RadixTypes& types, const RadixTile& tile);
/// radix_lines(const U* x, U* keys, long long* positions, long long lines, int n, int together): a block for each
/// `together` lines, which have at most a tile's elements; results that are null aren't written. Positions are written
/// and more than one line is taken together (up to 255) only by the text with positions.
RawText radix_lines_text(const RadixTypes& types, const RadixTile& tile);

/// The same for threads that share nothing, each with a chunk of a line: the first thread of a block does the work.
/// radix_chunk_counts(const U* x, Word* counts, long long n, int chunks, int pass): (lines, chunks, 256) counts.
RawText radix_chunk_counts_text(const RadixTypes& types);
/// radix_chunk_moves(const U* x, const Word* from, U* keys, Word* places, long long* positions, const Word* counts,
/// long long n, int chunks, int pass, int is_first): as radix_pass.
RawText radix_chunk_moves_text(const RadixTypes& types);

/// search_sorted(const E* sorted, const E* values, long long* places, long long n, long long count, int after, int
/// either_way). The elements aren't float16.
RawText search_sorted_text(DType element);
/// is_in(const E* sorted, const E* values, bool* found, long long n, long long count, int invert)
RawText is_in_text(DType element);

}  // namespace gpu::detail
