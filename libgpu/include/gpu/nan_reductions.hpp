// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/reductions.hpp>

/// @file
/// Reductions that leave out NaN, under NumPy's names. All take ReduceOptions and throw as those of
/// gpu/reductions.hpp do; arrays of integers have no NaN.

namespace gpu {

/// @cond internal
namespace detail {
// A number in place of each NaN.
template <class A>
auto without_nan(const A& a, int number) {
    using T = LazyElement<A>;
    if constexpr (is_floating(dtype_of<T>) || is_complex(dtype_of<T>))
        return gpu::where(gpu::isnan(a), static_cast<Floating<T>>(number), a);
    else
        return Expr<T>(to_node(a));
}
}  // namespace detail
/// @endcond

/// The sum without NaNs, with the types of sum(); 0 if there is nothing else.
/// @snippet public/nan_reductions_test.cpp nansum
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto nansum(const A& a, const ReduceOptions& options = {}) {
    return gpu::sum<R>(detail::without_nan(a, 0), options);
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void nansum(const A& a, const ReduceInto& into) {
    gpu::sum<R>(detail::without_nan(a, 0), into);
}

/// The product without NaNs, with the types of prod(); 1 if there is nothing else.
/// @snippet public/nan_reductions_test.cpp nansum
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto nanprod(const A& a, const ReduceOptions& options = {}) {
    return gpu::prod<R>(detail::without_nan(a, 1), options);
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void nanprod(const A& a, const ReduceInto& into) {
    gpu::prod<R>(detail::without_nan(a, 1), into);
}

#define GPU_NAN_REDUCTION(function)                                                                          \
    template <detail::Ordered A>                                                                             \
    [[nodiscard]] auto function(const A& a, const ReduceOptions& options = {}) {                             \
        using T = detail::LazyElement<A>;                                                                    \
        return detail::reduced<T>(detail::Reduction::function, detail::comparable(dtype_of<T>), a, options); \
    }                                                                                                        \
    template <detail::Ordered A>                                                                             \
    void function(const A& a, const ReduceInto& into) {                                                      \
        using T = detail::LazyElement<A>;                                                                    \
        detail::reduced<T>(detail::Reduction::function, detail::comparable(dtype_of<T>), a, into);           \
    }
/// The smallest element that isn't NaN; NaN if all are. @throws ShapeError for nothing to choose from
/// @snippet public/nan_reductions_test.cpp nanmin
GPU_NAN_REDUCTION(nanmin)
/// The largest element that isn't NaN; NaN if all are. @throws ShapeError for nothing to choose from
/// @snippet public/nan_reductions_test.cpp nanmin
GPU_NAN_REDUCTION(nanmax)
#undef GPU_NAN_REDUCTION

#define GPU_NAN_PLACE(function)                                                                                 \
    template <detail::Ordered A>                                                                                \
    [[nodiscard]] Array<std::int64_t> function(const A& a, const ReduceOptions& options = {}) {                 \
        return detail::reduced<std::int64_t>(detail::Reduction::function,                                       \
                                             detail::comparable(dtype_of<detail::LazyElement<A>>), a, options); \
    }                                                                                                           \
    template <detail::Ordered A>                                                                                \
    void function(const A& a, const ReduceInto& into) {                                                         \
        detail::reduced<std::int64_t>(detail::Reduction::function,                                              \
                                      detail::comparable(dtype_of<detail::LazyElement<A>>), a, into);           \
    }
/// Where the smallest element is that isn't NaN, otherwise like argmin(); -1, as in CuPy, if all are NaN.
/// @throws ShapeError for nothing to choose from
/// @snippet public/nan_reductions_test.cpp nanmin
GPU_NAN_PLACE(nanargmin)
/// Where the largest element is that isn't NaN, otherwise like argmax(); -1, as in CuPy, if all are NaN.
/// @throws ShapeError for nothing to choose from
/// @snippet public/nan_reductions_test.cpp nanmin
GPU_NAN_PLACE(nanargmax)
#undef GPU_NAN_PLACE

/// The mean without NaNs, with the types of mean(), in one kernel; NaN if there is nothing else.
/// @snippet public/nan_reductions_test.cpp nanmean
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto nanmean(const A& a, const ReduceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::MeanOf<A>>;
    static_assert(is_floating(dtype_of<T>) || is_complex(dtype_of<T>),
                  "a mean isn't an integer: write nanmean<double>(x)");
    static_assert(detail::holds<T, A>, "the mean of complex numbers is complex: name a complex type");
    return detail::reduced<T>(detail::Reduction::nanmean, detail::accumulator(dtype_of<T>), a, options);
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void nanmean(const A& a, const ReduceInto& into) {
    using T = detail::ResultOr<R, detail::MeanOf<A>>;
    static_assert(is_floating(dtype_of<T>) || is_complex(dtype_of<T>),
                  "a mean isn't an integer: write nanmean<double>(x)");
    static_assert(detail::holds<T, A>, "the mean of complex numbers is complex: name a complex type");
    detail::reduced<T>(detail::Reduction::nanmean, detail::accumulator(dtype_of<T>), a, into);
}

/// The variance without NaNs, computed as by var(); NaN where no more than `ddof` elements are left, as in NumPy.
/// @snippet public/nan_reductions_test.cpp nanmean
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto nanvar(const A& a, const VarianceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::VarianceOf<A>>;
    static_assert(is_floating(dtype_of<T>), "a variance is a floating-point number: write nanvar<double>(x)");
    return Array<T>(detail::variance(detail::Reduction::nanvar, dtype_of<T>, detail::to_node(a), options));
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void nanvar(const A& a, const VarianceInto& into) {
    using T = detail::ResultOr<R, detail::VarianceOf<A>>;
    static_assert(is_floating(dtype_of<T>), "a variance is a floating-point number: write nanvar<double>(x)");
    detail::variance(detail::Reduction::nanvar, dtype_of<T>, detail::to_node(a), into);
}

/// The standard deviation without NaNs: the square root of nanvar().
/// @snippet public/nan_reductions_test.cpp nanmean
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto nanstd(const A& a, const VarianceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::VarianceOf<A>>;
    static_assert(is_floating(dtype_of<T>), "a deviation is a floating-point number: write nanstd<double>(x)");
    return Array<T>(detail::variance(detail::Reduction::nanstd, dtype_of<T>, detail::to_node(a), options));
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void nanstd(const A& a, const VarianceInto& into) {
    using T = detail::ResultOr<R, detail::VarianceOf<A>>;
    static_assert(is_floating(dtype_of<T>), "a deviation is a floating-point number: write nanstd<double>(x)");
    detail::variance(detail::Reduction::nanstd, dtype_of<T>, detail::to_node(a), into);
}

/// @cond internal
GPU_AXIS_BY_NAME(nansum)
GPU_AXIS_BY_NAME(nanprod)
GPU_AXIS_BY_NAME(nanmin)
GPU_AXIS_BY_NAME(nanmax)
GPU_AXIS_BY_NAME(nanargmin)
GPU_AXIS_BY_NAME(nanargmax)
GPU_AXIS_BY_NAME(nanmean)
GPU_AXIS_BY_NAME(nanvar)
GPU_AXIS_BY_NAME(nanstd)
/// @endcond

}  // namespace gpu
