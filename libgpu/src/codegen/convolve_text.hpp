// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

// Sums of a filter times an image below it: the same CUDA C++ on both backends. No text depends on the image's size.
namespace gpu::detail {

/// What both kernels get beside the arrays, as it lies in memory. Steps are in elements and may be negative.
struct ConvolveSpace {
    std::int64_t out_rows, out_columns;
    std::int64_t rows, columns, row_step, column_step;
    std::int64_t filter_rows, filter_columns, filter_row_step, filter_column_step;
    std::int64_t first_row, first_column;  ///< the image's element below the filter's first, for the first result
    std::int64_t boundary;                 ///< 0: fill, 1: wrap, 2: symm
    std::int64_t conjugates;               ///< 1: the filter is conjugated; 2: the result is, too
};

/// What is added up in: unsigned integers, which wrap around, for integers. Halves are converted to floats before.
DType convolve_accumulator(DType element);

/// convolve2d_plain(const E* image, const E* filter, E* out, ConvolveSpace, A fill): a thread makes `strip`
/// neighbours of a row. No barrier, no shared memory: 1 for GPUs, what a vector instruction takes for the host's loops.
RawText convolve_plain_text(DType element, int strip);

/// How the tiled kernel works: a block of `threads` makes a tile of width() x height() results, a thread of it `lines`
/// below each other in each of `columns` columns.
struct ConvolveTile {
    static constexpr int threads = 256;
    int columns, lines;
    [[nodiscard]] int width() const noexcept { return 32 * columns; }
    [[nodiscard]] int height() const noexcept { return threads / 32 * lines; }
};
/// True if filters of this size have a kernel of their own: up to 5 x 5.
bool is_small_filter(DType element, std::int64_t filter_rows, std::int64_t filter_columns);
ConvolveTile convolve_small_tile(DType element);
/// convolve2d_small(the same), for filters of this size alone: a thread reads its image's numbers into registers. The
/// address of what lies below the filter's first weight for the first result, and `head` elements, is a multiple of
/// `columns` elements. It adds up as convolve2d_plain does.
RawText convolve_small_text(DType element, std::int64_t filter_rows, std::int64_t filter_columns, int head);

/// `tall`: more lines a thread, if the type leaves registers for them. It is faster where a filter has many weights;
/// the results are the same bits.
ConvolveTile convolve_tile(DType element, bool tall);
/// convolve2d_tiled(the same): a block copies the filter and what its tile needs of the image to dynamic shared memory.
RawText convolve_tiled_text(DType element, bool tall);
/// The bytes of dynamic shared memory that it takes.
std::int64_t convolve_tile_bytes(DType element, bool tall, std::int64_t filter_rows, std::int64_t filter_columns);

}  // namespace gpu::detail
