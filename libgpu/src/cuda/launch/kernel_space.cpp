// SPDX-License-Identifier: MIT
#include "cuda/launch/kernel_space.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

namespace gpu::detail::cuda {

namespace {

constexpr std::int64_t narrow_limit = std::numeric_limits<std::int32_t>::max();

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The smallest power of two that is at least n, within [1, most].
std::int64_t power_of_two(std::int64_t n, std::int64_t most) {
    std::int64_t power = 1;
    while (power < n && power < most) power *= 2;
    return power;
}

void set_layout(ReductionArgument& argument, const ReductionPlan& plan) {
    argument.chunk = plan.chunk;
    argument.tiles = static_cast<std::uint32_t>(plan.tiles);
    argument.width_log2 = std::countr_zero(static_cast<unsigned>(plan.width));
    argument.by_column = plan.by_column ? 1 : 0;
}

ReductionArgument make_reduction(const ReductionSpace& space, const ReductionPlan& plan) {
    ReductionArgument argument;
    argument.outputs = space.outputs;
    argument.reduced = space.reduced;
    argument.elements = space.outputs * space.reduced;
    set_layout(argument, plan);
    // Partial results lie so that the second kernel reads neighbours with neighbouring threads.
    argument.output_step = plan.by_column ? 1 : plan.splits;
    argument.split_step = plan.by_column ? space.outputs : 1;
    argument.is_split = plan.splits > 1 ? 1 : 0;
    argument.narrow = space.outputs <= narrow_limit && space.reduced <= narrow_limit ? 1 : 0;
    int next = 0;
    for (const std::int64_t length : space.kept) argument.axes[next++] = make_axis(length);
    for (const std::int64_t length : space.reduced_shape) argument.axes[next++] = make_axis(length);
    return argument;
}

}  // namespace

AxisArgument make_axis(std::int64_t length) noexcept {
    AxisArgument axis{.length = length};
    if (length < 1 || length > narrow_limit) return axis;  // the kernel divides in 64 bits then
    const auto divisor = static_cast<std::uint64_t>(length);
    axis.shift = static_cast<std::uint32_t>(std::bit_width(divisor - 1));  // the ceiling of log2
    const std::uint64_t power = std::uint64_t{1} << axis.shift;
    axis.magic = static_cast<std::uint32_t>((power - divisor) * (std::uint64_t{1} << 32) / divisor + 1);
    return axis;
}

ReductionPlan plan_reduction(std::int64_t outputs, std::int64_t reduced, bool by_column, bool may_split) {
    constexpr std::int64_t elements_per_lane = 4;        // loads in flight of a thread
    constexpr std::int64_t least_chunk_per_lane = 16;    // below this, splitting costs more than it wins
    constexpr std::int64_t enough_threads = 1 << 20;     // a few for each place that a large GPU has

    ReductionPlan plan{.by_column = by_column && outputs > 1};
    if (plan.by_column) {
        const std::int64_t columns = power_of_two(outputs, 32);  // a warp reads 32 neighbouring outputs' elements
        plan.width = static_cast<int>(power_of_two(ceil_div(reduced, elements_per_lane), reduction_block / columns));
    } else {
        plan.width = static_cast<int>(power_of_two(ceil_div(reduced, elements_per_lane), reduction_block));
        // Lanes that read neighbouring elements fill whole memory sectors.
        if (plan.width < 32) plan.width = static_cast<int>(power_of_two(reduced, 32));
    }
    const std::int64_t columns = reduction_block / plan.width;
    plan.tiles = std::max<std::int64_t>(1, ceil_div(outputs, columns));

    std::int64_t splits = 1;
    if (may_split && reduced > 0) {
        const std::int64_t useful = reduced / (plan.width * least_chunk_per_lane);
        const std::int64_t wanted = enough_threads / (plan.tiles * reduction_block);
        splits = std::clamp<std::int64_t>(std::min(useful, wanted), 1, reduced);
    }
    plan.chunk = std::max<std::int64_t>(1, ceil_div(reduced, splits));
    plan.splits = std::max<std::int64_t>(1, ceil_div(reduced, plan.chunk));
    return plan;
}

bool prefers_columns(const ReductionSpace& space, const std::vector<Argument>& arguments) {
    const int kept = space.kept.rank(), reduced = space.reduced_shape.rank();
    if (kept == 0 || reduced == 0 || space.outputs <= 1) return false;
    int votes = 0;
    const std::size_t inputs = arguments.size() - static_cast<std::size_t>(space.results);
    for (std::size_t i = 0; i < inputs; ++i) {
        if (!arguments[i].is_array || arguments[i].is_raw) continue;
        const auto along_kept = std::abs(arguments[i].array.strides[kept - 1]);
        const auto along_reduced = std::abs(arguments[i].array.strides[kept + reduced - 1]);
        if (along_kept != 0 && along_kept < along_reduced) ++votes;
        if (along_reduced != 0 && along_reduced < along_kept) --votes;
    }
    return votes > 0;
}

ReductionLaunch plan_launch(const ReductionSpace& space, const std::vector<Argument>& arguments) {
    ReductionLaunch launch;
    if (space.outputs == 0) return launch;
    const ReductionPlan plan = plan_reduction(space.outputs, space.reduced, prefers_columns(space, arguments), true);
    const ReductionArgument first = make_reduction(space, plan);
    if (space.reduced == 0) {
        launch.step[launch.steps++] = {1, ceil_div(space.outputs, reduction_block), first};
        return launch;
    }
    launch.step[launch.steps++] = {0, plan.tiles * plan.splits, first};
    if (plan.splits == 1) return launch;

    const ReductionPlan join = plan_reduction(space.outputs, plan.splits, plan.by_column, false);
    launch.partials = space.outputs * plan.splits;
    launch.step[launch.steps++] = {1, join.tiles, first};
    ReductionArgument& second = launch.step[1].argument;
    second.reduced = plan.splits;
    set_layout(second, join);
    return launch;
}

}  // namespace gpu::detail::cuda
