// SPDX-License-Identifier: MIT
#include "codegen/order_text.hpp"

#include <string>

#include <embedded/codegen.hpp>

namespace gpu::detail {

namespace {

std::string alias(const char* name, DType type) {
    return "typedef " + std::string(kernel_name(type)) + ' ' + name + ";\n";
}

std::string flag(const char* name, bool value) {
    return "static constexpr bool " + std::string(name) + (value ? " = true;\n" : " = false;\n");
}

std::string scan_head(const ScanTypes& types) {
    return alias("X", types.input) + alias("A", types.accumulator) +
           alias("O", types.output) + "enum { chunk = " + std::to_string(scan_chunk) + " };\n" +
           "__device__ inline A combine(A a, A b) { return a " + (types.product ? "*" : "+") + " b; }\n";
}

// The operation's function has a file of its own, so that errors in it point there.
std::string scan_by_head(const ScanByTypes& types) {
    return alias("X", types.input) + alias("A", types.accumulator) + flag("segmented", types.segmented) +
           flag("exclusive", types.exclusive) + "enum { chunk = " + std::to_string(scan_chunk) + " };\n" +
           "#line 1 \"" + types.name + " (operation)\"\n__device__ inline A combine(A a, A b) { return " +
           types.operation + "; }\n#line 1 \"libgpu\"\n";
}

// True if `b` must precede `a`, which came first: NaN is larger than anything.
constexpr const char* order =
    "\n__device__ inline bool goes_before(E b, E a) { return b < a || (a != a && b == b); }\n";

std::string head(const SortTypes& types) {
    const bool is_half = types.element == DType::float16;
    std::string text = "typedef ";
    text += is_half ? "unsigned short" : kernel_name(types.element);
    text += " E;\nstatic constexpr bool with_positions = ";
    text += types.with_positions ? "true" : "false";
    text += ";\nstatic constexpr int run = " + std::to_string(sort_run);
    text += ", chunk = " + std::to_string(sort_chunk) + ";\n";
    return text.append(is_half ? text::order_of_halves : order);
}

}  // namespace

RawText scan_totals_text(const ScanTypes& types) {
    return own_text("scan_totals", scan_head(types) + text::scan_totals);
}

RawText scan_chunks_text(const ScanTypes& types) {
    return own_text("scan_chunks", scan_head(types) + text::scan_chunks);
}

RawText scan_by_totals_text(const ScanByTypes& types) {
    return own_text("scan_by_totals", scan_by_head(types) + text::scan_by_totals);
}

RawText scan_by_chunks_text(const ScanByTypes& types) {
    return own_text("scan_by_chunks", scan_by_head(types) + text::scan_by_chunks);
}

RawText sort_runs_text(const SortTypes& types) { return own_text("sort_runs", head(types) + text::sort_runs); }

RawText sort_merge_text(const SortTypes& types) { return own_text("sort_merge", head(types) + text::sort_merge); }

RawText search_sorted_text(DType element) {
    return own_text("search_sorted", alias("E", element) + text::search_sorted);
}

RawText is_in_text(DType element) { return own_text("is_in", alias("E", element) + text::search_sorted); }

}  // namespace gpu::detail
