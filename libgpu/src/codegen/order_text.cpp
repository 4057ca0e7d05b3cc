// SPDX-License-Identifier: MIT
#include "codegen/order_text.hpp"

#include <string>

#include <embedded/codegen.hpp>

#include "codegen/indexing_text.hpp"

namespace gpu::detail {

namespace {

std::string alias(const char* name, DType type) {
    return "typedef " + std::string(kernel_name(type)) + ' ' + name + ";\n";
}

std::string flag(const char* name, bool value) {
    return "static constexpr bool " + std::string(name) + (value ? " = true;\n" : " = false;\n");
}

// The operation's function has a file of its own, so that errors in it point there.
std::string scan_by_head(const ScanByTypes& types) {
    return alias("X", types.input) + alias("A", types.accumulator) + flag("segmented", types.segmented) +
           flag("exclusive", types.exclusive) + "enum { chunk = " + std::to_string(scan_chunk) + " };\n" +
           "#line 1 \"" + types.name + " (operation)\"\n__device__ inline A combine(A a, A b) { return " +
           types.operation + "; }\n#line 1 \"libgpu\"\n";
}

}  // namespace

RawText scan_by_totals_text(const ScanByTypes& types) {
    return own_text("scan_by_totals", scan_by_head(types) + text::scan_by_totals);
}

RawText scan_by_chunks_text(const ScanByTypes& types) {
    return own_text("scan_by_chunks", scan_by_head(types) + text::scan_by_chunks);
}

RawText search_sorted_text(DType element) {
    return own_text("search_sorted", alias("E", element) + text::search_sorted);
}

RawText is_in_text(DType element) { return own_text("is_in", alias("E", element) + text::search_sorted); }

}  // namespace gpu::detail
