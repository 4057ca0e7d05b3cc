// SPDX-License-Identifier: MIT
#include "codegen/order_text.hpp"

#include <bit>
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

std::string numbers(const std::string& list) { return "enum { " + list + " };\n"; }

// The operation's function has a file of its own, so that errors in it point there.
std::string scan_head(const ScanTypes& types) {
    std::string made = alias("X", types.input) + alias("A", types.accumulator) + "#line 1 \"" + types.name +
                       " (operation)\"\n__device__ inline A combine(A a, A b) { return " + types.operation +
                       "; }\n#line 1 \"libgpu\"\n" + flag("segmented", types.segmented);
    made += numbers("inclusive, exclusive, preceding, total");
    made += numbers("chunk = " + std::to_string(types.chunk) +
                    ", bits = " + std::to_string(std::countr_zero(static_cast<unsigned>(types.chunk))));
    made += "static constexpr int result = " + std::to_string(static_cast<int>(types.result)) + ";\n";
    const std::size_t bytes = size_of(types.accumulator);
    return made + numbers("min_blocks = " + std::to_string(bytes > 8 ? 2 : bytes > 4 ? 3 : 5)) + text::scan_sum;
}

RawText with_rounding(const ScanTypes& types, RawText made) {
    if (types.rounds_each) made.options = rounds_each_operation();
    return made;
}

// True if `b` must precede `a`, which came first: NaN is larger than anything.
constexpr const char* order =
    "\n__device__ inline bool goes_before(E b, E a) { return b < a || (a != a && b == b); }\n";

// The bits of a floating type's infinity; 0 for others.
std::string infinity_of(DType type) {
    switch (type) {
        case DType::float16: return "0x7c00";
        case DType::bfloat16: return "0x7f80";
        case DType::float32: return "0x7f800000";
        case DType::float64: return "0x7ff0000000000000";
        default: return "0";
    }
}

std::string head(const SortTypes& types) {
    const bool is_half = is_short_float(types.element);
    std::string text = "typedef ";
    text += is_half ? "unsigned short" : kernel_name(types.element);
    text += " E;\nstatic constexpr bool with_positions = ";
    text += types.with_positions ? "true" : "false";
    text += ";\nstatic constexpr int run = " + std::to_string(types.run);
    text += ", chunk = " + std::to_string(sort_chunk) + ";\n";
    if (is_half) text += "enum { infinity = " + infinity_of(types.element) + " };\n";
    return text.append(is_half ? text::order_of_halves : order);
}

std::string unsigned_name(DType type) {
    constexpr const char* names[] = {"unsigned char", "unsigned short", "unsigned int", "unsigned long long"};
    return names[std::bit_width(size_of(type)) - 1];
}

std::string counting_text(const CountTypes& types) {
    const bool in_shared = types.place == CountingPlace::shared;
    // A bool's byte is 0 or 1.
    std::string text = alias("X", types.element == DType::boolean ? DType::uint8 : types.element);
    const bool in_rows = types.place == CountingPlace::rows;
    text += "typedef " + std::string(types.weighted ? "double" : in_rows ? "unsigned long long" : "unsigned") + " C;\n";
    text += "typedef " + std::string(types.weighted ? "double" : "unsigned long long") + " R;\n";
    text += "typedef " + std::string(in_shared ? "int" : "long long") + " Bin;\nenum { batch = 4 };\n";
    if (in_rows) return text + text::counts_rows;
    text += flag("weighted", types.weighted);
    return text + text::each_element + text::counts_runs + (in_shared ? text::counts_shared : text::counts_common);
}

// An unsigned integer of the element's size, in which sorting sees the element's bits.
std::string bits_head(DType element) {
    const std::size_t bytes = size_of(element);
    const bool floats = is_floating(element), is_signed = floats || (is_integer(element) && !is_unsigned(element));
    const std::string high_bit = std::to_string(std::uint64_t{1} << (8 * bytes - 1)) + "ull";
    return "typedef " + unsigned_name(element) + " U;\n" + flag("is_floating", floats) +
           "static constexpr U sign = U(" + (is_signed ? high_bit : "0") + "), infinity = U(" + infinity_of(element) +
           ");\n";
}

std::string radix_head(const RadixTypes& types) {
    return radix_key_text(types.element) + "typedef unsigned " + (types.wide ? "long long" : "int") + " Word;\n" +
           flag("with_positions", types.with_positions);
}

std::string radix_head(const RadixTypes& types, const RadixTile& tile) {
    return "enum { threads = " + std::to_string(tile.threads) + ", items = " + std::to_string(tile.items) +
           ", resident = " + std::to_string(tile.resident) + " };\n" + radix_head(types) + text::radix_rank;
}

}  // namespace

std::string radix_key_text(DType element) { return bits_head(element) + text::radix_key; }

RawText scan_chunks_text(const ScanTypes& types) {
    return with_rounding(types, own_text("scan_chunks", scan_head(types) + text::scan_chunks));
}

RawText scan_tiles_text(const ScanTypes& types, const ScanBlock& block) {
    const std::string constants = numbers("lanes = " + std::to_string(block.lanes) +
                                          ", threads = " + std::to_string(block.threads)) +
                                  "static constexpr bool waits = " + (block.waits ? "true;\n" : "false;\n");
    return with_rounding(
        types, own_text("scan_tiles", scan_head(types) + constants + text::scan_levels + text::scan_tiles));
}

RawText sort_runs_text(const SortTypes& types) { return own_text("sort_runs", head(types) + text::sort_runs); }

RawText sort_merge_text(const SortTypes& types) { return own_text("sort_merge", head(types) + text::sort_merge); }

RawText radix_counts_text(const RadixTypes& types, const RadixTile& tile) {
    return own_text("radix_counts", radix_head(types, tile) + text::radix_counts);
}

RawText radix_pass_text(const RadixTypes& types, const RadixTile& tile) {
    return own_text("radix_pass", radix_head(types, tile) + text::radix_pass);
}

RawText radix_lines_text(const RadixTypes& types, const RadixTile& tile) {
    return own_text("radix_lines", radix_head(types, tile) + text::radix_lines);
}

RawText radix_chunk_counts_text(const RadixTypes& types) {
    return own_text("radix_chunk_counts", radix_head(types) + text::radix_chunk_counts);
}

RawText radix_chunk_moves_text(const RadixTypes& types) {
    return own_text("radix_chunk_moves", radix_head(types) + text::radix_chunk_moves);
}

RawText search_sorted_text(DType element) {
    return own_text("search_sorted", alias("E", element) + text::search_sorted);
}

RawText is_in_text(DType element) { return own_text("is_in", alias("E", element) + text::search_sorted); }

RawText bincount_text(const CountTypes& types) {
    std::string text = "typedef " + unsigned_name(types.element) + " U;\n" + counting_text(types);
    text += "__device__ inline C amount(const double* weights, long long i) { return ";
    text += types.weighted ? "weights[i]; }\n" : "1; }\n";
    if (types.place != CountingPlace::rows) text += text::largest_of_block;
    return own_text("bincount", text + text::bincount);
}

RawText histogram_text(const CountTypes& types) {
    const bool coarse = types.rounded != types.edges, is_half = types.rounded == DType::float16;
    const std::string head = alias("T", types.edges) + flag("coarse", coarse) + "static constexpr T rounding = (T)" +
                             (is_half ? "4.8828125e-4" : "3.90625e-3") + ", min_normal = (T)" +
                             (is_half ? "6.2e-5" : "1.1754944e-38") + ";\n";
    return own_text("histogram", head + counting_text(types) + text::histogram);
}

RawText histogram_edges_text(const CountTypes& types) {
    const std::string head = alias("T", types.edges) + alias("X", types.element);
    RawText made = own_text("histogram_edges", head + text::histogram_edges);
    made.options = rounds_each_operation();
    return made;
}

}  // namespace gpu::detail
