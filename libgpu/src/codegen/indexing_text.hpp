// SPDX-License-Identifier: MIT
#pragma once

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

/// take(const E* x, const I* index, E* out, Walk walk, Fault* fault): `out` is dense. Walk consists of 64-bit numbers:
/// see launch/gather.cpp; Fault is runtime/index_faults.hpp's IndexFault.
RawText take_text(const GatherTypes& types);
/// put(E* x, const I* index, const E* values, Walk walk, Fault* fault, const long long* count): if `count` isn't null,
/// nothing is written unless it equals `walk.expected`.
RawText put_text(const GatherTypes& types);
/// Like put, but adds with atomics. `element` is int32, uint32, int64, uint64, float32 or float64.
RawText add_at_text(const GatherTypes& types);

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

/// mask_positions(const bool* mask, const long long* totals, long long* positions, long long n, long long limit): the
/// positions where the mask is true, in order; at most `limit` of them.
RawText mask_positions_text();

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

/// lookup(const unsigned long long* edges, const unsigned long long* x, O* out, long long count, long long n, long long
/// first): `first` and the number of the edges, which ascend, that are at most x. `result` is any integer type.
RawText lookup_text(DType result);

/// interp(const T* x, const T* places, const T* values, T* out, long long count, long long n, double left, double right,
/// int has_left, int has_right): between `count` points. `element` is float32 or float64.
RawText interp_text(DType element);

/// histogram(const T* x, const T* edges, unsigned long long* counts, long long n, long long bins): adds to counts.
/// `element` is float32 or float64.
RawText histogram_text(DType element);

}  // namespace gpu::detail
