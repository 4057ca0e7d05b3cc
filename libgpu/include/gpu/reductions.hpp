// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/reduction_call.hpp>
#include <gpu/statistics.hpp>

/// @file
/// Reductions of arrays, views and expressions over any axes. An expression is fused: `sum(x * y)` is one kernel.
///
/// All return at once, even for a whole array, whose result has no axes: `item()` waits. The elements are combined in a
/// fixed order, so the same input gives the same bits on every run. With `.out` the result goes into an existing array,
/// and nothing is returned. All throw AxisError and DeviceError; with `.out` DTypeError
/// and ShapeError too.

namespace gpu {

/// The sum over the axes. Integers and bools accumulate in 64 bits, float16 in float32, other types in themselves;
/// `sum<double>(x)` names another accumulator and result. The sum of nothing is 0. A NaN makes the sum NaN.
/// @snippet public/reduction_test.cpp sum
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto sum(const A& a, const ReduceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write gpu::any(x)");
    static_assert(detail::holds<T, A>, "the sum of complex numbers is complex: name a complex type");
    return detail::reduced<T>(detail::Reduction::sum, detail::accumulator(dtype_of<T>), a, options);
}
/// The same into an existing array.
/// @snippet public/reduction_out_test.cpp out
template <class R = void, detail::ArrayLike A>
void sum(const A& a, const ReduceInto& into) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write gpu::any(x)");
    static_assert(detail::holds<T, A>, "the sum of complex numbers is complex: name a complex type");
    detail::reduced<T>(detail::Reduction::sum, detail::accumulator(dtype_of<T>), a, into);
}

/// The product over the axes, with the types of sum(). The product of nothing is 1; integers wrap around.
/// @snippet public/reduction_test.cpp prod
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto prod(const A& a, const ReduceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a product isn't true or false: write gpu::all(x)");
    static_assert(detail::holds<T, A>, "the product of complex numbers is complex: name a complex type");
    return detail::reduced<T>(detail::Reduction::prod, detail::accumulator(dtype_of<T>), a, options);
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void prod(const A& a, const ReduceInto& into) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a product isn't true or false: write gpu::all(x)");
    static_assert(detail::holds<T, A>, "the product of complex numbers is complex: name a complex type");
    detail::reduced<T>(detail::Reduction::prod, detail::accumulator(dtype_of<T>), a, into);
}

/// The smallest element (not of complex numbers, which have no order); a NaN among them makes it NaN. (Of two arrays,
/// element by element: `minimum`.)
/// @throws ShapeError for nothing to choose from: "zero-size array to reduction operation min which has no identity"
/// @snippet public/reduction_test.cpp min
template <detail::Ordered A>
[[nodiscard]] auto min(const A& a, const ReduceOptions& options = {}) {
    using T = detail::LazyElement<A>;
    return detail::reduced<T>(detail::Reduction::min, detail::comparable(dtype_of<T>), a, options);
}
/// The same into an existing array.
template <detail::Ordered A>
void min(const A& a, const ReduceInto& into) {
    using T = detail::LazyElement<A>;
    detail::reduced<T>(detail::Reduction::min, detail::comparable(dtype_of<T>), a, into);
}

/// The largest element; a NaN among them makes it NaN. (Of two arrays, element by element: `maximum`.)
/// @throws ShapeError for nothing to choose from
/// @snippet public/reduction_test.cpp min
template <detail::Ordered A>
[[nodiscard]] auto max(const A& a, const ReduceOptions& options = {}) {
    using T = detail::LazyElement<A>;
    return detail::reduced<T>(detail::Reduction::max, detail::comparable(dtype_of<T>), a, options);
}
/// The same into an existing array.
template <detail::Ordered A>
void max(const A& a, const ReduceInto& into) {
    using T = detail::LazyElement<A>;
    detail::reduced<T>(detail::Reduction::max, detail::comparable(dtype_of<T>), a, into);
}

/// Where the smallest element is: its index along the axis, or over several axes its index among their elements in
/// row-major order. The first of equal elements; if there are NaNs, the first NaN.
/// @throws ShapeError for nothing to choose from
/// @snippet public/reduction_test.cpp argmin
template <detail::Ordered A>
[[nodiscard]] Array<std::int64_t> argmin(const A& a, const ReduceOptions& options = {}) {
    return detail::reduced<std::int64_t>(detail::Reduction::argmin,
                                         detail::comparable(dtype_of<detail::LazyElement<A>>), a, options);
}
/// The same into an existing array.
template <detail::Ordered A>
void argmin(const A& a, const ReduceInto& into) {
    detail::reduced<std::int64_t>(detail::Reduction::argmin, detail::comparable(dtype_of<detail::LazyElement<A>>), a,
                                  into);
}

/// Where the largest element is; otherwise like argmin().
/// @throws ShapeError for nothing to choose from
/// @snippet public/reduction_test.cpp argmin
template <detail::Ordered A>
[[nodiscard]] Array<std::int64_t> argmax(const A& a, const ReduceOptions& options = {}) {
    return detail::reduced<std::int64_t>(detail::Reduction::argmax,
                                         detail::comparable(dtype_of<detail::LazyElement<A>>), a, options);
}
/// The same into an existing array.
template <detail::Ordered A>
void argmax(const A& a, const ReduceInto& into) {
    detail::reduced<std::int64_t>(detail::Reduction::argmax, detail::comparable(dtype_of<detail::LazyElement<A>>), a,
                                  into);
}

/// True where at least one element isn't 0 (NaN isn't 0); false for nothing. `gpu::all(x)` is its counterpart.
/// @snippet public/reduction_test.cpp any
template <detail::ArrayLike A>
[[nodiscard]] Array<bool> any(const A& a, const ReduceOptions& options = {}) {
    return detail::reduced<bool>(detail::Reduction::any, DType::boolean, a, options);
}
/// The same into an existing array.
template <detail::ArrayLike A>
void any(const A& a, const ReduceInto& into) {
    detail::reduced<bool>(detail::Reduction::any, DType::boolean, a, into);
}

/// How many elements aren't 0 (NaN isn't 0).
/// @snippet public/reduction_test.cpp any
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> count_nonzero(const A& a, const ReduceOptions& options = {}) {
    return detail::reduced<std::int64_t>(detail::Reduction::count_nonzero, DType::boolean, a, options);
}
/// The same into an existing array.
template <detail::ArrayLike A>
void count_nonzero(const A& a, const ReduceInto& into) {
    detail::reduced<std::int64_t>(detail::Reduction::count_nonzero, DType::boolean, a, into);
}

/// @cond internal
GPU_AXIS_BY_NAME(sum)
GPU_AXIS_BY_NAME(prod)
GPU_AXIS_BY_NAME(argmin)
GPU_AXIS_BY_NAME(argmax)
GPU_AXIS_BY_NAME(any)
GPU_AXIS_BY_NAME(count_nonzero)
GPU_OPTIONS_BY_NAME(min, "the smaller of two is gpu::minimum(x, y); gpu::min(x, {.axis = 0}) is along an axis")
GPU_OPTIONS_BY_NAME(max, "the larger of two is gpu::maximum(x, y); gpu::max(x, {.axis = 0}) is along an axis")
/// @endcond

template <class A>
Array<bool> All::operator()(const A& a) const {
    return detail::reduced<bool>(detail::Reduction::all, DType::boolean, a, ReduceOptions{});
}
template <class A>
Array<bool> All::operator()(const A& a, const ReduceOptions& options) const {
    return detail::reduced<bool>(detail::Reduction::all, DType::boolean, a, options);
}
template <class A>
void All::operator()(const A& a, const ReduceInto& into) const {
    detail::reduced<bool>(detail::Reduction::all, DType::boolean, a, into);
}

}  // namespace gpu
