// SPDX-License-Identifier: MIT
#include "cuda/launch/kernel_space.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace gpu::detail::cuda {

namespace {

constexpr std::int64_t narrow_limit = std::numeric_limits<std::int32_t>::max();

/// The smallest power of two that is at least n, within [1, most].
std::int64_t power_of_two(std::int64_t n, std::int64_t max_width) {
    std::int64_t power = 1;
    while (power < n && power < max_width) power *= 2;
    return power;
}

void set_layout(ReductionArgument& argument, const ReductionLayout& plan) {
    argument.chunk = static_cast<std::int32_t>(plan.chunk);
    argument.width_log2 = std::countr_zero(static_cast<unsigned>(plan.width));
}

ReductionArgument make_reduction(const ReductionSpace& space, const ReductionSizes& sizes,
                                 const ReductionLayout& plan) {
    ReductionArgument argument;
    argument.outputs = space.outputs;
    argument.reduced = space.reduced;
    argument.elements = space.outputs * space.reduced;
    set_layout(argument, plan);
    // Partial results are laid out so that neighbouring threads of the second launch read neighbours.
    argument.output_step = sizes.walk.by_column ? 1 : plan.splits;
    argument.split_step = sizes.walk.by_column ? space.outputs : 1;
    argument.is_split = plan.splits > 1 ? 1 : 0;
    int next = 0;
    for (const std::int64_t length : space.kept) argument.axes[next++] = make_axis(length);
    for (const std::int64_t length : space.reduced_shape) argument.axes[next++] = make_axis(length);
    return argument;
}

ReductionSizes sizes_of(const ReductionSpace& space, const ReductionThreads& threads) {
    return {.outputs = space.outputs,
            .reduced = space.reduced,
            .inner = space.kept.rank() > 0 ? space.kept[space.kept.rank() - 1] : 1,
            .walk = threads.walk,
            .row = threads.row};
}

/// The plan for a width, before splitting.
ReductionLayout whole_plan(const ReductionSizes& sizes, std::int64_t width, std::int64_t elements) {
    const std::int64_t outputs = reduction_block / width * (sizes.walk.by_column ? sizes.walk.pack : 1);
    return {.width = static_cast<int>(width),
            .tiles = std::max<std::int64_t>(1, ceil_div(sizes.outputs, outputs)),
            .splits = 1,
            .chunk = std::max<std::int64_t>(1, elements)};
}

}  // namespace

AxisArgument make_axis(std::int64_t length) noexcept {
    AxisArgument axis{.length = length};
    if (length < 1 || length > narrow_limit) return axis;  // the kernel then divides in 64 bits
    const auto divisor = static_cast<std::uint64_t>(length);
    axis.shift = static_cast<std::uint32_t>(std::bit_width(divisor - 1));  // the ceiling of log2
    const std::uint64_t power = std::uint64_t{1} << axis.shift;
    axis.magic = static_cast<std::uint32_t>((power - divisor) * (std::uint64_t{1} << 32) / divisor + 1);
    return axis;
}

ReductionLayout plan_reduction(const ReductionSizes& sizes) {
    constexpr std::int64_t packs_per_lane = 4;         // loads in flight per thread
    constexpr std::int64_t rows_per_lane = 8;          // for a walk by column
    constexpr std::int64_t few_lanes = 8;              // for ragged rows: 32 bytes, so that no sector is read in vain
    constexpr std::int64_t ragged_per_lane = 16;       // minimum elements per lane, if there are many outputs
    constexpr std::int64_t max_columns = 64;          // threads side by side, if lanes are needed
    constexpr std::int64_t resident_threads = 1 << 17;  // of a large GPU: no block waits for another
    constexpr std::int64_t many_threads = 1 << 20;     // several per resident thread
    constexpr std::int64_t min_chunk_per_lane = 16;  // below this, splitting costs more than it gains
    constexpr std::int64_t max_chunk = 1 << 30;    // offsets in it are 32-bit numbers
    // alignment of a row's chunks, so that whole cache lines are read
    constexpr std::int64_t line = 128;

    const int pack = sizes.walk.pack;
    const bool by_column = sizes.walk.by_column;
    if (sizes.walk.is_short) {
        return {.tiles = std::max<std::int64_t>(1, ceil_div(sizes.outputs, reduction_block * short_rows_together)),
                .chunk = std::max<std::int64_t>(1, sizes.reduced)};
    }
    std::int64_t width = 1, threads = resident_threads;
    if (by_column) {
        const std::int64_t places = ceil_div(sizes.outputs, pack);
        const std::int64_t max_width = places >= resident_threads / 4 ? reduction_block : max_columns;
        const std::int64_t columns = power_of_two(ceil_div(sizes.inner, pack), max_width);
        width = power_of_two(ceil_div(sizes.reduced, rows_per_lane), reduction_block / columns);
        threads = resident_threads * 4 / std::max(4, pack);
    } else {
        const std::int64_t elements_per_lane = packs_per_lane * (sizes.walk.is_packed ? pack : 1);
        width = power_of_two(ceil_div(sizes.reduced, elements_per_lane), reduction_block);
        // As many lanes as a row has elements: a warp then reads consecutive rows.
        const std::int64_t in_row = std::max<std::int64_t>(1, sizes.row / (sizes.walk.is_packed ? pack : 1));
        if (sizes.row > 0 && sizes.row < sizes.reduced) {
            const auto lanes = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(in_row)));
            if (sizes.outputs * lanes >= many_threads / 4) width = std::min(width, lanes);
        }
        // Doubling the lanes adds a step across lanes, while the added ones read nothing.
        const auto has_idle = [&] {
            return sizes.outputs * width > many_threads && sizes.reduced < width * ragged_per_lane;
        };
        while (!sizes.walk.is_packed && width > few_lanes && has_idle()) width /= 2;
    }
    ReductionLayout plan = whole_plan(sizes, width, sizes.reduced);
    const std::int64_t useful = sizes.reduced / (width * (by_column ? rows_per_lane : min_chunk_per_lane));
    const std::int64_t wanted = useful < 4 ? 1 : threads / (plan.tiles * reduction_block);
    const std::int64_t splits =
        std::max({std::int64_t{1}, std::min(useful, wanted), ceil_div(sizes.reduced, max_chunk)});
    if (splits == 1) return plan;
    plan.chunk = ceil_div(sizes.reduced, splits);
    if (!by_column) plan.chunk = ceil_div(plan.chunk, line) * line;
    plan.splits = ceil_div(sizes.reduced, plan.chunk);
    return plan;
}

ReductionLayout plan_join(const ReductionSizes& sizes, std::int64_t partials) {
    // The aim is that no lane performs many dependent loads.
    constexpr std::int64_t max_per_lane = 16;
    std::int64_t columns = sizes.walk.by_column ? power_of_two(ceil_div(sizes.outputs, sizes.walk.pack), 8) : 1;
    while (columns > 1 && partials * columns > max_per_lane * reduction_block) columns /= 2;
    return whole_plan(sizes, power_of_two(partials, reduction_block / columns), partials);
}

bool is_split(const ReductionSpace& space, const ReductionThreads& threads) {
    return space.outputs > 0 && plan_reduction(sizes_of(space, threads)).splits > 1;
}

ReductionSchedule plan_launch(const ReductionSpace& space, const ReductionThreads& threads) {
    ReductionSchedule launch;
    if (space.outputs == 0) return launch;
    const ReductionSizes sizes = sizes_of(space, threads);
    const ReductionLayout plan = plan_reduction(sizes);
    const ReductionArgument first = make_reduction(space, sizes, plan);
    launch.step[launch.steps++] = {plan.tiles, plan.splits, first};
    if (plan.splits == 1) return launch;

    const ReductionLayout join = plan_join(sizes, plan.splits);
    launch.partials = space.outputs * plan.splits;
    launch.step[launch.steps++] = {join.tiles, 1, first};
    ReductionArgument& second = launch.step[1].argument;
    second.reduced = plan.splits;
    second.is_split = 0;
    set_layout(second, join);
    return launch;
}

namespace {

constexpr std::int64_t max_in_group = 16;

// Threads that take one element each: several times what a large GPU runs at once, to balance elements that take long.
// More would spend the time on starting blocks.
constexpr std::int64_t max_threads_of_one_each = 1 << 22;

void set_length(ExtentArgument& extent, std::int64_t length) {
    const AxisArgument axis = make_axis(length);
    extent.length = static_cast<std::uint32_t>(length);
    extent.magic = axis.magic;
    extent.shift = axis.shift;
}

// Blocks that run at the same time work on tiles along the last axis and, if there are few tiles across, on all of
// those as well, so that an input's rows are read completely. Returns the number of tiles.
std::int64_t set_tiles(SpaceArgument& argument, int rank, const ThreadWork& work) {
    const std::int64_t rows = ceil_div(argument.axes[rank - 2].length, std::int64_t{1} << work.across_log2);
    const std::int64_t columns =
        ceil_div(argument.axes[rank - 1].length, work.elements >> (work.across_log2 + work.deep_log2));
    const std::int64_t layers =
        work.deep_log2 > 0 ? ceil_div(argument.axes[rank - 3].length, std::int64_t{1} << work.deep_log2) : 1;
    argument.group_log2 =
        rows > max_in_group ? 0 : static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(rows)) - 1);
    const std::int64_t groups = ceil_div(rows, std::int64_t{1} << argument.group_log2);
    set_length(argument.tiles[0], columns);
    set_length(argument.tiles[1], groups);
    set_length(argument.tiles[2], layers);
    return (columns * groups * layers) << argument.group_log2;
}

}  // namespace

ElementwiseParts::ElementwiseParts(const ElementwiseSpace& space, const ThreadWork& work, const Strides& index_steps,
                                   std::int64_t max_elements)
    : space_(space), work_(work), steps_(index_steps) {
    if (steps_.rank() == 0) steps_ = dense_strides(space.shape);
    argument_.size = space.size;
    std::int64_t inner = 1;
    cut_ = space.shape.rank() - 1;
    while (cut_ > 0 && space.shape[cut_] <= max_elements / inner) inner *= space.shape[cut_--];
    chunk_ = std::max<std::int64_t>(1, max_elements / inner);
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
    if (work_.walk == Traversal::tiles) {
        blocks_ = set_tiles(argument_, rank, work_);
        const int before = rank - (work_.deep_log2 > 0 ? 3 : 2);
        for (int axis = 0; axis < before; ++axis) blocks_ *= argument_.axes[axis].length;
    } else {
        // The elements outside whole packs need threads, too.
        const std::int64_t threads = std::max<std::int64_t>(ceil_div(count, work_.elements), 2 * work_.elements);
        blocks_ = ceil_div(threads, work_.block);
        if (work_.elements == 1) blocks_ = std::min(blocks_, max_threads_of_one_each / work_.block);
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
