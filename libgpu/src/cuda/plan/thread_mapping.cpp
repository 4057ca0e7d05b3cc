// SPDX-License-Identifier: MIT
#include "cuda/plan/thread_mapping.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

namespace gpu::detail::cuda {

namespace {

constexpr std::size_t max_tiled = 3;              // how many arrays' tiles fit into shared memory
constexpr std::int64_t sector = 32;                // bytes that a GPU fetches at a time
// the maximum number of sectors for a warp's neighbours, short of one each
constexpr std::int64_t max_lines = 32;
constexpr int deep_side_log2 = 4;                  // of a three-axis tile: 16 x 16 threads, 16 elements each
constexpr std::int64_t min_deep = 8;             // shorter axes would leave most of its threads idle

bool is_dense(const Iteration& iteration, std::size_t array) {
    std::int64_t step = 1;
    for (int axis = iteration.shape.rank() - 1; axis >= 0; --axis) {
        if (iteration.shape[axis] != 1 && iteration.strides[array][axis] != step) return false;
        step *= iteration.shape[axis];
    }
    return true;
}

// Most calls are of dense arrays of one shape: this is collapsed()'s result for them, in a tenth of the time.
bool is_line(const Iteration& iteration) {
    for (std::size_t k = 0; k < iteration.strides.size(); ++k) {
        if (!is_dense(iteration, k)) return false;
    }
    return true;
}
Iteration as_line(const Iteration& iteration) {
    return {Shape{iteration.shape.size()}, std::vector<Strides>(iteration.strides.size(), Strides{1})};
}

// The axis before the last along which most of this array's neighbours lie, if a walk along the last axis would fetch a
// sector for nearly every element; -1 if such a walk is fine.
int axis_across(const Iteration& iteration, std::size_t array, std::size_t item) {
    const Strides& strides = iteration.strides[array];
    const int last = iteration.shape.rank() - 1;
    const auto bytes = [&](int axis) { return std::abs(strides[axis]) * static_cast<std::int64_t>(item); };
    if (bytes(last) < sector) return -1;
    int best = -1;
    for (int axis = 0; axis < last; ++axis) {
        if (strides[axis] != 0 && (best < 0 || bytes(axis) < bytes(best))) best = axis;
    }
    if (best < 0 || bytes(best) > sector / 2) return -1;
    std::int64_t inner = 1;
    for (int axis = best + 1; axis <= last; ++axis) {
        if (__builtin_mul_overflow(inner, iteration.shape[axis], &inner)) return best;
    }
    return inner > max_lines ? best : -1;
}

// The number of distinct elements: repeated ones count once.
double elements_in(const Iteration& iteration, std::size_t array) {
    double count = 1;
    for (int axis = 0; axis < iteration.shape.rank(); ++axis) {
        if (iteration.strides[array][axis] != 0) count *= static_cast<double>(iteration.shape[axis]);
    }
    return count;
}

// Puts these axes of a tile, if there are any, before the last one.
void move_before_last(PlannedWalk& plan, int deep, int across) {
    std::vector<int> order;
    const int last = plan.iteration.shape.rank() - 1;
    for (int k = 0; k < last; ++k) {
        if (k == across || k == deep) continue;
        order.push_back(k);
        if (k > across) ++plan.near_axes;
    }
    if (deep >= 0) order.push_back(deep);
    order.push_back(across);
    order.push_back(last);
    plan.iteration = with_axes(plan.iteration, order);
}

int ceil_log2(std::int64_t length) { return std::bit_width(static_cast<std::uint64_t>(length - 1)); }

// True if each row of an array along the last axis begins at a multiple of this many bytes.
bool has_rows_at_multiples(const Iteration& iteration, std::size_t array, const WalkedArray& where,
                           std::int64_t bytes) {
    if (where.address % static_cast<std::uintptr_t>(bytes) != 0) return false;
    for (int axis = 0; axis < iteration.shape.rank() - 1; ++axis) {
        if (iteration.strides[array][axis] * static_cast<std::int64_t>(where.item) % bytes != 0) return false;
    }
    return true;
}

// At most 256 bytes across. As square as the two axes allow; but where rows of the output begin within a sector, which
// two blocks write then, with long pieces of them.
void set_tile(PlannedWalk& plan, std::size_t tiled, std::size_t max_item, const WalkedArray& output) {
    constexpr int max_log2 = 8;
    const int max_across = std::bit_width(256 / max_item) - 1;
    const Shape& shape = plan.iteration.shape;
    const int last = shape.rank() - 1;
    int a = std::min(ceil_log2(std::min<std::int64_t>(shape[last - 1], 1 << max_log2)), max_across);
    int l = ceil_log2(std::min<std::int64_t>(shape[last], 1 << max_log2));
    const bool is_wide = l > max_across && !has_rows_at_multiples(plan.iteration, 0, output, sector);
    // 32 KiB for one array, 16 KiB for each of two, 8 KiB for three: 48 KiB hold these with their padding.
    const std::size_t bytes = tiled > 2 ? 8192 : tiled > 1 || !is_wide ? 16384 : 32768;
    const int max_tile_log2 = std::bit_width(std::min<std::size_t>(bytes / max_item, 8192)) - 1;
    if (is_wide) a = std::min(a, max_across - 1);
    while (a + l > max_tile_log2) --(a > l || (is_wide && l <= max_across) ? a : l);
    plan.across_log2 = a;
    plan.width = 1 << (a + l);
}

// The input that lies along a third axis, neither the output's nor that across, if a tile of three axes fits both.
std::size_t deep_array(const PlannedWalk& plan, const std::vector<WalkedArray>& arrays, const std::vector<int>& own,
                       std::size_t leading) {
    const Shape& shape = plan.iteration.shape;
    const int across = own[leading], last = shape.rank() - 1;
    const auto is_long = [&](int axis) { return shape[axis] >= min_deep; };
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        // Values that are constant across the tile are loaded once for all of it.
        if (own[k] < 0 || own[k] == across || plan.iteration.strides[k][across] == 0) continue;
        const bool fits = arrays[k].item <= 4 && arrays[leading].item <= 4;
        return fits && is_long(own[k]) && is_long(across) && is_long(last) ? k : arrays.size();
    }
    return arrays.size();
}

// Arrays that are read through shared memory, if any: along the axis of the largest of them, and one along another.
bool plan_tiles(PlannedWalk& plan, const std::vector<WalkedArray>& arrays) {
    const int last = plan.iteration.shape.rank() - 1;
    if (last < 1 || !arrays.front().is_output) return false;
    const std::int64_t step = std::abs(plan.iteration.strides[0][last]) * static_cast<std::int64_t>(arrays[0].item);
    if (step == 0 || step >= sector) return false;
    std::vector<int> own(arrays.size(), -1);
    std::size_t leading = arrays.size();
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        if (!arrays[k].is_output) own[k] = axis_across(plan.iteration, k, arrays[k].item);
        if (own[k] < 0) continue;
        if (leading == arrays.size() || elements_in(plan.iteration, k) > elements_in(plan.iteration, leading))
            leading = k;
    }
    if (leading == arrays.size()) return false;
    plan.walk = Traversal::tiles;
    const std::size_t third = deep_array(plan, arrays, own, leading);
    std::size_t count = 0, max_item = 1;
    const bool is_deep = third < arrays.size();
    for (std::size_t k = 0; k < arrays.size() && count < max_tiled; ++k) {
        if (is_deep ? k != leading : own[k] != own[leading]) continue;
        plan.access[k] = AccessPattern::tile;
        max_item = std::max(max_item, arrays[k].item);
        ++count;
    }
    if (is_deep) {
        plan.access[third] = AccessPattern::deep;
        plan.across_log2 = plan.deep_log2 = deep_side_log2;
        plan.width = 1 << (3 * deep_side_log2);
    }
    move_before_last(plan, is_deep ? own[third] : -1, own[leading]);
    if (!is_deep) set_tile(plan, count, max_item, arrays.front());
    const int varied = last - (is_deep ? 2 : 1);
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        const bool is_read = !arrays[k].is_output && plan.access[k] == AccessPattern::any;
        if (is_read && plan.iteration.strides[k][varied] == 0) plan.access[k] = AccessPattern::broadcast;
    }
    return true;
}

// Whether each pack of this width lies along the last axis, and begins at a multiple of its own length.
bool has_packs(const PlannedWalk& plan, std::size_t array, const WalkedArray& where) {
    const std::int64_t pack = plan.width * static_cast<std::int64_t>(where.item);
    const bool lies_along = plan.iteration.strides[array][plan.iteration.shape.rank() - 1] == 1;
    return lies_along && has_rows_at_multiples(plan.iteration, array, where, pack);
}

// Packs of one axis begin where the first output's do, which the kernel finds.
bool plan_line(PlannedWalk& plan, const std::vector<WalkedArray>& arrays) {
    const auto place = [](const WalkedArray& array) { return array.address / array.item; };
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        const bool is_next = plan.iteration.strides[k][0] == 1;
        const auto apart = place(arrays[k]) - (arrays.front().is_output ? place(arrays.front()) : 0);
        const bool fits = is_next && apart % static_cast<std::size_t>(plan.width) == 0;
        if (arrays[k].is_output && !fits) return false;
        if (is_next && !fits) plan.access[k] = AccessPattern::unaligned;
    }
    return true;
}

bool plan_packs(PlannedWalk& plan, const std::vector<WalkedArray>& arrays) {
    const int last = plan.iteration.shape.rank() - 1;
    if (last == 0) return plan_line(plan, arrays);
    if (plan.width == 1 || plan.iteration.shape[last] % plan.width != 0) return false;
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        if (has_packs(plan, k, arrays[k])) plan.access[k] = AccessPattern::contiguous;
        else if (arrays[k].is_output) return false;
    }
    return true;
}

}  // namespace

PlannedWalk plan_walk(Iteration iteration, const std::vector<WalkedArray>& arrays,
                      const ElementwiseNeeds& needs) {
    PlannedWalk plan;
    const bool has_output = !arrays.empty() && arrays.front().is_output;
    if (!needs.keeps_axes && is_line(iteration)) iteration = as_line(iteration);
    else if (!needs.keeps_axes) iteration = collapsed(std::move(iteration), has_output);
    if (iteration.shape.rank() == 0) iteration = collapsed(std::move(iteration), false);
    plan.iteration = std::move(iteration);
    plan.access.assign(arrays.size(), AccessPattern::any);
    std::size_t max_item = 1;
    for (const WalkedArray& array : arrays) max_item = std::max(max_item, array.item);
    plan.width = pack_width(max_item);

    const bool may_tile = !needs.keeps_axes && needs.block == tile_threads && !arrays.empty();
    if (!(may_tile && plan_tiles(plan, arrays))) {
        if (needs.keeps_axes || !plan_packs(plan, arrays)) plan.walk = Traversal::elements;
        const int last = plan.iteration.shape.rank() - 1;
        for (std::size_t k = 0; k < arrays.size(); ++k) {
            if (plan.walk == Traversal::elements) plan.access[k] = AccessPattern::any;
            else if (!arrays[k].is_output && plan.iteration.strides[k][last] == 0)
                plan.access[k] = AccessPattern::broadcast;
        }
    }
    plan.is_linear.reserve(arrays.size());
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        // With packs over several axes, a linear array is one whose packs are aligned.
        const bool may = plan.walk == Traversal::elements || plan.access[k] == AccessPattern::contiguous ||
                         (plan.walk == Traversal::packs && plan.iteration.shape.rank() == 1);
        plan.is_linear.push_back(may && is_dense(plan.iteration, k));
    }
    if (needs.uses_index) {
        const std::size_t own = arrays.size();
        const bool counts_along = plan.walk != Traversal::tiles && is_dense(plan.iteration, own);
        if (!counts_along) plan.index_steps = plan.iteration.strides[own];
        plan.iteration.strides.pop_back();
    }
    return plan;
}

std::string PlannedWalk::key() const {
    std::string key{static_cast<char>('0' + static_cast<int>(walk)), index_steps.rank() > 0 ? 'i' : '-'};
    if (walk == Traversal::tiles)
        for (const int part : {across_log2, std::countr_zero(static_cast<unsigned>(width)), deep_log2, near_axes})
            key += static_cast<char>('a' + part);
    for (const AccessPattern one : access) key += static_cast<char>('0' + static_cast<int>(one));
    return key;
}

ThreadWork work_of(const BackendPlan& plan) {
    return plan != nullptr ? *static_cast<const ThreadWork*>(plan.get()) : ThreadWork{};
}

const Strides& index_steps_of(const BackendPlan& plan) {
    static const Strides none;
    return plan != nullptr ? static_cast<const ThreadMapping*>(plan.get())->index_steps : none;
}

// Without a plan, a walk that fits any arrays of such strides.
PlannedElementwise::PlannedElementwise(const ElementwiseText& text)
    : ElementwiseText(text),
      ThreadMapping(text.plan != nullptr ? *static_cast<const ThreadMapping*>(text.plan.get())
                                    : ThreadMapping{.walk = text.rank > 1 ? Traversal::elements : Traversal::packs}) {}

namespace {

constexpr std::int64_t narrow = std::numeric_limits<std::int32_t>::max();

bool runs_by_column(const ReductionSpace& space, const std::vector<Argument>& arguments, int pack) {
    constexpr std::int64_t few = 4;  // elements per output: too few for a thread that has no other output
    const int kept = space.kept.rank(), reduced = space.reduced_shape.rank();
    if (kept == 0 || reduced == 0 || space.outputs <= 1) return false;
    if (space.reduced <= few && space.reduced % pack != 0) return true;
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

// Whether places among the elements, or what an output's elements are apart where they are read one by one, need more
// than 31 bits.
bool needs_wide(const ReductionSpace& space, const ReductionWalk& walk, const std::vector<Argument>& arguments) {
    if (space.outputs > narrow || space.reduced > narrow) return true;
    if (walk.is_packed) return false;
    const int kept = space.kept.rank(), reduced = space.reduced_shape.rank();
    const std::size_t inputs = arguments.size() - static_cast<std::size_t>(space.results);
    for (std::size_t i = 0; i < inputs; ++i) {
        if (!arguments[i].is_array || arguments[i].is_raw) continue;
        std::int64_t reach = 0;
        for (int axis = 0; axis < reduced && space.reduced > 0; ++axis)
            reach += (space.reduced_shape[axis] - 1) * std::abs(arguments[i].array.strides[kept + axis]);
        if (reach > narrow) return true;
    }
    return false;
}

}  // namespace

bool fits_packs(const ReductionSpace& space, const ReductionWalk& walk, const std::vector<Argument>& arguments) {
    const int kept = space.kept.rank(), all = kept + space.reduced_shape.rank(), pack = walk.pack;
    const int first = walk.by_column ? 0 : kept, last = (walk.by_column ? kept : all) - 1;
    if (pack == 1 || last < first) return false;
    const std::int64_t length = walk.by_column ? space.kept[last] : space.reduced_shape[last - kept];
    if (length % pack != 0 && (walk.by_column || last > first)) return false;
    bool any = false;
    const std::size_t inputs = arguments.size() - static_cast<std::size_t>(space.results);
    for (std::size_t i = 0; i < inputs; ++i) {
        if (!arguments[i].is_array || arguments[i].is_raw) continue;
        const ArrayArgument& array = arguments[i].array;
        if (array.strides[last] == 0) continue;
        if (array.strides[last] != 1 || reinterpret_cast<std::uintptr_t>(array.data) % 16 != 0) return false;
        for (int axis = 0; axis < all; ++axis) {
            if (axis != last && array.strides[axis] % pack != 0) return false;
        }
        any = true;
    }
    return any;
}

ReductionWalk walk_of(const ReductionSpace& space, const std::vector<Argument>& arguments, std::size_t max_item,
                      std::size_t accumulator) {
    constexpr std::size_t large = 16;  // bytes: four larger ones take the registers of loads in flight
    ReductionWalk walk;
    walk.pack = pack_width(max_item);
    walk.by_column = runs_by_column(space, arguments, walk.pack);
    if (walk.by_column && accumulator > large) walk.pack = std::min(walk.pack, 2);
    walk.is_packed = fits_packs(space, walk, arguments);
    constexpr std::int64_t many = 8 * 256;  // packs: 8 for each thread of a block
    walk.deep_unroll = walk.is_packed && !walk.by_column && space.reduced >= many * walk.pack;
    walk.is_short = has_short_rows(space, walk);
    walk.is_wide = needs_wide(space, walk, arguments);
    return walk;
}

std::string ReductionWalk::key() const {
    return {by_column ? 'c' : 'r', is_short ? 'o' : deep_unroll ? 'd' : is_packed ? 'p' : 's', is_wide ? 'w' : 'n'};
}

ReductionThreads threads_of(const BackendPlan& plan) {
    return plan != nullptr ? *static_cast<const ReductionThreads*>(plan.get()) : ReductionThreads{};
}

bool has_short_rows(const ReductionSpace& space, const ReductionWalk& walk) noexcept {
    constexpr std::int64_t few = 4;  // packs
    return walk.is_packed && !walk.by_column && space.kept.rank() > 0 && space.reduced <= few * walk.pack;
}

std::int64_t row_of(const ReductionSpace& space, const std::vector<Argument>& arguments) {
    const int kept = space.kept.rank(), reduced = space.reduced_shape.rank();
    if (kept == 0 || reduced == 0) return 0;
    const std::int64_t length = space.reduced_shape[reduced - 1];
    if (length == 0) return 0;
    bool any = false;
    const std::size_t inputs = arguments.size() - static_cast<std::size_t>(space.results);
    for (std::size_t i = 0; i < inputs; ++i) {
        if (!arguments[i].is_array || arguments[i].is_raw) continue;
        const std::int64_t along_kept = std::abs(arguments[i].array.strides[kept - 1]);
        const std::int64_t along_reduced = std::abs(arguments[i].array.strides[kept + reduced - 1]);
        if (along_kept == 0 || along_reduced == 0) continue;
        if (along_kept / length != along_reduced || along_kept % length != 0) return 0;
        any = true;
    }
    return any ? length : 0;
}

}  // namespace gpu::detail::cuda
