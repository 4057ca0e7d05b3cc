// SPDX-License-Identifier: MIT
#include "launch/order/counted_mask.hpp"

#include <string>
#include <utility>

#include <gpu/create.hpp>

#include "backend/backend.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/order/scan.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::string key_of(const char* name, const MaskTile& tile) {
    return name + std::to_string(tile.threads) + ' ' + std::to_string(tile.rounds);
}

BuiltinBlocks blocks_of(const ArrayCore& totals, const MaskTile& tile) {
    return {.blocks = totals.shape[0], .threads = static_cast<std::uint32_t>(tile.threads)};
}

}  // namespace

MaskWay mask_way(Device device) { return {.by_blocks = backend(device).traits().by_blocks}; }

CountedMask::CountedMask(const ArrayCore& mask) : CountedMask(mask, mask_way(mask.storage->device())) {}

CountedMask::CountedMask(ArrayCore mask, const MaskWay& way)
    : mask_(std::move(mask)), size_(mask_.shape.size()), way_(way) {
    const Device device = mask_.storage->device();
    const DeviceGuard guard(device);
    const std::int64_t part = way.by_blocks ? way.tile.size() : mask_chunk, parts = (size_ + part - 1) / part;
    totals_ = make_array(DType::int64, Shape{parts});
    if (parts == 0) return;
    const void* const data = address_of(mask_);
    void* const counts = address_of(totals_);
    if (way.by_blocks) {
        void* arguments[] = {const_cast<void**>(&data), const_cast<void**>(&counts), &size_};
        launch_builtin_blocks(
            device, key_of("mask_tile_counts", way.tile), [&] { return mask_tile_counts_text(way.tile); },
            blocks_of(totals_, way.tile), arguments, 3);
    } else {
        launch_builtin_with(device, "mask_chunk_counts", mask_chunk_counts_text, {parts, size_}, data, counts, size_);
    }
    totals_.storage->mark_written();
    if (parts > 1) {
        scan({totals_, totals_}, {.input = DType::int64, .accumulator = DType::int64}, {.n = parts},
             {.by_blocks = way.by_blocks});
    }
}

ArrayCore CountedMask::count() const {
    ArrayCore last = totals_;
    last.offset += totals_.shape[0] - 1;
    last.shape = {};
    last.strides = {};
    return last;
}

std::int64_t CountedMask::counted() const {
    std::int64_t number = 0;
    if (size_ == 0) return number;
    refuse_in_capture("the number of elements that a mask keeps",
                      "it is awaited: assign to x[mask], or do it before the capture, or after a replay");
    read_item(count(), &number);
    return number;
}

// From null: the positions.
void CountedMask::write(const void* from, const ArrayCore& to, std::int64_t limit) const {
    const Device device = mask_.storage->device();
    const std::size_t bytes = size_of(to.dtype);
    const void *const data = address_of(mask_), *const totals = address_of(totals_);
    void* const out = address_of(to);
    if (way_.by_blocks) {
        const void* values[] = {&data, &from, &totals, &out, &size_, &limit};
        void* arguments[6];
        for (int k = 0; k < 6; ++k) arguments[k] = const_cast<void*>(values[k]);
        launch_builtin_blocks(
            device,
            key_of("mask_tile_kept", way_.tile) + (from == nullptr ? 'p' : static_cast<char>('a' + bytes)),
            [&] { return mask_tile_kept_text(bytes, from == nullptr, way_.tile); }, blocks_of(totals_, way_.tile),
            arguments, 6);
    } else {
        launch_builtin_with(device, "mask_positions", mask_positions_text, {totals_.shape[0], size_}, data, totals, out,
                            size_, limit);
    }
    to.storage->mark_written();
}

ArrayCore CountedMask::positions(std::int64_t limit) const {
    const DeviceGuard guard(mask_.storage->device());
    const ArrayCore made = make_array(DType::int64, Shape{limit});
    if (limit > 0 && size_ > 0) write(nullptr, made, limit);
    return made;
}

ArrayCore CountedMask::kept(const ArrayCore& array, std::int64_t count) const {
    const DeviceGuard guard(mask_.storage->device());
    const ArrayCore made = make_array(array.dtype, Shape{count});
    if (count > 0) write(address_of(array), made, count);
    return made;
}

}  // namespace gpu::detail
