// SPDX-License-Identifier: MIT
#include "codegen/indexing_text.hpp"

#include <string>
#include <string_view>

#include <embedded/codegen.hpp>

namespace gpu::detail {

namespace {

std::string alias(const char* name, std::string_view type) {
    return "typedef " + std::string(type) + ' ' + name + ";\n";
}

std::string constant(const char* name, std::int64_t value) {
    return "enum { " + std::string(name) + " = " + std::to_string(value) + " };\n";
}

// Elements are only moved: one kernel for all types of the same size.
std::string bits_alias(std::size_t bytes) {
    switch (bytes) {
        case 1: return alias("E", "unsigned char");
        case 2: return alias("E", "unsigned short");
        case 4: return alias("E", "unsigned int");
        case 8: return alias("E", "unsigned long long");
        default: return "struct alignas(16) E { unsigned long long low, high; };\n";
    }
}

std::string gather_text(const GatherTypes& types, const std::string& element) {
    return element + alias("I", kernel_name(types.index)) + constant("result_rank", types.result_rank) +
           constant("axis_rank", types.axis_rank) + text::gather;
}

std::string mask_head(const MaskTile& tile) {
    return constant("threads", tile.threads) + constant("rounds", tile.rounds);
}

}  // namespace

RawText take_text(const GatherTypes& types) {
    return own_text("take", gather_text(types, bits_alias(size_of(types.element))) +
                                constant("each", taken_each(types.element)) + text::take);
}

RawText put_text(const GatherTypes& types) {
    return own_text("put", gather_text(types, bits_alias(size_of(types.element))) +
                               "__device__ inline void store(E* to, const E& value) { *to = value; }\n" + text::put);
}

RawText add_at_text(const GatherTypes& types) {
    // Two's complement: addition is the same for both kinds of 64-bit integers, and CUDA has only one of them.
    const DType element = types.element == DType::int64 ? DType::uint64 : types.element;
    return own_text("put", gather_text(types, alias("E", kernel_name(element))) +
                               "__device__ inline void store(E* to, E value) { atomicAdd(to, value); }\n" + text::put);
}

RawText mask_chunk_counts_text() {
    return own_text("mask_chunk_counts", constant("chunk", mask_chunk) + text::mask_chunk_counts);
}

RawText mask_positions_text() {
    return own_text("mask_positions", constant("chunk", mask_chunk) + text::mask_positions);
}

RawText mask_tile_counts_text(const MaskTile& tile) {
    return own_text("mask_tile_counts", mask_head(tile) + text::mask_tile_counts);
}

RawText mask_tile_kept_text(std::size_t bytes, bool positions, const MaskTile& tile) {
    return own_text("mask_tile_kept", bits_alias(bytes) + mask_head(tile) + constant("positions", positions ? 1 : 0) +
                                          constant("min_blocks", (bytes > 8 ? 512 : 1024) / tile.threads) +
                                          text::counts_before + text::mask_tile_kept);
}

RawText lookup_text(DType result) {
    return own_text("lookup", text::search + alias("O", kernel_name(result)) + text::lookup);
}

RawText interp_text(DType element) {
    RawText made = own_text("interp", text::search + alias("T", kernel_name(element)) + text::interp);
    made.options = rounds_each_operation();
    return made;
}

}  // namespace gpu::detail
