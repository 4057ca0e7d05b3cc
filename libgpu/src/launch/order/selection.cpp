// SPDX-License-Identifier: MIT
#include "launch/order/selection.hpp"

#include <algorithm>
#include <string>

#include "backend/backend.hpp"
#include "codegen/node.hpp"
#include "codegen/order_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/order/scan.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

// The largest elements by counts of digits: reads the lines once for each digit, and once to count what it keeps.
namespace gpu::detail {

namespace {

using SelectText = RawText(DType, const SelectTile&);

/// Lines of which some elements are selected.
struct SelectedLines {
    const ArrayCore& input;
    SelectTile tile;
    Device device;
    std::int64_t n, lines;

    template <class... A>
    void launch(const char* kernel, SelectText* text, std::int64_t blocks, const A&... arguments) const {
        void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
        const std::string key =
            kernel + std::to_string(tile.items) + static_cast<char>('a' + static_cast<int>(input.dtype));
        launch_builtin_blocks(
            device, key, [&] { return text(input.dtype, tile); }, {.blocks = blocks, .threads = SelectTile::threads},
            pointers, static_cast<int>(sizeof...(A)));
    }
};

}  // namespace

bool selects_largest(const ArrayCore& lines, std::int64_t k) {
    const std::int64_t n = lines.shape[lines.shape.rank() - 1];
    constexpr std::int64_t worth_selecting = std::int64_t{1} << 18, few = 8;
    return backend(lines.storage->device()).traits().by_blocks && n >= worth_selecting && k <= n / few;
}

SortedLines largest_selected(const ArrayCore& lines, std::int64_t k, const SelectTile& tile) {
    const std::int64_t n = lines.shape[lines.shape.rank() - 1], count = lines.shape.size() / n;
    const SelectedLines in{lines, tile, lines.storage->device(), n, count};
    const int passes = radix_passes(lines.dtype);
    const std::int64_t tiles = divided_up(n, tile.size());

    const std::int64_t counted = count * passes * radix_digits;
    const ArrayCore counts = make_array(DType::uint64, Shape{counted}),
                    chosen = make_array(DType::uint64, Shape{count, passes + 1, select_step_words}),
                    totals = make_array(DType::int64, Shape{count, 2, tiles});
    backend(in.device).fill(in.device.index(), data_of(counts), 0, static_cast<std::size_t>(counted) * 8,
                            native_stream({}, in.device));
    // Blocks that add their counts to the others' have many elements each, if there are many.
    constexpr std::int64_t max_blocks = 2048;
    const auto parts = static_cast<int>(std::clamp<std::int64_t>(max_blocks / count, 1, divided_up(tiles, 2)));
    const void* const x = data_of(lines);
    void *const of_digits = data_of(counts), *const steps = data_of(chosen), *const of_tiles = data_of(totals);
    for (int pass = 0; pass < passes; ++pass)
        in.launch("select_counts", select_counts_text, count * parts, x, of_digits, steps, n, k, parts, pass);
    in.launch("select_tile_counts", select_tile_counts_text, count * tiles, x, of_digits, steps, of_tiles, n, tiles);
    totals.storage->mark_written();
    if (tiles > 1) {
        scan({totals, totals}, {.input = DType::int64, .accumulator = DType::int64}, {.lines = 2 * count, .n = tiles},
             scan_way(in.device));
    }

    Shape shape = lines.shape;
    shape[shape.rank() - 1] = k;
    const ArrayCore keys = make_array(lines.dtype, shape), positions = make_array(DType::int64, shape);
    void *const of_keys = data_of(keys), *const of_positions = data_of(positions);
    in.launch("select_kept", select_kept_text, count * tiles, x, steps, of_tiles, of_keys, of_positions, n, tiles, k);
    keys.storage->mark_written();
    positions.storage->mark_written();

    // The order of what is kept is stable: the last of equal ones comes first in it, and so last in the end.
    const SortedLines sorted = sorted_with_positions(keys);
    const SortedLines made{make_array(lines.dtype, shape), make_array(DType::int64, shape)};
    const std::int64_t kept = shape.size();
    launch_builtin_with(
        in.device, std::string("select_ordered") + static_cast<char>('a' + static_cast<int>(lines.dtype)),
        [&] { return select_ordered_text(lines.dtype); }, kept, data_of(sorted.keys), data_of(sorted.positions),
        of_positions, data_of(made.keys), data_of(made.positions), k, kept);
    made.keys.storage->mark_written();
    made.positions.storage->mark_written();
    return made;
}

}  // namespace gpu::detail
