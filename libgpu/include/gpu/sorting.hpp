// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <gpu/expression.hpp>
#include <gpu/indexable.hpp>
#include <gpu/reduction_call.hpp>

namespace gpu {

/// The options of sort() and argsort(): `sort(x, {.axis = 0})`. To sort the whole array, sort `x.flatten()`.
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
/// @snippet public/mask_test.cpp sort
template <detail::ArrayLike A>
[[nodiscard]] auto sort(const A& a, const SortOptions& options = {}) {
    using T = detail::LazyElement<A>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order: sort gpu::abs(z)");
    return Array<T>(detail::sort(detail::to_node(a), options.axis));
}

/// The positions along the axis that would sort it: for a vector, `x.take(argsort(x))` is sorted. Equal elements keep
/// their order, NaNs come last.
/// @throws AxisError
/// @snippet public/mask_test.cpp sort
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

/// @file
/// Cumulative sums and products.

namespace gpu {

/// The options of a scan: `cumsum(a, {.axis = 0})`; without an axis, it runs over the flat, row-major array and gives
/// one axis.
struct ScanOptions {
    OptionalAxis axis = {};
};

/// @cond internal
namespace detail {

GPU_API ArrayCore cumulative(const NodePointer& value, DType result, bool product, OptionalAxis axis);

}  // namespace detail
/// @endcond

/// The sum of all elements up to each one, along an axis or of the flat array. Returns at once.
///
/// Integers accumulate in 64 bits, float16 in float32; `cumsum<double>(x)` names another accumulator and result. Chunks
/// of 128 elements are summed separately and then joined: the same input gives the same bits on every run.
/// @throws AxisError
/// @snippet public/mask_test.cpp cumsum
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto cumsum(const A& a, const ScanOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write cumsum<int>(x)");
    return Array<T>(detail::cumulative(detail::to_node(a), dtype_of<T>, false, options.axis));
}

/// The product of all elements up to each one; types as for cumsum(). The product of a chunk may overflow where a
/// running product wouldn't.
/// @throws AxisError
/// @snippet public/mask_test.cpp cumprod
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto cumprod(const A& a, const ScanOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a product isn't true or false: write cumprod<int>(x)");
    return Array<T>(detail::cumulative(detail::to_node(a), dtype_of<T>, true, options.axis));
}

}  // namespace gpu
