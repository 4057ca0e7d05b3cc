// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/expression.hpp>
#include <gpu/index_options.hpp>

/// @file
/// Neighbours along an axis: roll() and diff().

namespace gpu {

/// How roll() works: `roll(x, 1, {.axis = 0})`; without an axis over the flat, row-major array.
struct RollOptions {
    OptionalAxis axis = {};
};

/// How diff() works: `diff(x, {.n = 2, .axis = 0})`.
struct DiffOptions {
    std::int64_t n = 1;  ///< how many times differences are taken
    int axis = -1;
};

/// @cond internal
namespace detail {
GPU_API ArrayCore roll(const NodePointer& value, std::int64_t shift, OptionalAxis axis);
GPU_API ArrayCore diff(const NodePointer& value, std::int64_t n, int axis);
}  // namespace detail
/// @endcond

/// A new array in which each element has moved on by `shift` places; those beyond the end come in again at the start.
/// A negative shift moves backwards. The shape stays.
/// @throws AxisError
/// @snippet public/rearrange_test.cpp roll
template <detail::ArrayLike A>
[[nodiscard]] auto roll(const A& a, std::int64_t shift, const RollOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::roll(detail::to_node(a), shift, options.axis));
}

/// The differences of neighbours along an axis, the later minus the earlier: one fewer than elements. Of bools they are
/// true where the two differ, unsigned integers wrap around.
/// @throws AxisError; ShapeError if `n` is negative
/// @snippet public/rearrange_test.cpp diff
template <detail::ArrayLike A>
[[nodiscard]] auto diff(const A& a, const DiffOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::diff(detail::to_node(a), options.n, options.axis));
}

}  // namespace gpu
