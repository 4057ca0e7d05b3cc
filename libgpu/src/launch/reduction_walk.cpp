// SPDX-License-Identifier: MIT
#include "launch/reduction_walk.hpp"

#include <cstdint>
#include <cstdlib>
#include <limits>

namespace gpu::detail {

namespace {

constexpr std::int64_t narrow = std::numeric_limits<std::int32_t>::max();

bool runs_by_column(const ReductionSpace& space, const std::vector<Argument>& arguments, int pack) {
    constexpr std::int64_t few = 4;  // elements of an output: too few for a thread that has no other output
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
bool needs_wide(const ReductionSpace& space, const std::vector<Argument>& arguments) {
    if (space.outputs > narrow || space.reduced > narrow) return true;
    if (space.walk.is_packed) return false;
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

bool fits_packs(const ReductionSpace& space, const std::vector<Argument>& arguments) {
    const int kept = space.kept.rank(), all = kept + space.reduced_shape.rank(), pack = space.walk.pack;
    const int first = space.walk.by_column ? 0 : kept, last = (space.walk.by_column ? kept : all) - 1;
    if (pack == 1 || last < first) return false;
    const std::int64_t length = space.walk.by_column ? space.kept[last] : space.reduced_shape[last - kept];
    if (length % pack != 0 && (space.walk.by_column || last > first)) return false;
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

ReductionWalk walk_of(const ReductionSpace& space, const std::vector<Argument>& arguments, std::size_t widest) {
    ReductionSpace planned = space;
    ReductionWalk& walk = planned.walk;
    walk.pack = pack_width(widest);
    walk.by_column = runs_by_column(space, arguments, walk.pack);
    walk.is_packed = fits_packs(planned, arguments);
    constexpr std::int64_t many = 8 * 256;  // packs: 8 for each thread of a block
    walk.has_many_packs = walk.is_packed && !walk.by_column && space.reduced >= many * walk.pack;
    walk.is_short = has_short_rows(planned);
    walk.is_wide = needs_wide(planned, arguments);
    return walk;
}

bool has_short_rows(const ReductionSpace& space) noexcept {
    constexpr std::int64_t few = 4;  // packs
    return space.walk.is_packed && !space.walk.by_column && space.kept.rank() > 0 &&
           space.reduced <= few * space.walk.pack;
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

}  // namespace gpu::detail
