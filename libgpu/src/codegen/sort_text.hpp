// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

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
