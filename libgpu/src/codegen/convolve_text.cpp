// SPDX-License-Identifier: MIT
#include "codegen/convolve_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace gpu::detail {

namespace {

constexpr std::string_view head = R"(
struct Space {
    long long out_rows, out_columns, rows, columns, row_step, column_step;
    long long filter_rows, filter_columns, filter_row_step, filter_column_step;
    long long first_row, first_column, boundary, conjugates;
};

// The element of n that stands for the place `at`, which may be far beyond the edge; -1: none, the fill value.
__device__ inline long long extended(long long at, long long n, long long boundary) {
    if (at >= 0 && at < n) return at;
    if (boundary == 0) return -1;
    const long long period = boundary == 1 ? n : 2 * n;
    at %= period;
    if (at < 0) at += period;
    return at < n ? at : period - 1 - at;
}

__device__ inline A weight(E w, const Space& s) { return s.conjugates != 0 ? conjugate(A(w)) : A(w); }
__device__ inline E result(A sum, const Space& s) { return E(s.conjugates == 2 ? conjugate(sum) : sum); }
)";

constexpr std::string_view plain_kernel = R"(
extern "C" __global__ void convolve2d_plain(const E* image, const E* filter, E* out, const Space s, const A fill) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long strips = (s.out_columns + strip - 1) / strip;
    if (t >= strips * s.out_rows) return;
    const long long row = t / strips, column = t % strips * strip, left = column + s.first_column;
    const bool inside = s.column_step == 1 && left >= 0 && left + strip - 1 + s.filter_columns <= s.columns;
    A sum[strip];
#pragma unroll
    for (int v = 0; v < strip; ++v) sum[v] = A();
    for (long long j = 0; j < s.filter_rows; ++j) {
        const long long r = extended(row + s.first_row + j, s.rows, s.boundary);
        const E* const weights = filter + j * s.filter_row_step;
        const E* const line = image + (r < 0 ? 0 : r) * s.row_step;
        if (inside && r >= 0) {
            for (long long k = 0; k < s.filter_columns; ++k) {
                const A w = weight(weights[k * s.filter_column_step], s);
                const E* const from = line + (left + k);
#pragma unroll
                for (int v = 0; v < strip; ++v) sum[v] += A(from[v]) * w;
            }
        } else {
            for (long long k = 0; k < s.filter_columns; ++k) {
                const A w = weight(weights[k * s.filter_column_step], s);
                for (int v = 0; v < strip; ++v) {
                    const long long c = extended(left + k + v, s.columns, s.boundary);
                    sum[v] += (r < 0 || c < 0 ? fill : A(line[c * s.column_step])) * w;
                }
            }
        }
    }
    for (int v = 0; v < strip && column + v < s.out_columns; ++v) {
        out[row * s.out_columns + column + v] = result(sum[v], s);
    }
}
)";

// A thread makes `lines` results below each other, so it reads an element of the tile once for all of them.
constexpr std::string_view tiled_kernel = R"(
extern "C" __global__ void convolve2d_tiled(const E* image, const E* filter, E* out, const Space s, const A fill) {
    extern __shared__ A shared[];
    const int filter_rows = (int)s.filter_rows, filter_columns = (int)s.filter_columns;
    const int span = width + filter_columns - 1, depth = height + filter_rows - 1;
    A* const weights = shared;
    A* const tile = shared + filter_rows * filter_columns;
    const unsigned across = (unsigned)((s.out_columns + width - 1) / width);
    const long long row = (long long)(blockIdx.x / across) * height, column = (long long)(blockIdx.x % across) * width;
    const long long top = row + s.first_row, left = column + s.first_column;
    const int x = threadIdx.x % width, y = threadIdx.x / width;

    for (int i = threadIdx.x; i < filter_rows * filter_columns; i += threads) {
        weights[i] =
            weight(filter[i / filter_columns * s.filter_row_step + i % filter_columns * s.filter_column_step], s);
    }
    if (top >= 0 && left >= 0 && top + depth <= s.rows && left + span <= s.columns) {
        for (int r = y; r < depth; r += threads / width) {
            const E* const line = image + (top + r) * s.row_step + left * s.column_step;
            for (int c = x; c < span; c += width) tile[r * span + c] = A(line[c * s.column_step]);
        }
    } else {
        for (int r = y; r < depth; r += threads / width) {
            const long long from = extended(top + r, s.rows, s.boundary);
            for (int c = x; c < span; c += width) {
                const long long at = extended(left + c, s.columns, s.boundary);
                tile[r * span + c] = from < 0 || at < 0 ? fill : A(image[from * s.row_step + at * s.column_step]);
            }
        }
    }
    __syncthreads();

    A sum[lines];
#pragma unroll
    for (int v = 0; v < lines; ++v) sum[v] = A();
    for (int k = 0; k < filter_columns; ++k) {
        const A* const below = tile + y * lines * span + x + k;
        A window[lines];  // a ring: the element j + v below the first is in window[(j + v) % lines]
#pragma unroll
        for (int v = 0; v < lines - 1; ++v) window[v] = below[v * span];
        for (int first = 0; first < filter_rows; first += lines) {
#pragma unroll
            for (int j = 0; j < lines; ++j) {
                if (first + j >= filter_rows) break;
                window[(j + lines - 1) % lines] = below[(first + j + lines - 1) * span];
                const A w = weights[(first + j) * filter_columns + k];
#pragma unroll
                for (int v = 0; v < lines; ++v) sum[v] += window[(j + v) % lines] * w;
            }
        }
    }
    if (column + x >= s.out_columns) return;
#pragma unroll
    for (int v = 0; v < lines; ++v) {
        const long long at = row + y * lines + v;
        if (at < s.out_rows) out[at * s.out_columns + column + x] = result(sum[v], s);
    }
}
)";

// Two's complement: signed and unsigned integers of a size are added and multiplied by the same kernel.
std::string element_name(DType element) {
    if (!is_integer(element)) return std::string(kernel_name(element));
    switch (size_of(element)) {
        case 1: return "unsigned char";
        case 2: return "unsigned short";
        case 4: return "unsigned int";
        default: return "unsigned long long";
    }
}

std::string types(DType element) {
    const std::string accumulator(kernel_name(convolve_accumulator(element)));
    return "typedef " + element_name(element) + " E;\ntypedef " + accumulator + " A;\n" +
           "__device__ inline A conjugate(A z) { return " + (is_complex(element) ? "conj(z)" : "z") + "; }\n";
}

}  // namespace

DType convolve_accumulator(DType element) {
    if (!is_integer(element)) return element;
    return size_of(element) == 8 ? DType::uint64 : DType::uint32;
}

RawText convolve_plain_text(DType element, int strip) {
    return own_text("convolve2d_plain", types(element) + "enum { strip = " + std::to_string(strip) + " };\n" +
                                            std::string(head) + std::string(plain_kernel));
}

RawText convolve_tiled_text(DType element) {
    using Tile = ConvolveTile;
    const std::string constants = "enum { threads = " + std::to_string(Tile::threads) +
                                  ", width = " + std::to_string(Tile::width) +
                                  ", height = " + std::to_string(Tile::height) +
                                  ", lines = " + std::to_string(Tile::width * Tile::height / Tile::threads) + " };\n";
    return own_text("convolve2d_tiled", types(element) + constants + std::string(head) + std::string(tiled_kernel));
}

std::int64_t convolve_tile_bytes(DType element, std::int64_t filter_rows, std::int64_t filter_columns) {
    constexpr std::int64_t most = 1 << 20;  // beyond it the product isn't needed exactly
    const std::int64_t rows = std::min(filter_rows, most), columns = std::min(filter_columns, most);
    const std::int64_t tile = (ConvolveTile::height + rows - 1) * (ConvolveTile::width + columns - 1);
    return (rows * columns + tile) * static_cast<std::int64_t>(size_of(convolve_accumulator(element)));
}

}  // namespace gpu::detail
