// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

// Kernels that scan, sort, count and search in sorted vectors: as those of indexing_text.
namespace gpu::detail {

/// The number of elements that a scan combines before their total becomes an element of the next scan up: see
/// order/scan_sum.cuh. It affects the result's bits: the same everywhere.
inline constexpr int scan_chunk = 16;

/// What a scan writes for an element: what the elements up to it combine to; the same without the element itself, after
/// a first value; or without that, where the very first result means nothing. Or for all elements of a part: one total.
enum class ScanResult : std::uint8_t { inclusive, exclusive, preceding, total };

/// A scan by an operation. Results have the accumulator's type. Where `starts` is true, a segmented scan begins again;
/// it has one line.
struct ScanTypes {
    DType input = DType::float32, accumulator = DType::float32;
    ScanResult result = ScanResult::inclusive;
    bool segmented = false;
    std::string operation = "a + b";  ///< an expression over `a` and `b`
    std::string name = "cumsum";      ///< the function that was called, for messages
    bool rounds_each = false;         ///< no operation is fused with another one, see rounds_each_operation()
    int chunk = scan_chunk;           ///< a power of two
};

/// scan_chunks(const X* x, const bool* starts, const A* before, A* out, bool* restarts, A init, long long lines, long
/// long n, long long inner): x is (lines, n, inner), dense; a thread has chunk * chunk elements along n. `before` has
/// what precedes each thread's elements, (lines, threads, inner); null if there is one thread. Totals are written to
/// `out` in that shape, and whether the scan began again to `restarts`. `init` is an exclusive scan's.
RawText scan_chunks_text(const ScanTypes& types);

/// The blocks of scan_tiles: each thread has a chunk, and `lanes` of them are at work on a line. If blocks wait for
/// each other's totals, these are all, and lines have several tiles of threads * chunk elements.
struct ScanBlock {
    int lanes = 1, threads = 256;
    bool waits = false;
};
/// Blocks that take tile after tile: as many as a multiprocessor has room for.
inline int scan_blocks_staying(DType accumulator) noexcept { return size_of(accumulator) > 4 ? 0 : 5; }
/// The 64-bit words of a scan's `state`, all 0, with blocks that wait.
constexpr std::int64_t scan_state(std::int64_t lines, std::int64_t tiles, std::size_t bytes) noexcept {
    return 1 + lines * (2 * tiles + 8) * static_cast<std::int64_t>((bytes + 3) / 4);
}
/// scan_tiles(const X* x, const bool* starts, unsigned long long* state, A* out, A init, long long lines, long long n):
/// a block for each threads / lanes lines; or, if blocks wait, for each tile, or fewer that stay. Then all tiles are
/// fewer than 2^32.
RawText scan_tiles_text(const ScanTypes& types, const ScanBlock& block);

/// A stable merge sort of consecutive lines of n elements: one thread each sorts runs of `sort_run` elements, then
/// pairs of sorted parts are merged, with `sort_chunk` results per thread, until a line is one part. `sort_chunk`
/// divides every merged pair except the last of a line.
inline constexpr std::int64_t sort_run = 16, long_sort_run = 64, sort_chunk = 32;

/// What is sorted: elements, or elements with their original positions in their line.
struct SortTypes {
    DType element = DType::float32;
    bool with_positions = false;
    int run = sort_run;  ///< its length, or that of the long ones
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

/// `U` for the bits of an element, and key_of(U) and digit_of(U, int shift) of the integer that has the order of all
/// elements.
std::string radix_key_text(DType element);
/// radix_counts(const U* x, Word* counts, long long n, int parts): `parts` blocks for each line add to (lines, passes,
/// 256) counts. `U` is the unsigned integer of the elements' size, and `Word` that of counts.
RawText radix_counts_text(const RadixTypes& types, const RadixTile& tile);
/// radix_pass(const U* x, const Word* from, U* keys, Word* places, long long* positions, const Word* counts, Word*
/// published, Word* next_published, unsigned* taken, long long n, unsigned tiles, int pass, int is_first): a block for
/// each of the `tiles` of each line. `published` are (lines, tiles, 256) zeros; the next pass's are set to 0. `taken`
/// is 0. Writes `keys` unless they are null, and, with positions, `positions` or else `places`; `from` are those of the
/// pass before.
RawText radix_pass_text(const RadixTypes& types, const RadixTile& tile);
/// radix_lines(const U* x, U* keys, long long* positions, long long lines, int n, int together, unsigned long long
/// inverse): a block for each `together` lines, which have at most a tile's elements; results that are null aren't
/// written. Positions are written and more than one line is taken together (up to 255) only by the text with positions.
/// The inverse is 2^32 / n, rounded up.
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

/// Where a kernel counts: in each block's shared memory, a bin in several cells, and at its end in the counts; in the
/// counts themselves; or each thread in a row of its own, so that `counts` has as many rows as there are threads.
enum class CountingPlace { shared, common, rows };

struct CountTypes {
    DType element = DType::int32;  ///< not of 16 bits with a fraction, not complex
    CountingPlace place = CountingPlace::shared;
    bool weighted = false;          ///< bincount: sums of weights, in double
    DType edges = DType::float32;   ///< histogram: float32 or float64
    DType rounded = edges;          ///< histogram: what the edges have been rounded to, perhaps float16 or bfloat16
    /// Bytes of shared memory that a bin takes in a block.
    [[nodiscard]] std::int64_t cell_bytes() const noexcept { return weighted ? 8 : 4; }
};

/// bincount(const X* x, const double* weights, R* counts, unsigned long long* largest, long long n, long long bins, int
/// copies): adds to counts, of type unsigned long long or double. `largest` may be null. A block counts fewer than 2^32
/// elements and has whole warps; in shared memory a bin has `copies` cells, a power of two.
RawText bincount_text(const CountTypes& types);
/// histogram(const X* x, const T* edges, unsigned long long* counts, long long n, long long bins, int copies): the same
/// for the bins between edges, which ascend at equal distances but for roundings.
RawText histogram_text(const CountTypes& types);
/// histogram_edges(const X* min_x, const X* max_x, double low, double high, T* edges, unsigned long long* counts, long
/// long bins, long long cells): bins + 1 edges, and zeros in `cells` counts. The ends are those that the first two
/// point to, or from null the next two.
RawText histogram_edges_text(const CountTypes& types);

}  // namespace gpu::detail
