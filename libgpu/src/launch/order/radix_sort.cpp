// SPDX-License-Identifier: MIT
#include "launch/order/radix_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "backend/backend.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

constexpr std::int64_t narrow_limit = std::int64_t{1} << 30;  // of which two bits of 32 say what a word is

std::string key_of(const char* kernel, const RadixTypes& types, const RadixTile& tile) {
    std::string key = kernel;
    key += types.with_positions ? '+' : '-';
    key += static_cast<char>('a' + static_cast<int>(types.element));
    key += types.wide ? 'w' : 'n';
    return key + std::to_string(tile.threads) + 'x' + std::to_string(tile.items) + 'x' + std::to_string(tile.resident);
}

using TextOf = RawText(const RadixTypes&, const RadixTile&);

template <class... A>
void launch_tiles(const char* kernel, TextOf* text, const RadixTypes& types, const RadixTile& tile, Device device,
                  std::int64_t blocks, const A&... arguments) {
    void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    launch_builtin_blocks(
        device, key_of(kernel, types, tile), [&] { return text(types, tile); },
        {.blocks = blocks, .threads = static_cast<std::uint32_t>(tile.threads)}, pointers,
        static_cast<int>(sizeof...(A)));
}

// Threads that share nothing work alone in their blocks, which are large: few threads in all would get one processor.
template <class... A>
void launch_chunks(const char* kernel, RawText (*text)(const RadixTypes&), const RadixTypes& types, Device device,
                   std::int64_t chunks, const A&... arguments) {
    void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    launch_builtin_blocks(
        device, key_of(kernel, types, {}), [&] { return text(types); }, {.blocks = chunks, .threads = 256}, pointers,
        static_cast<int>(sizeof...(A)));
}

/// Lines of a dense array, and what is made of them.
struct RadixLines {
    const ArrayCore& input;
    Device device;
    std::int64_t n, lines;
    bool keys;
    RadixTypes types;
};

void* data_or_null(const ArrayCore& array) { return array.storage == nullptr ? nullptr : address_of(array); }

SortedLines results_of(const RadixLines& in) {
    return {in.keys ? make_array(in.types.element, in.input.shape) : ArrayCore{},
            in.types.with_positions ? make_array(DType::int64, in.input.shape) : ArrayCore{}};
}

void mark_written(const SortedLines& sorted) {
    if (sorted.keys.storage != nullptr) sorted.keys.storage->mark_written();
    if (sorted.positions.storage != nullptr) sorted.positions.storage->mark_written();
}

SortedLines sorted_in_blocks(RadixLines in, const RadixTile& tile) {
    constexpr std::int64_t max_lines = radix_digits - 1;
    const std::int64_t fitting = std::max<std::int64_t>(tile.size() / in.n, 1);
    const auto together = static_cast<int>(std::min({fitting, in.lines, max_lines}));
    const auto n = static_cast<int>(in.n);
    const std::uint64_t inverse =
        ((std::uint64_t{1} << 32) + static_cast<std::uint64_t>(in.n) - 1) / static_cast<std::uint64_t>(in.n);
    const SortedLines made = results_of(in);
    if (together > 1) in.types.with_positions = true;  // which tell the lines apart
    launch_tiles("radix_lines", radix_lines_text, in.types, tile, in.device, divided_up(in.lines, together),
                 address_of(in.input), data_or_null(made.keys), data_or_null(made.positions), in.lines, n, together,
                 inverse);
    mark_written(made);
    return made;
}

DType word_of(const RadixTypes& types) noexcept { return types.wide ? DType::uint64 : DType::uint32; }

void* words_after(const ArrayCore& words, std::int64_t count) {
    return static_cast<std::byte*>(address_of(words)) + count * static_cast<std::int64_t>(size_of(words.dtype));
}

/// What one pass reads and writes: places are positions that the next pass reads.
struct RadixPass {
    const void *from = nullptr, *places_from = nullptr;
    void *to = nullptr, *places_to = nullptr, *positions = nullptr;
    int number = 0, is_first = 1;
};

// The last pass writes to the results; until then, elements and positions move to and fro.
template <class F>
SortedLines moved_by_passes(const RadixLines& in, F&& launch) {
    const int passes = radix_passes(in.types.element);
    const SortedLines made = results_of(in);
    const auto array_if = [&](bool wanted, DType type) {
        return wanted ? make_array(type, in.input.shape) : ArrayCore{};
    };
    const ArrayCore other = array_if(passes > 1, in.types.element),
                    instead = array_if(passes > 2 && !in.keys, in.types.element),
                    other_places = array_if(passes > 1 && in.types.with_positions, word_of(in.types));
    RadixPass pass{.from = address_of(in.input)};
    for (; pass.number < passes; ++pass.number) {
        const int left = passes - 1 - pass.number;
        const bool is_last = left == 0, to_other = left % 2 == 1;
        pass.to = data_or_null(to_other ? other : in.keys || is_last ? made.keys : instead);
        pass.places_to = data_or_null(to_other ? other_places : made.positions);
        pass.positions = is_last ? data_or_null(made.positions) : nullptr;
        pass.is_first = pass.number == 0 ? 1 : 0;
        launch(pass);
        pass.from = pass.to;
        pass.places_from = pass.places_to;
    }
    mark_written(made);
    return made;
}

SortedLines sorted_by_passes(const RadixLines& in, const RadixTiles& tiles) {
    const int passes = radix_passes(in.types.element);
    const std::int64_t tiles_of_line = divided_up(in.n, tiles.pass.size()), tiles_in_all = in.lines * tiles_of_line;
    const auto in_line = static_cast<std::uint32_t>(tiles_of_line);
    // First each pass's number of tiles taken, then the counts, then what the blocks of two passes publish.
    constexpr std::int64_t taken_words = 16;
    const std::int64_t count_words = in.lines * passes * radix_digits, tile_words = tiles_in_all * radix_digits;
    const ArrayCore words = make_array(word_of(in.types), Shape{taken_words + count_words + 2 * tile_words});
    void *const counts = words_after(words, taken_words), *published = words_after(words, taken_words + count_words),
                *next_published = words_after(words, taken_words + count_words + tile_words);
    backend(in.device).fill(in.device.index(), address_of(words), 0,
                            static_cast<std::size_t>(taken_words + count_words + tile_words) * size_of(words.dtype),
                            native_stream({}, in.device));

    // Blocks that add their counts to the others' have many elements each, if there are many.
    constexpr std::int64_t max_blocks = 2048, tiles_each = 4;
    const auto parts = static_cast<int>(
        std::clamp<std::int64_t>(max_blocks / in.lines, 1, divided_up(in.n, tiles_each * tiles.counts.size())));
    launch_tiles("radix_counts", radix_counts_text, {{in.types.element, false}, in.types.wide}, tiles.counts, in.device,
                 in.lines * parts, address_of(in.input), counts, in.n, parts);
    return moved_by_passes(in, [&](const RadixPass& pass) {
        void* const taken = static_cast<std::uint32_t*>(address_of(words)) + pass.number;
        launch_tiles("radix_pass", radix_pass_text, in.types, tiles.pass, in.device, tiles_in_all, pass.from,
                     pass.places_from, pass.to, pass.places_to, pass.positions, counts, published, next_published,
                     taken, in.n, in_line, pass.number, pass.is_first);
        std::swap(published, next_published);
    });
}

}  // namespace

// As measured on an H200. Static shared memory, 48 KiB at most, holds a tile of keys or of positions.
RadixTiles radix_tiles(const SortTypes& types, std::int64_t n, std::int64_t lines) {
    const bool wide = n >= narrow_limit, large = size_of(types.element) == 8;
    RadixTiles tiles{.counts = {.threads = 256, .items = 4},
                     .pass = {.threads = 384, .items = 19, .resident = 3},
                     .lines = {.threads = 256, .items = 16, .resident = 2},
                     .wide = wide};
    if (types.with_positions) tiles.pass.items = 15;
    if (large || (wide && types.with_positions)) tiles.pass = {.threads = 384, .items = 15, .resident = 2};
    if (n * lines <= 8 * tiles.lines.threads) tiles.lines.items = 8;
    if (!large && n > tiles.lines.size()) tiles.lines.threads = 512;
    return tiles;
}

RadixChunks radix_chunks(std::int64_t n, std::int64_t lines, int workers) {
    constexpr std::int64_t min_elements = 4096, min_blocks = 64, blocks_each = 4;
    const std::int64_t blocks = std::max(min_blocks, blocks_each * workers);
    return {
        .count = static_cast<int>(std::clamp<std::int64_t>(divided_up(blocks, lines), 1, divided_up(n, min_elements))),
        .wide = n >= narrow_limit};
}

namespace {

RadixLines radix_lines(const ArrayCore& lines, bool keys, bool with_positions, bool wide) {
    const std::int64_t n = lines.shape[lines.shape.rank() - 1];
    return {.input = lines,
            .device = lines.storage->device(),
            .n = n,
            .lines = lines.shape.size() / n,
            .keys = keys,
            .types = {{.element = lines.dtype, .with_positions = with_positions}, wide}};
}

}  // namespace

SortedLines radix_sorted(const ArrayCore& lines, bool keys, bool with_positions, const RadixTiles& tiles) {
    const RadixLines in = radix_lines(lines, keys, with_positions, tiles.wide);
    return in.n <= tiles.lines.size() ? sorted_in_blocks(in, tiles.lines) : sorted_by_passes(in, tiles);
}

SortedLines chunk_sorted(const ArrayCore& lines, bool keys, bool with_positions, const RadixChunks& chunks) {
    const RadixLines in = radix_lines(lines, keys, with_positions, chunks.wide);
    const std::int64_t in_all = in.lines * chunks.count;
    const ArrayCore counts = make_array(word_of(in.types), Shape{in_all * radix_digits});
    return moved_by_passes(in, [&](const RadixPass& pass) {
        launch_chunks("radix_chunk_counts", radix_chunk_counts_text, {{in.types.element, false}, in.types.wide},
                      in.device, in_all, pass.from, address_of(counts), in.n, chunks.count, pass.number);
        launch_chunks("radix_chunk_moves", radix_chunk_moves_text, in.types, in.device, in_all, pass.from,
                      pass.places_from, pass.to, pass.places_to, pass.positions, address_of(counts), in.n, chunks.count,
                      pass.number, pass.is_first);
    });
}

}  // namespace gpu::detail
