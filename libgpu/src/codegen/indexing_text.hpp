// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>
#include <gpu/shape.hpp>

#include "codegen/kernel_text.hpp"

// Kernels of libgpu's own that no skeleton fits: the same CUDA C++ on both backends, a thread an element or a chunk,
// without barriers, so that the host backend runs them as loops.
namespace gpu::detail {

/// What take and put kernels are specialised on.
struct GatherTypes {
    DType element = DType::float32;  ///< take and put look at its size alone
    DType index = DType::int32;
    int result_rank = 1, axis_rank = 1;
};

/// take(const E* x, const I* index, E* out, Walk walk, Fault* fault): `out` is dense. Walk is numbers of 64 bits: see
/// launch/gather.cpp; Fault is runtime/index_faults.hpp's IndexFault.
RawText take_text(const GatherTypes& types);
/// put(E* x, const I* index, const E* values, Walk walk, Fault* fault, const long long* count): with `count`, nothing
/// is written unless it is `walk.expected`.
RawText put_text(const GatherTypes& types);
/// As put, but adds by atomics. `element` is int32, uint32, int64, uint64, float32 or float64.
RawText add_at_text(const GatherTypes& types);

/// How many elements one thread of a scan goes through. Part of the result's bits: the same everywhere.
inline constexpr std::int64_t scan_chunk = 128;

/// A cumulative sum or product. The input is (lines, n, inner), dense; so are chunks' results: (lines, chunks, inner).
struct ScanTypes {
    DType input = DType::float32, accumulator = DType::float32, output = DType::float32;
    bool product = false;
};
/// scan_totals(const X* x, A* totals, long long lines, long long n, long long inner): one total a chunk.
RawText scan_totals_text(const ScanTypes& types);
/// scan_chunks(const X* x, const A* totals, O* out, long long lines, long long n, long long inner): `totals` are
/// scanned already; null where a line is one chunk.
RawText scan_chunks_text(const ScanTypes& types);

/// mask_positions(const bool* mask, const long long* totals, long long* positions, long long n, long long limit): where
/// the mask is true, in order; at most `limit` of them.
RawText mask_positions_text();

/// A stable merge sort of lines of n elements that lie one after the other: runs of `sort_run` elements are sorted by a
/// thread each, then pairs of sorted parts are merged, `sort_chunk` results by each thread, until a line is one part.
/// `sort_chunk` divides every merged pair but the last of a line.
inline constexpr std::int64_t sort_run = 16, sort_chunk = 32;

/// What is sorted: elements, or elements and where they were in their line.
struct SortTypes {
    DType element = DType::float32;
    bool with_positions = false;
};

/// sort_runs(const E* x, E* keys, long long* positions, long long lines, long long n); without positions, null.
RawText sort_runs_text(const SortTypes& types);
/// sort_merge(const E* x, const long long* from, E* keys, long long* positions, long long lines, long long n,
/// long long width): parts of this width become parts of twice the width.
RawText sort_merge_text(const SortTypes& types);

/// histogram(const T* x, const T* edges, unsigned long long* counts, long long n, long long bins): adds to counts.
/// `element` is float32 or float64.
RawText histogram_text(DType element);

}  // namespace gpu::detail
