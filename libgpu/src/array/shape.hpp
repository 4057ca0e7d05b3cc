// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <gpu/array_core.hpp>
#include <gpu/shape.hpp>

namespace gpu::detail {

/// The axis counted from the first; negative ones count from the last.
/// @param rank how many axes there are. @param shape of the array, for the message. @throws AxisError
int checked_axis(int axis, int rank, const Shape& shape, const char* operation);

/// The axes that a call names. @throws AxisError for one that doesn't exist or is named twice
struct NamedAxes {
    bool named[max_rank] = {};
    int order[max_rank] = {};  ///< the axes as they were named, counted from the first
};
NamedAxes named_axes(std::span<const int> axes, const Shape& shape, const char* operation);

/// `count` positions along an axis, `step` apart, from `first` on: a window, without a check.
ArrayCore window_of(const ArrayCore& array, int axis, std::int64_t first, std::int64_t count, std::int64_t step = 1);

/// The same elements in another shape of the same size, read in this order; nothing if they would have to be copied.
std::optional<ArrayCore> reshaped_in_place(const ArrayCore& source, const Shape& wanted, Layout order);

}  // namespace gpu::detail
