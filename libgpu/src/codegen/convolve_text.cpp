// SPDX-License-Identifier: MIT
#include "codegen/convolve_text.hpp"

#include <algorithm>
#include <string>

namespace gpu::detail {

namespace {

constexpr const char* head_text = R"(
struct Space {
    long long out_rows, out_columns, rows, columns, row_step, column_step;
    long long filter_rows, filter_columns, filter_row_step, filter_column_step;
    long long first_row, first_column, boundary, conjugates;
};

// The element of n that stands for a place beyond the edge, perhaps far beyond; -1: none, the fill value.
__device__ __noinline__ long long folded(long long at, long long n, long long boundary) {
    if (boundary == 0) return -1;
    const long long period = boundary == 1 ? n : 2 * n;
    if (at < -n || at >= 2 * n) at %= period;
    if (at < 0) at += period;
    return at < n ? at : boundary == 1 ? at - n : period - 1 - at;
}
__device__ inline long long extended(long long at, long long n, long long boundary) {
    return at >= 0 && at < n ? at : folded(at, n, boundary);
}

__device__ inline A weight(E w, const Space& s) { return s.conjugates != 0 ? conjugate(A(w)) : A(w); }
__device__ inline E result(A sum, const Space& s) { return E(s.conjugates == 2 ? conjugate(sum) : sum); }
)";

constexpr const char* plain_kernel = R"(
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

// A thread makes `lines` results below each other in each of `columns` columns that are 32 apart, so what it reads of
// the tile serves `lines` times, and a weight that many times in each column. The numbers that a tile needs are fetched
// in batches, many before the first is stored. A result's sum goes down the filter's columns, one after another.
constexpr const char* tiled_kernel = R"(
extern "C" __global__ void __launch_bounds__(threads) convolve2d_tiled(const E* image, const E* filter, E* out,
                                                                       const Space s, const A fill) {
    extern __shared__ A shared[];
    const int filter_rows = (int)s.filter_rows, filter_columns = (int)s.filter_columns;
    const int span = width + filter_columns - 1, depth = height + filter_rows - 1;
    A* const weights = shared;
    A* const tile = shared + filter_rows * filter_columns;
    const unsigned across = (unsigned)((s.out_columns + width - 1) / width);
    const long long row = (long long)(blockIdx.x / across) * height, column = (long long)(blockIdx.x % across) * width;
    const long long top = row + s.first_row, left = column + s.first_column;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;

    const auto weight_at = [&](int i) {
        return weight(filter[i / filter_columns * s.filter_row_step + i % filter_columns * s.filter_column_step], s);
    };
    const int weight_count = filter_rows * filter_columns;
    A first_weight = A();
    if ((int)threadIdx.x < weight_count) first_weight = weight_at(threadIdx.x);
    const bool interior = top >= 0 && left >= 0 && top + depth <= s.rows && left + span <= s.columns;
#pragma unroll 1
    for (int c0 = x; c0 < span; c0 += 32 * fetched) {
        long long offsets[fetched];
        bool has_column[fetched];
#pragma unroll
        for (int i = 0; i < fetched; ++i) {
            long long at = left + min(c0 + 32 * i, span - 1);
            if (!interior) at = extended(at, s.columns, s.boundary);
            has_column[i] = at >= 0;
            offsets[i] = (at < 0 ? 0 : at) * s.column_step;
        }
#pragma unroll 1
        for (int r0 = y; r0 < depth; r0 += warps * batch) {
            A values[batch][fetched];  // no load depends on a condition, so that none waits for another
            bool has_row[batch];
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                long long from = top + min(r0 + k * warps, depth - 1);
                if (!interior) from = extended(from, s.rows, s.boundary);
                has_row[k] = from >= 0;
                const E* const line = image + (from < 0 ? 0 : from) * s.row_step;
#pragma unroll
                for (int i = 0; i < fetched; ++i) values[k][i] = A(line[offsets[i]]);
            }
            if (s.boundary == 0 && !interior) {
#pragma unroll
                for (int k = 0; k < batch; ++k)
#pragma unroll
                    for (int i = 0; i < fetched; ++i) if (!has_row[k] || !has_column[i]) values[k][i] = fill;
            }
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                const int r = r0 + k * warps;
#pragma unroll
                for (int i = 0; i < fetched; ++i) {
                    if (r < depth && c0 + 32 * i < span) tile[r * span + c0 + 32 * i] = values[k][i];
                }
            }
        }
    }
    if ((int)threadIdx.x < weight_count) weights[threadIdx.x] = first_weight;
#pragma unroll 1
    for (int i = threadIdx.x + threads; i < weight_count; i += threads) weights[i] = weight_at(i);
    __syncthreads();

    A sum[lines][columns];
#pragma unroll
    for (int v = 0; v < lines; ++v)
#pragma unroll
        for (int u = 0; u < columns; ++u) sum[v][u] = A();
#pragma unroll 1
    for (int k = 0; k < filter_columns; ++k) {
        const A* below = tile + y * lines * span + x + k;
        const A* next = weights + k;
        A window[lines][columns];  // a ring: the line j + v below the first is in window[(j + v) % lines]
#pragma unroll
        for (int v = 0; v < lines - 1; ++v) {
#pragma unroll
            for (int u = 0; u < columns; ++u) window[v][u] = below[32 * u];
            below += span;
        }
#pragma unroll 1
        for (int first = 0; first < filter_rows; first += lines) {
#pragma unroll
            for (int j = 0; j < lines; ++j) {
                if (first + j >= filter_rows) break;
                const A w = *next;
                next += filter_columns;
#pragma unroll
                for (int u = 0; u < columns; ++u) window[(j + lines - 1) % lines][u] = below[32 * u];
                below += span;
#pragma unroll
                for (int v = 0; v < lines; ++v)
#pragma unroll
                    for (int u = 0; u < columns; ++u) sum[v][u] += window[(j + v) % lines][u] * w;
            }
        }
    }
#pragma unroll
    for (int v = 0; v < lines; ++v) {
        const long long at = row + y * lines + v;
        E* const to = out + (at * s.out_columns + column + x);
#pragma unroll
        for (int u = 0; u < columns; ++u) {
            if (at < s.out_rows && column + x + 32 * u < s.out_columns) to[32 * u] = result(sum[v][u], s);
        }
    }
}
)";

// All sizes but the image's are known: a thread makes `lines` x `columns` neighbours out of registers, and fetches
// whole groups of 16 bytes where they are aligned, behind `head` single numbers. Neighbouring threads find in the cache
// what they share.
constexpr const char* small_kernel = R"(
struct Group { alignas(sizeof(E) * columns) E at[columns]; };
extern "C" __global__ void __launch_bounds__(threads) convolve2d_small(const E* image, const E* filter, E* out,
                                                                       const Space s, const A fill) {
    enum { window_rows = lines + filter_rows - 1, window_columns = columns + filter_columns - 1,
           groups = (window_columns - head) / columns, tail = head + groups * columns };
    const unsigned across = (unsigned)((s.out_columns + 32 * columns - 1) / (32 * columns));
    const long long row = (long long)(blockIdx.x / across) * (threads / 32 * lines) + threadIdx.x / 32 * lines;
    const long long column = (long long)(blockIdx.x % across) * (32 * columns) + threadIdx.x % 32 * columns;
    if (row >= s.out_rows || column >= s.out_columns) return;
    const long long top = row + s.first_row, left = column + s.first_column;

    A window[window_rows][window_columns];
    if (top >= 0 && left >= 0 && top + window_rows <= s.rows && left + window_columns <= s.columns &&
        s.column_step == 1 && s.row_step % columns == 0) {
        const E* line = image + (top * s.row_step + left);
#pragma unroll
        for (int r = 0; r < window_rows; ++r) {
#pragma unroll
            for (int i = 0; i < head; ++i) window[r][i] = A(line[i]);
#pragma unroll
            for (int g = 0; g < groups; ++g) {
                const Group group = *(const Group*)(line + head + g * columns);
#pragma unroll
                for (int i = 0; i < columns; ++i) window[r][head + g * columns + i] = A(group.at[i]);
            }
#pragma unroll
            for (int i = tail; i < window_columns; ++i) window[r][i] = A(line[i]);
            line += s.row_step;
        }
    } else {
        long long offsets[window_columns];
        bool has_column[window_columns];
#pragma unroll
        for (int i = 0; i < window_columns; ++i) {
            const long long at = extended(left + i, s.columns, s.boundary);
            has_column[i] = at >= 0;
            offsets[i] = (at < 0 ? 0 : at) * s.column_step;
        }
#pragma unroll
        for (int r = 0; r < window_rows; ++r) {
            const long long from = extended(top + r, s.rows, s.boundary);
            const E* const line = image + (from < 0 ? 0 : from) * s.row_step;
#pragma unroll
            for (int i = 0; i < window_columns; ++i) {
                const A value = A(line[offsets[i]]);
                window[r][i] = from >= 0 && has_column[i] ? value : fill;
            }
        }
    }

    A sum[lines][columns];
#pragma unroll
    for (int v = 0; v < lines; ++v)
#pragma unroll
        for (int u = 0; u < columns; ++u) sum[v][u] = A();
#pragma unroll
    for (int j = 0; j < filter_rows; ++j)
#pragma unroll
        for (int k = 0; k < filter_columns; ++k) {
            const A w = weight(filter[j * s.filter_row_step + k * s.filter_column_step], s);
#pragma unroll
            for (int v = 0; v < lines; ++v)
#pragma unroll
                for (int u = 0; u < columns; ++u) sum[v][u] += window[v + j][u + k] * w;
        }
    E* const to = out + (row * s.out_columns + column);
    const bool whole = s.out_columns % columns == 0;
#pragma unroll
    for (int v = 0; v < lines; ++v) {
        if (row + v >= s.out_rows) continue;
        Group group;
#pragma unroll
        for (int u = 0; u < columns; ++u) group.at[u] = result(sum[v][u], s);
        Word word;
        memcpy(&word, &group, sizeof word);
        if (whole) __stcs((Word*)(to + v * s.out_columns), word);  // NVRTC makes four stores of a plain one
        else
#pragma unroll
            for (int u = 0; u < columns; ++u) if (column + u < s.out_columns) to[v * s.out_columns + u] = group.at[u];
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

std::string with_value(const char* name, int value) { return std::string(name) + " = " + std::to_string(value); }

}  // namespace

DType convolve_accumulator(DType element) {
    if (!is_integer(element)) return element;
    return size_of(element) == 8 ? DType::uint64 : DType::uint32;
}

RawText convolve_plain_text(DType element, int strip) {
    return own_text("convolve2d_plain", types(element) + "enum { strip = " + std::to_string(strip) + " };\n" +
                                            head_text + plain_kernel);
}

ConvolveTile convolve_tile(DType element, bool tall) {
    const int bytes = static_cast<int>(size_of(convolve_accumulator(element)));
    const int columns = bytes <= 4 ? 4 : bytes <= 8 ? 2 : 1;
    return {.columns = columns, .lines = tall && columns == 4 ? 8 : 4};
}

bool is_small_filter(DType element, std::int64_t filter_rows, std::int64_t filter_columns) {
    constexpr std::int64_t most = 5;  // beyond, a thread has too few registers
    return filter_rows <= most && filter_columns <= most && size_of(convolve_accumulator(element)) <= 8;
}

ConvolveTile convolve_small_tile(DType element) {
    return {.columns = std::min(4, 16 / static_cast<int>(size_of(element))), .lines = 4};
}

RawText convolve_small_text(DType element, std::int64_t filter_rows, std::int64_t filter_columns, int head) {
    const ConvolveTile tile = convolve_small_tile(element);
    const std::size_t bytes = size_of(element) * static_cast<std::size_t>(tile.columns);
    const std::string word = bytes == 16 ? "uint4" : bytes == 8 ? "uint2" : "unsigned";
    const std::string constants = "typedef " + word + " Word;\nenum { " +
                                  with_value("threads", ConvolveTile::threads) + ", " +
                                  with_value("columns", tile.columns) + ", " + with_value("lines", tile.lines) + ", " +
                                  with_value("filter_rows", static_cast<int>(filter_rows)) + ", " +
                                  with_value("filter_columns", static_cast<int>(filter_columns)) + ", " +
                                  with_value("head", head) + " };\n";
    return own_text("convolve2d_small", types(element) + constants + head_text + small_kernel);
}

RawText convolve_tiled_text(DType element, bool tall) {
    const ConvolveTile tile = convolve_tile(element, tall);
    const std::string constants = "enum { " + with_value("threads", ConvolveTile::threads) +
                                  ", warps = threads / 32, " +
                                  with_value("columns", tile.columns) + ", " + with_value("lines", tile.lines) + ", " +
                                  with_value("width", tile.width()) + ", " + with_value("height", tile.height()) +
                                  ", fetched = columns + 1, batch = 5 };\n";
    return own_text("convolve2d_tiled", types(element) + constants + head_text + tiled_kernel);
}

std::int64_t convolve_tile_bytes(DType element, bool tall, std::int64_t filter_rows, std::int64_t filter_columns) {
    constexpr std::int64_t most = 1 << 20;  // beyond it the product isn't needed exactly
    const ConvolveTile shape = convolve_tile(element, tall);
    const std::int64_t rows = std::min(filter_rows, most), columns = std::min(filter_columns, most);
    const std::int64_t tile = (shape.height() + rows - 1) * (shape.width() + columns - 1);
    return (rows * columns + tile) * static_cast<std::int64_t>(size_of(convolve_accumulator(element)));
}

}  // namespace gpu::detail
