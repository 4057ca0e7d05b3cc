// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

// Convolutions: the same CUDA C++ on both backends. No text depends on the image's size.
namespace gpu::detail {

/// The last argument of these kernels, with its memory layout. Steps are in elements and may be negative.
struct ConvolveSpace {
    std::int64_t out_rows, out_columns;
    std::int64_t rows, columns, row_step, column_step;
    std::int64_t filter_rows, filter_columns, filter_row_step, filter_column_step;
    std::int64_t first_row, first_column;  ///< the image's element under the filter's first, for the first result
    std::int64_t boundary;                 ///< 0: fill, 1: wrap, 2: symm
    std::int64_t conjugates;               ///< 1: the filter is conjugated; 2: the result is, too
};

/// The accumulator type: for integers, unsigned ones, which wrap around. Halves are converted to floats before.
DType convolve_accumulator(DType element);

/// convolve2d_plain(const E* image, const E* filter, E* out, ConvolveSpace, A fill): each thread computes `strip`
/// neighbouring results of a row. No barrier, no shared memory: `strip` is 1 for GPUs, and a vector's width for the
/// host's loops.
RawText convolve_plain_text(DType element, int strip);

/// The layout of the tiled kernel: a block of `threads` computes a tile of width() x height() results, and each of its
/// threads `lines` below each other in each of `columns` columns.
struct ConvolveTile {
    static constexpr int threads = 256;
    int columns, lines;
    [[nodiscard]] int width() const noexcept { return 32 * columns; }
    [[nodiscard]] int height() const noexcept { return threads / 32 * lines; }
};
/// True if filters of this size have a kernel of their own: up to 5 x 5.
bool is_small_filter(DType element, std::int64_t filter_rows, std::int64_t filter_columns);
ConvolveTile convolve_small_tile(DType element);
/// convolve2d_small(the same), for filters of exactly this size: each thread loads its part of the image into
/// registers. For the first result, the address of the element under the filter's first weight, plus `head` elements,
/// is a multiple of `columns` elements. It adds in the same order as convolve2d_plain.
RawText convolve_small_text(DType element, std::int64_t filter_rows, std::int64_t filter_columns, int head);

/// `tall`: more lines per thread, if the type leaves registers for them. It is faster for filters with many weights;
/// the results are the same bits.
ConvolveTile convolve_tile(DType element, bool tall);
/// convolve2d_tiled(the same): each block copies the filter and its tile's part of the image to dynamic shared memory.
RawText convolve_tiled_text(DType element, bool tall);
/// The dynamic shared memory that it needs, in bytes.
std::int64_t convolve_tile_bytes(DType element, bool tall, std::int64_t filter_rows, std::int64_t filter_columns);

}  // namespace gpu::detail
