// SPDX-License-Identifier: MIT
#include "codegen/selection_text.hpp"

#include <string>

#include <embedded/codegen.hpp>

#include "codegen/order_text.hpp"

namespace gpu::detail {

namespace {

RawText selecting(const char* name, DType element, const SelectTile& tile, const std::string& text) {
    return own_text(name, "enum { items = " + std::to_string(tile.items) + " };\n" + radix_key_text(element) +
                              text::select_digit + text);
}

// A kernel that moves elements to where they belong.
RawText moving(const char* name, DType element, const SelectTile& tile, const char* text) {
    return selecting(name, element, tile, std::string(text::counts_before) + text::select_ranks + text);
}

std::string in_chunks(DType element) {
    return "enum { chunk = " + std::to_string(select_chunk) + " };\n" + radix_key_text(element);
}

}  // namespace

RawText select_counts_text(DType element, const SelectTile& tile) {
    return selecting("select_counts", element, tile, text::select_counts);
}

RawText select_tile_counts_text(DType element, const SelectTile& tile) {
    return selecting("select_tile_counts", element, tile, text::select_tile_counts);
}

RawText select_kept_text(DType element, const SelectTile& tile) {
    return moving("select_kept", element, tile, text::select_kept);
}

RawText select_parts_text(DType element, const SelectTile& tile) {
    return moving("select_parts", element, tile, text::select_parts);
}

RawText select_ordered_text(DType element) {
    return own_text("select_ordered", radix_key_text(element) + text::select_ordered);
}

RawText select_known_text(DType element) {
    return own_text("select_known", radix_key_text(element) + text::select_known);
}

RawText select_chunk_counts_text(DType element) {
    return own_text("select_chunk_counts", in_chunks(element) + text::select_chunk_counts);
}

RawText select_chunk_parts_text(DType element) {
    return own_text("select_chunk_parts", in_chunks(element) + text::select_chunk_parts);
}

}  // namespace gpu::detail
