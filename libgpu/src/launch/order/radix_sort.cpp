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

constexpr std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a - 1) / b + 1; }

std::string key_of(const char* kernel, const RadixTypes& types, const RadixTile& tile) {
    std::string key = kernel;
    key += types.with_positions ? '+' : '-';
    key += static_cast<char>('a' + static_cast<int>(types.element));
    key += types.wide ? 'w' : 'n';
    return key + std::to_string(tile.threads) + 'x' + std::to_string(tile.items);
}

using TextOf = RawText(const RadixTypes&, const RadixTile&);

template <class... A>
void launch_blocks(const char* kernel, TextOf* text, const RadixTypes& types, const RadixTile& tile, Device device,
                   std::int64_t blocks, const A&... arguments) {
    void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    launch_builtin_blocks(device, key_of(kernel, types, tile), [&] { return text(types, tile); },
                          {.blocks = blocks, .threads = static_cast<std::uint32_t>(tile.threads)}, pointers,
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

void* data_or_null(const ArrayCore& array) noexcept { return array.storage == nullptr ? nullptr : data_of(array); }

SortedLines results_of(const RadixLines& in) {
    return {in.keys ? make_array(in.types.element, in.input.shape) : ArrayCore{},
            in.types.with_positions ? make_array(DType::int64, in.input.shape) : ArrayCore{}};
}

void mark_written(const SortedLines& sorted) {
    if (sorted.keys.storage != nullptr) sorted.keys.storage->mark_written();
    if (sorted.positions.storage != nullptr) sorted.positions.storage->mark_written();
}

SortedLines sorted_in_blocks(RadixLines in, const RadixTile& tile) {
    constexpr std::int64_t most = radix_digits - 1;
    const std::int64_t fitting = std::max<std::int64_t>(tile.size() / in.n, 1);
    const auto together = static_cast<int>(std::min({fitting, in.lines, most}));
    const auto n = static_cast<int>(in.n);
    const SortedLines made = results_of(in);
    if (together > 1) in.types.with_positions = true;  // by which lines are told apart
    launch_blocks("radix_lines", radix_lines_text, in.types, tile, in.device, divided_up(in.lines, together),
                  data_of(in.input), data_or_null(made.keys), data_or_null(made.positions), in.lines, n, together);
    mark_written(made);
    return made;
}

SortedLines sorted_by_passes(const RadixLines& in, const RadixTiles& tiles) {
    const int passes = radix_passes(in.types.element);
    const DType word = in.types.wide ? DType::uint64 : DType::uint32;
    const std::int64_t tiles_in_all = in.lines * divided_up(in.n, tiles.pass.size());
    // First each pass's number of tiles taken, then the counts, then what the blocks of two passes publish.
    constexpr std::int64_t taken_words = 16;
    const std::int64_t count_words = in.lines * passes * radix_digits, tile_words = tiles_in_all * radix_digits;
    const ArrayCore scratch = make_array(word, Shape{taken_words + count_words + 2 * tile_words});
    const auto at = [&](std::int64_t words) -> void* {
        return static_cast<std::byte*>(data_of(scratch)) + words * static_cast<std::int64_t>(size_of(word));
    };
    const auto zeroed = static_cast<std::size_t>(taken_words + count_words + tile_words) * size_of(word);
    backend(in.device).fill(in.device.index(), at(0), 0, zeroed, native_stream({}, in.device));
    void *const counts = at(taken_words), *published = at(taken_words + count_words),
               *next_published = at(taken_words + count_words + tile_words);

    // Blocks that add their counts to the others' have many elements each, if there are many.
    constexpr std::int64_t most_blocks = 2048, tiles_each = 4;
    const auto parts = static_cast<int>(std::clamp<std::int64_t>(
        most_blocks / in.lines, 1, divided_up(in.n, tiles_each * tiles.counts.size())));
    launch_blocks("radix_counts", radix_counts_text, {{in.types.element, false}, in.types.wide}, tiles.counts,
                  in.device, in.lines * parts, data_of(in.input), counts, in.n, parts);

    // The last pass writes to the results; until then, elements and positions move to and fro.
    const SortedLines made = results_of(in);
    const bool moves = passes > 1;
    const ArrayCore other = moves ? make_array(in.types.element, in.input.shape) : ArrayCore{};
    const ArrayCore more = moves && !in.keys && passes > 2 ? make_array(in.types.element, in.input.shape) : ArrayCore{};
    const ArrayCore other_places =
        moves && in.types.with_positions ? make_array(word, in.input.shape) : ArrayCore{};
    const void *from = data_of(in.input), *places_from = nullptr;
    for (int pass = 0; pass < passes; ++pass) {
        const bool last = pass == passes - 1, to_other = (passes - 1 - pass) % 2 == 1;
        void* const to = to_other ? data_of(other) : last || in.keys ? data_or_null(made.keys) : data_or_null(more);
        void* const places_to = to_other ? data_or_null(other_places) : data_or_null(made.positions);
        void* const positions = last ? data_or_null(made.positions) : nullptr;
        void* const taken = static_cast<std::uint32_t*>(at(0)) + pass;
        const int is_first = pass == 0 ? 1 : 0;
        launch_blocks("radix_pass", radix_pass_text, in.types, tiles.pass, in.device, tiles_in_all, from, places_from,
                      to, places_to, positions, counts, published, next_published, taken, in.n, pass, is_first);
        std::swap(published, next_published);
        from = to;
        places_from = places_to;
    }
    mark_written(made);
    return made;
}

}  // namespace

RadixTiles radix_tiles(const SortTypes& types, std::int64_t n) {
    constexpr std::int64_t narrow = std::int64_t{1} << 30;
    const bool wide = n >= narrow, large = size_of(types.element) == 8 || (wide && types.with_positions);
    RadixTiles tiles{.counts = {.threads = 256, .items = 8},
                     .pass = {.threads = 384, .items = large ? 11 : 23, .resident = 2},
                     .lines = {.threads = 256, .items = 16, .resident = 2},
                     .wide = wide};
    if (size_of(types.element) < 8 && n > tiles.lines.size()) tiles.lines.threads = 512;
    return tiles;
}

SortedLines radix_sorted(const ArrayCore& lines, bool keys, bool with_positions, const RadixTiles& tiles) {
    const std::int64_t n = lines.shape[lines.shape.rank() - 1];
    const RadixLines in{.input = lines,
                   .device = lines.storage->device(),
                   .n = n,
                   .lines = lines.shape.size() / n,
                   .keys = keys,
                   .types = {{.element = lines.dtype, .with_positions = with_positions}, tiles.wide}};
    return n <= tiles.lines.size() ? sorted_in_blocks(in, tiles.lines) : sorted_by_passes(in, tiles);
}

}  // namespace gpu::detail
