// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

// Kernels for scans by an operation of the program's, and for searches in sorted vectors: as those of indexing_text.
namespace gpu::detail {

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

/// search_sorted(const E* sorted, const E* values, long long* places, long long n, long long count, int after, int
/// either_way). The elements aren't float16.
RawText search_sorted_text(DType element);
/// is_in(const E* sorted, const E* values, bool* found, long long n, long long count, int invert)
RawText is_in_text(DType element);

}  // namespace gpu::detail
