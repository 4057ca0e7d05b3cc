// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/reduction_call.hpp>

namespace gpu {

/// How sort() and argsort() work: `sort(x, {.axis = 0})`. For the whole array, sort `x.flatten()`.
struct SortOptions {
    int axis = -1;
};

/// @cond internal
namespace detail {
GPU_API ArrayCore sort(const NodePointer& value, int axis);
GPU_API ArrayCore argsort(const NodePointer& value, int axis);
}  // namespace detail
/// @endcond

/// The elements in ascending order along an axis, as a new array; NaNs come last, as in NumPy. The sort is stable and
/// gives the same result on every device; nothing waits.
/// @throws AxisError
/// @snippet public/sorting_test.cpp sort
template <detail::ArrayLike A>
[[nodiscard]] auto sort(const A& a, const SortOptions& options = {}) {
    using T = detail::LazyElement<A>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order: sort gpu::abs(z)");
    return Array<T>(detail::sort(detail::to_node(a), options.axis));
}

/// The positions along the axis that would sort it: `x.take(argsort(x))` is sorted, for a vector. Equal elements keep
/// their order, NaNs come last.
/// @throws AxisError
/// @snippet public/sorting_test.cpp sort
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> argsort(const A& a, const SortOptions& options = {}) {
    static_assert(!is_complex(dtype_of<detail::LazyElement<A>>), "complex numbers have no order: sort gpu::abs(z)");
    return Array<std::int64_t>(detail::argsort(detail::to_node(a), options.axis));
}

/// @cond internal
GPU_AXIS_BY_NAME(sort)
GPU_AXIS_BY_NAME(argsort)
/// @endcond

}  // namespace gpu
