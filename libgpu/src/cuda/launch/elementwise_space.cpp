// SPDX-License-Identifier: MIT
#include "cuda/launch/elementwise_space.hpp"

#include <algorithm>
#include <bit>

namespace gpu::detail::cuda {

namespace {

constexpr std::int64_t most_in_group = 16;

// Of threads that take one element at a time: several times what a large GPU runs at once, to spread elements that take
// long. More would keep it busy with starting blocks.
constexpr std::int64_t most_threads_of_one_each = 1 << 22;

void set_length(ExtentArgument& extent, std::int64_t length) {
    const AxisArgument axis = make_axis(length);
    extent.length = static_cast<std::uint32_t>(length);
    extent.magic = axis.magic;
    extent.shift = axis.shift;
}

// Blocks that run at the same time work on tiles along the last axis; if there are few tiles across, on all of these as
// well, so that an input's rows are read whole. Returns the number of tiles.
std::int64_t set_tiles(SpaceArgument& argument, int rank, const ThreadWork& work) {
    const std::int64_t rows = ceil_div(argument.axes[rank - 2].length, std::int64_t{1} << work.across_log2);
    const std::int64_t columns =
        ceil_div(argument.axes[rank - 1].length, work.elements >> (work.across_log2 + work.deep_log2));
    const std::int64_t layers =
        work.deep_log2 > 0 ? ceil_div(argument.axes[rank - 3].length, std::int64_t{1} << work.deep_log2) : 1;
    argument.group_log2 =
        rows > most_in_group ? 0 : static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(rows)) - 1);
    const std::int64_t groups = ceil_div(rows, std::int64_t{1} << argument.group_log2);
    set_length(argument.tiles[0], columns);
    set_length(argument.tiles[1], groups);
    set_length(argument.tiles[2], layers);
    return (columns * groups * layers) << argument.group_log2;
}

}  // namespace

ElementwiseParts::ElementwiseParts(const ElementwiseSpace& space, const ThreadWork& work, std::int64_t most)
    : space_(space), work_(work), steps_(space.index_steps) {
    if (steps_.rank() == 0) steps_ = dense_strides(space.shape);
    argument_.size = space.size;
    std::int64_t inner = 1;
    cut_ = space.shape.rank() - 1;
    while (cut_ > 0 && space.shape[cut_] <= most / inner) inner *= space.shape[cut_--];
    chunk_ = std::max<std::int64_t>(1, most / inner);
    for (int axis = 0; axis < space.shape.rank(); ++axis) {
        argument_.axes[axis].step = steps_[axis];
        set_length(argument_.axes[axis], axis < cut_ ? 1 : axis == cut_ ? 0 : space.shape[axis]);
    }
}

bool ElementwiseParts::next() {
    if (space_.size == 0) return false;
    if (is_begun_) {
        int axis = cut_;
        argument_.axes[axis].start += argument_.axes[axis].length;
        while (argument_.axes[axis].start >= space_.shape[axis]) {
            if (axis == 0) return false;
            argument_.axes[axis].start = 0;
            ++argument_.axes[--axis].start;
        }
    }
    is_begun_ = true;
    take(std::min(chunk_, space_.shape[cut_] - argument_.axes[cut_].start));
    return true;
}

void ElementwiseParts::take(std::int64_t length) {
    const int rank = space_.shape.rank();
    set_length(argument_.axes[cut_], length);
    std::int64_t count = length;
    argument_.begin = 0;
    argument_.first = 0;
    for (int axis = 0; axis < rank; ++axis) {
        argument_.begin = argument_.begin * space_.shape[axis] + argument_.axes[axis].start;
        argument_.first += argument_.axes[axis].start * steps_[axis];
        if (axis > cut_) count *= space_.shape[axis];
    }
    argument_.count = static_cast<std::uint32_t>(count);
    if (work_.walk == ElementWalk::tiles) {
        blocks_ = set_tiles(argument_, rank, work_);
        const int before = rank - (work_.deep_log2 > 0 ? 3 : 2);
        for (int axis = 0; axis < before; ++axis) blocks_ *= argument_.axes[axis].length;
    } else {
        // What is left beside whole packs needs threads, too.
        const std::int64_t threads = std::max<std::int64_t>(ceil_div(count, work_.elements), 2 * work_.elements);
        blocks_ = ceil_div(threads, space_.block);
        if (work_.elements == 1) blocks_ = std::min(blocks_, most_threads_of_one_each / space_.block);
    }
}

std::vector<Argument> ElementwiseParts::arguments(const std::vector<Argument>& whole) const {
    std::vector<Argument> moved = whole;
    for (Argument& argument : moved) {
        if (!argument.is_array || argument.is_raw) continue;
        std::int64_t elements = 0;
        for (int axis = 0; axis < space_.shape.rank(); ++axis) {
            elements += argument_.axes[axis].start * argument.array.strides[axis];
        }
        argument.array.data = static_cast<std::byte*>(argument.array.data) + elements * argument.item;
    }
    return moved;
}

}  // namespace gpu::detail::cuda
