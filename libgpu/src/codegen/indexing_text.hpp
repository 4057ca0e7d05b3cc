// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <gpu/dtype.hpp>
#include <gpu/shape.hpp>

#include "codegen/kernel_text.hpp"

// libgpu's own kernels outside the skeletons: the same CUDA C++ on both backends, one thread per element or chunk,
// without barriers, so that the host backend runs them as loops.
namespace gpu::detail {

/// The types that take and put kernels are specialised for.
struct GatherTypes {
    DType element = DType::float32;  ///< take and put only use its size
    DType index = DType::int32;
    int result_rank = 1, axis_rank = 1;
};

/// The elements of a thread of take(): of 16 bytes two, which waits less for memory.
inline std::int64_t taken_each(DType element) noexcept { return size_of(element) == 16 ? 2 : 1; }

/// take(const E* x, const I* index, E* out, Walk walk, Fault* fault): `out` is dense. Walk consists of 64-bit numbers:
/// see launch/gather.cpp; Fault is runtime/index_faults.hpp's IndexFault.
RawText take_text(const GatherTypes& types);
/// put(E* x, const I* index, const E* values, Walk walk, Fault* fault, const long long* count): if `count` isn't null,
/// nothing is written unless it equals `walk.expected`.
RawText put_text(const GatherTypes& types);
/// Like put, but adds with atomics. `element` is int32, uint32, int64, uint64, float32 or float64.
RawText add_at_text(const GatherTypes& types);

/// The elements of a mask that a thread goes through.
inline constexpr std::int64_t mask_chunk = 128;
/// mask_chunk_counts(const bool* mask, long long* counts, long long n): the number of true elements of each chunk.
RawText mask_chunk_counts_text();
/// mask_positions(const bool* mask, const long long* totals, long long* positions, long long n, long long limit): the
/// positions where the mask is true, in order; at most `limit` of them. `totals` are the counts' cumulative sums.
RawText mask_positions_text();

/// What a block goes through, `threads` elements at a time.
struct MaskTile {
    int threads = 256, rounds = 16;
    [[nodiscard]] std::int64_t size() const noexcept { return std::int64_t{threads} * rounds; }
};
/// mask_tile_counts(const bool* mask, long long* counts, long long n): the number of true elements of each tile.
RawText mask_tile_counts_text(const MaskTile& tile);
/// mask_tile_kept(const bool* mask, const E* x, const long long* totals, E* out, long long n, long long limit): the
/// elements of x, of so many bytes, where the mask is true, in order; at most `limit`. Or their positions, as int64; x
/// isn't read then.
RawText mask_tile_kept_text(std::size_t bytes, bool positions, const MaskTile& tile);

/// lookup(const unsigned long long* edges, const unsigned long long* x, O* out, long long count, long long n, long long
/// first): `first` and the number of the edges, which ascend, that are at most x. `result` is any integer type.
RawText lookup_text(DType result);

/// interp(const T* x, const T* places, const T* values, T* out, long long count, long long n, double left, double
/// right, int has_left, int has_right): between `count` points. `element` is float32 or float64.
RawText interp_text(DType element);

}  // namespace gpu::detail
