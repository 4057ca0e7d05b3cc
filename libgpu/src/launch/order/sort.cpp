// SPDX-License-Identifier: MIT
#include "launch/order/sort.hpp"

#include <string>
#include <utility>

#include <gpu/sorting.hpp>

#include "array/shape.hpp"
#include "backend/backend.hpp"
#include "codegen/node.hpp"
#include "codegen/order_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/order/radix_sort.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::string key_of(const char* name, const SortTypes& types) {
    const char element = static_cast<char>('a' + static_cast<int>(types.element));
    return std::string(name) + (types.with_positions ? '+' : '-') + element + std::to_string(types.run);
}

/// The data being sorted: elements and, for argsort, their positions. Both are dense, with lines along the last axis.
struct Sorted {
    ArrayCore keys, positions;

    Sorted(const ArrayCore& like, bool with_positions)
        : keys(make_array(like.dtype, like.shape)),
          positions(with_positions ? make_array(DType::int64, like.shape) : ArrayCore{}) {}

    [[nodiscard]] void* place() const { return positions.storage == nullptr ? nullptr : address_of(positions); }
    void mark_written() const {
        keys.storage->mark_written();
        if (positions.storage != nullptr) positions.storage->mark_written();
    }
};

// A merge sort whose threads share nothing.
Sorted merge_sorted(const ArrayCore& input, bool with_positions) {
    const Device device = input.storage->device();
    const std::int64_t n = input.shape[input.shape.rank() - 1], lines = input.shape.size() / n;
    const std::int64_t elements = lines * n;
    // Of few elements, another launch costs more than longer runs do.
    constexpr std::int64_t few = 1024;
    const std::int64_t run = elements <= few ? long_sort_run : sort_run;
    const SortTypes types{
        .element = input.dtype, .with_positions = with_positions, .run = static_cast<int>(run)};
    Sorted result(input, with_positions);
    const std::int64_t runs = lines * divided_up(n, run), chunks = lines * divided_up(n, sort_chunk);
    launch_builtin_with(
        device, key_of("sort_runs", types), [&] { return sort_runs_text(types); }, {runs, elements},
        address_of(input), address_of(result.keys), result.place(), lines, n);
    result.mark_written();
    if (n <= run) return result;
    Sorted other(input, with_positions);
    for (std::int64_t width = run; width < n; width *= 2) {
        launch_builtin_with(
            device, key_of("sort_merge", types), [&] { return sort_merge_text(types); }, {chunks, elements},
            address_of(result.keys), result.place(), address_of(other.keys), other.place(), lines, n, width);
        other.mark_written();
        std::swap(result, other);
    }
    return result;
}

// Sorts the lines along the last axis of a dense array, which must have elements.
SortedLines sorted_lines(const ArrayCore& input, bool keys, bool with_positions) {
    const Device device = input.storage->device();
    const std::int64_t n = input.shape[input.shape.rank() - 1], lines = input.shape.size() / n;
    if (backend(device).traits().by_blocks && n > sort_run) {
        const SortTypes types{.element = input.dtype, .with_positions = with_positions};
        return radix_sorted(input, keys, with_positions, radix_tiles(types, n, lines));
    }
    constexpr std::int64_t worth_counting = 256;  // a pass counts as many digits
    if (n >= worth_counting) {
        const int workers = known_properties(device).multiprocessors;
        return chunk_sorted(input, keys, with_positions, radix_chunks(n, lines, workers));
    }
    const Sorted made = merge_sorted(input, with_positions);
    return {made.keys, made.positions};
}

// Sorts along the axis, which is moved to the end and back.
ArrayCore sorted(const NodePointer& value, int axis, bool with_positions) {
    const int rank = value->shape.rank();
    const int along = checked_axis(axis, rank, value->shape, with_positions ? "argsort" : "sort"), last = rank - 1;
    if (value->shape.size() == 0) return make_array(with_positions ? DType::int64 : value->dtype, value->shape);
    const bool moves = along != last;
    const NodePointer moved = moves ? leaf(axes_moved(array_value(value), {&along, 1}, {&last, 1})) : value;
    const ArrayCore input = dense_value(moved, value->dtype);
    const DeviceGuard guard(input.storage->device());
    const SortedLines made = sorted_lines(input, !with_positions, with_positions);
    const ArrayCore& result = with_positions ? made.positions : made.keys;
    return moves ? copy_of(axes_moved(result, {&last, 1}, {&along, 1}), Layout::row_major) : result;
}

}  // namespace

ArrayCore sort(const NodePointer& value, int axis) { return sorted(value, axis, false); }
ArrayCore argsort(const NodePointer& value, int axis) { return sorted(value, axis, true); }

SortedLines sorted_with_positions(const ArrayCore& lines) {
    if (lines.shape.size() == 0) return {lines, make_array(DType::int64, lines.shape)};
    return sorted_lines(lines, true, true);
}

}  // namespace gpu::detail
