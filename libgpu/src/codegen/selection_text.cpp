// SPDX-License-Identifier: MIT
#include "codegen/selection_text.hpp"

#include <string>

#include <embedded/codegen.hpp>

#include "codegen/order_text.hpp"

namespace gpu::detail {

namespace {

RawText selecting(const char* name, DType element, const SelectTile& tile, const char* text) {
    return own_text(name, "enum { items = " + std::to_string(tile.items) + " };\n" + radix_key_text(element) +
                              text::select_digit + text);
}

}  // namespace

RawText select_counts_text(DType element, const SelectTile& tile) {
    return selecting("select_counts", element, tile, text::select_counts);
}

RawText select_tile_counts_text(DType element, const SelectTile& tile) {
    return selecting("select_tile_counts", element, tile, text::select_tile_counts);
}

RawText select_kept_text(DType element, const SelectTile& tile) {
    return selecting("select_kept", element, tile, text::select_kept);
}

RawText select_ordered_text(DType element) {
    return own_text("select_ordered", radix_key_text(element) + text::select_ordered);
}

}  // namespace gpu::detail
