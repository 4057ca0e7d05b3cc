// SPDX-License-Identifier: MIT
#include "launch/order/selection.hpp"

#include <algorithm>
#include <string>

#include <gpu/sorting.hpp>

#include "backend/backend.hpp"
#include "codegen/node.hpp"
#include "codegen/order_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/order/scan.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

// The largest elements, and lines in parts, by counts of digits: the lines are read once for each digit, and once to
// count what goes where.
namespace gpu::detail {

namespace {

using SelectText = RawText(DType, const SelectTile&);

/// Lines in which an element is sought, and what is known of it.
class Selection {
public:
    Selection(const ArrayCore& lines, const SelectTile& tile)
        : input_(lines),
          device_(lines.storage->device()),
          n_(lines.shape[lines.shape.rank() - 1]),
          lines_(lines.shape.size() / n_),
          passes_(radix_passes(lines.dtype)),
          tile_(tile),
          chosen_(make_array(DType::uint64, Shape{lines_, passes_ + 1, select_step_words})) {}

    [[nodiscard]] const void* steps() const { return address_of(chosen_); }
    [[nodiscard]] std::int64_t tiles() const noexcept { return divided_up(n_, tile_.size()); }

    template <class... A>
    void launch(const char* kernel, SelectText* text, std::int64_t blocks, const A&... arguments) const {
        void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
        launch_builtin_blocks(
            device_, key_of(kernel) + ' ' + std::to_string(tile_.items),
            [&] { return text(input_.dtype, tile_); }, {.blocks = blocks, .threads = SelectTile::threads}, pointers,
            static_cast<int>(sizeof...(A)));
    }

    /// A kernel of `count` threads that share nothing.
    template <class... A>
    void launch_threads(const char* kernel, RawText (*text)(DType), std::int64_t count, const A&... arguments) const {
        launch_builtin_with(
            device_, key_of(kernel), [&] { return text(input_.dtype); }, count, arguments...);
    }

    /// Seeks the k-th largest element of each line; returns how many of each tile are larger, and how many equal it.
    ArrayCore counted_by_digits(std::int64_t k) {
        const std::int64_t count = lines_ * passes_ * radix_digits;
        const ArrayCore counts = make_array(DType::uint64, Shape{count});
        void *const of_digits = address_of(counts), *const steps = address_of(chosen_);
        const void* const x = address_of(input_);
        backend(device_).fill(device_.index(), of_digits, 0, static_cast<std::size_t>(count) * 8,
                              native_stream({}, device_));
        // Blocks that add their counts to the others' have many elements each, if there are many.
        constexpr std::int64_t max_blocks = 2048;
        const auto parts = static_cast<int>(std::clamp<std::int64_t>(max_blocks / lines_, 1, divided_up(tiles(), 2)));
        for (int pass = 0; pass < passes_; ++pass)
            launch("select_counts", select_counts_text, lines_ * parts, x, of_digits, steps, n_, k, parts, pass);
        return counted_in_tiles(of_digits);
    }

    /// The same of lines that have been sorted; by blocks, or by threads with a chunk each.
    ArrayCore counted_by_order(const ArrayCore& sorted, std::int64_t kth, bool by_blocks) {
        void* const steps = address_of(chosen_);
        launch_threads("select_known", select_known_text, lines_, address_of(sorted), steps, n_, kth, lines_);
        if (by_blocks) return counted_in_tiles(nullptr);
        const std::int64_t chunks = divided_up(n_, select_chunk), count = lines_ * chunks;
        const ArrayCore totals = make_array(DType::int64, Shape{lines_, 2, chunks});
        launch_threads("select_chunk_counts", select_chunk_counts_text, count, address_of(input_), steps,
                       address_of(totals), n_, chunks, count);
        return summed(totals);
    }

private:
    [[nodiscard]] std::string key_of(const char* kernel) const {
        return std::string(kernel) + static_cast<char>('a' + static_cast<int>(input_.dtype));
    }

    ArrayCore counted_in_tiles(void* of_digits) {
        const std::int64_t tiles = this->tiles();
        const ArrayCore totals = make_array(DType::int64, Shape{lines_, 2, tiles});
        const void* const x = address_of(input_);
        void *const steps = address_of(chosen_), *const of_tiles = address_of(totals);
        launch("select_tile_counts", select_tile_counts_text, lines_ * tiles, x, of_digits, steps, of_tiles, n_,
               tiles);
        return summed(totals);
    }

    [[nodiscard]] ArrayCore summed(const ArrayCore& totals) const {
        totals.storage->mark_written();
        const std::int64_t parts = totals.shape[2];
        if (parts > 1) {
            scan({totals, totals}, {.input = DType::int64, .accumulator = DType::int64},
                 {.lines = 2 * lines_, .n = parts}, scan_way(device_));
        }
        return totals;
    }

    const ArrayCore& input_;
    Device device_;
    std::int64_t n_, lines_;
    int passes_;
    SelectTile tile_;
    ArrayCore chosen_;
};

std::int64_t length_of(const ArrayCore& lines) { return lines.shape[lines.shape.rank() - 1]; }

bool works_by_blocks(const ArrayCore& lines) { return backend(lines.storage->device()).traits().by_blocks; }

}  // namespace

// As measured on an H200, where these are as fast as a sort. Of few elements, sorting those that are kept counts, too.
bool selects_largest(const ArrayCore& lines, std::int64_t k) {
    constexpr std::int64_t long_line = 1 << 15, shorter_line = 1 << 12, many = 1 << 22, large = 1 << 21;
    const std::int64_t n = length_of(lines), size = lines.shape.size();
    const bool is_worth_it = n >= long_line || (n >= shorter_line && size >= many);
    return works_by_blocks(lines) && is_worth_it && k <= n / (size >= large ? 8 : 64);
}

SortedLines largest_selected(const ArrayCore& lines, std::int64_t k, const SelectTile& tile) {
    const std::int64_t n = length_of(lines), count = lines.shape.size() / n;
    Selection selection(lines, tile);
    const ArrayCore totals = selection.counted_by_digits(k);
    Shape shape = lines.shape;
    shape[shape.rank() - 1] = k;
    const ArrayCore keys = make_array(lines.dtype, shape), positions = make_array(DType::int64, shape);
    const void *const x = address_of(lines), *const steps = selection.steps(), *const of_tiles = address_of(totals);
    void *const of_keys = address_of(keys), *const of_positions = address_of(positions);
    const std::int64_t tiles = selection.tiles();
    selection.launch("select_kept", select_kept_text, count * tiles, x, steps, of_tiles, of_keys, of_positions, n,
                     tiles, k);
    keys.storage->mark_written();
    positions.storage->mark_written();

    // The order of what is kept is stable: the last of equal ones comes first in it, and so last in the end.
    const SortedLines sorted = sorted_with_positions(keys);
    const SortedLines made{make_array(lines.dtype, shape), make_array(DType::int64, shape)};
    const std::int64_t kept = shape.size();
    selection.launch_threads("select_ordered", select_ordered_text, kept, address_of(sorted.keys),
                             address_of(sorted.positions), of_positions, address_of(made.keys),
                             address_of(made.positions), k, kept);
    made.keys.storage->mark_written();
    made.positions.storage->mark_written();
    return made;
}

PartWay part_way(const ArrayCore& lines) {
    constexpr std::int64_t long_line = 1 << 14, shorter_line = 1 << 12, many = 1 << 20;  // as measured on an H200
    constexpr std::int64_t of_one_thread = 64;
    const std::int64_t n = length_of(lines);
    PartWay way{.by_blocks = works_by_blocks(lines) && n > of_one_thread};
    way.selects = way.by_blocks && (n >= long_line || (n >= shorter_line && lines.shape.size() >= many));
    while (way.tile.items > 1 && way.tile.size() / 2 >= n) way.tile.items /= 2;
    return way;
}

ArrayCore parted(const ArrayCore& lines, std::int64_t kth, bool positions, const PartWay& way) {
    const std::int64_t n = length_of(lines), count = lines.shape.size() / n;
    Selection selection(lines, way.tile);
    const ArrayCore totals = way.selects
                                 ? selection.counted_by_digits(n - kth)
                                 : selection.counted_by_order(sort(leaf(lines), -1), kth, way.by_blocks);
    const ArrayCore made = make_array(positions ? DType::int64 : lines.dtype, lines.shape);
    const void *const x = address_of(lines), *const steps = selection.steps(), *const of_parts = address_of(totals);
    void *const keys = positions ? nullptr : address_of(made), *const places = positions ? address_of(made) : nullptr;
    const std::int64_t parts = totals.shape[2], in_all = count * parts;
    if (way.by_blocks) {
        selection.launch("select_parts", select_parts_text, in_all, x, steps, of_parts, keys, places, n, parts);
    } else {
        selection.launch_threads("select_chunk_parts", select_chunk_parts_text, in_all, x, steps, of_parts, keys,
                                 places, n, parts, in_all);
    }
    made.storage->mark_written();
    return made;
}

}  // namespace gpu::detail
