// SPDX-License-Identifier: MIT
#include "codegen/convolve_text.hpp"

#include <algorithm>
#include <string>

#include <embedded/codegen.hpp>

namespace gpu::detail {

namespace {

// Two's complement: one kernel adds and multiplies signed and unsigned integers of the same size.
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
                                            text::convolve + text::convolve_plain);
}

ConvolveTile convolve_tile(DType element, bool tall) {
    const int bytes = static_cast<int>(size_of(convolve_accumulator(element)));
    const int columns = bytes <= 4 ? 4 : bytes <= 8 ? 2 : 1;
    return {.columns = columns, .lines = tall && columns == 4 ? 8 : 4};
}

bool is_small_filter(DType element, std::int64_t filter_rows, std::int64_t filter_columns) {
    constexpr std::int64_t max_side = 5;  // beyond, a thread runs out of registers
    return filter_rows <= max_side && filter_columns <= max_side && size_of(convolve_accumulator(element)) <= 8;
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
    return own_text("convolve2d_small", types(element) + constants + text::convolve + text::convolve_small);
}

RawText convolve_tiled_text(DType element, bool tall) {
    const ConvolveTile tile = convolve_tile(element, tall);
    const std::string constants = "enum { " + with_value("threads", ConvolveTile::threads) +
                                  ", warps = threads / 32, " +
                                  with_value("columns", tile.columns) + ", " + with_value("lines", tile.lines) + ", " +
                                  with_value("width", tile.width()) + ", " + with_value("height", tile.height()) +
                                  ", fetched = columns + 1, batch = 5 };\n";
    return own_text("convolve2d_tiled", types(element) + constants + text::convolve + text::convolve_tiled);
}

std::int64_t convolve_tile_bytes(DType element, bool tall, std::int64_t filter_rows, std::int64_t filter_columns) {
    constexpr std::int64_t max_exact = 1 << 20;  // beyond it the product isn't needed exactly
    const ConvolveTile shape = convolve_tile(element, tall);
    const std::int64_t rows = std::min(filter_rows, max_exact), columns = std::min(filter_columns, max_exact);
    const std::int64_t tile = (shape.height() + rows - 1) * (shape.width() + columns - 1);
    return (rows * columns + tile) * static_cast<std::int64_t>(size_of(convolve_accumulator(element)));
}

}  // namespace gpu::detail
