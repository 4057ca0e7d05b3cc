// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <gpu/expression.hpp>
#include <gpu/index_options.hpp>
#include <gpu/reduction_call.hpp>

/// @file
/// Cumulative sums and products.

namespace gpu {

/// How a scan runs: `cumsum(a, {.axis = 0})`; without an axis over the flat, row-major array, into one axis.
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
/// Integers add up in 64 bits, float16 in float32; `cumsum<double>(x)` names another accumulator and result. Chunks
/// of 128 elements are added up by themselves and then joined: the same input gives the same bits on every run.
/// @throws AxisError
/// @snippet public/scan_test.cpp cumsum
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto cumsum(const A& a, const ScanOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write cumsum<int>(x)");
    return Array<T>(detail::cumulative(detail::to_node(a), dtype_of<T>, false, options.axis));
}

/// The product of all elements up to each one; types as for cumsum(). The product of a chunk may overflow where a
/// running product wouldn't.
/// @throws AxisError
/// @snippet public/scan_test.cpp cumprod
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto cumprod(const A& a, const ScanOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a product isn't true or false: write cumprod<int>(x)");
    return Array<T>(detail::cumulative(detail::to_node(a), dtype_of<T>, true, options.axis));
}

}  // namespace gpu
