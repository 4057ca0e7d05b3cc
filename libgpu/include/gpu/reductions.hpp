// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/reduction_call.hpp>
#include <gpu/statistics.hpp>

/// @file
/// Reductions of arrays, views and expressions over any axes. An expression is fused: `sum(x * y)` is one kernel.
///
/// All return at once, even for the whole array, whose result has no axes: `item()` waits. Elements are combined in a
/// fixed order, so the same input gives the same bits on every run. With `.out`, the result goes into an existing array
/// and nothing is returned. All throw AxisError and DeviceError; with `.out` also DTypeError and ShapeError.
///
/// NumPy's variants that ignore NaN behave likewise; arrays of integers have no NaN. Comparisons for tests are here as
/// well: whether numbers are close, and whether arrays are equal.

namespace gpu {

/// The sum over the axes. Integers and bools accumulate in 64 bits, float16 and bfloat16 in float32, other types in
/// themselves; `sum<double>(x)` names another accumulator and result. The sum of nothing is 0. A NaN makes the sum NaN.
/// @snippet public/reduction_test.cpp sum
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto sum(const A& a, const ReduceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write gpu::any(x)");
    static_assert(detail::holds<T, A>, "the sum of complex numbers is complex: name a complex type");
    return detail::reduced<T>(detail::Reduction::sum, detail::accumulator(dtype_of<T>), a, options);
}
/// The same into an existing array.
/// @snippet public/reduction_test.cpp out
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

/// The smallest element (not of complex numbers, which have no order); NaN if any element is NaN. (For two arrays,
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

/// The largest element; NaN if any element is NaN. (For two arrays, element by element: `maximum`.)
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

/// The position of the smallest element: its index along the axis, or over several axes its index among their elements
/// in row-major order. The first of equal elements; if there are NaNs, the first NaN.
/// @throws ShapeError for nothing to choose from
/// @snippet public/reduction_test.cpp argmin
template <detail::Ordered A>
[[nodiscard]] Array<std::int64_t> argmin(const A& a, const ReduceOptions& options = {}) {
    return detail::reduced<std::int64_t>(detail::Reduction::argmin, detail::comparable_of<A>(), a, options);
}
/// The same into an existing array.
template <detail::Ordered A>
void argmin(const A& a, const ReduceInto& into) {
    detail::reduced<std::int64_t>(detail::Reduction::argmin, detail::comparable(dtype_of<detail::LazyElement<A>>), a,
                                  into);
}

/// The position of the largest element; otherwise like argmin().
/// @throws ShapeError for nothing to choose from
/// @snippet public/reduction_test.cpp argmin
template <detail::Ordered A>
[[nodiscard]] Array<std::int64_t> argmax(const A& a, const ReduceOptions& options = {}) {
    return detail::reduced<std::int64_t>(detail::Reduction::argmax, detail::comparable_of<A>(), a, options);
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

/// The number of elements that aren't 0 (NaN isn't 0).
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

/// Reductions of an AnyArray: the same element types as for typed arrays, chosen when the program runs.
/// @throws DTypeError for the order of complex numbers
/// @snippet public/exchange/any_array_test.cpp reductions
[[nodiscard]] inline AnyArray sum(const AnyArray& a, const ReduceOptions& options = {}) {
    return AnyArray(detail::run_time_reduce(detail::Reduction::sum, a.core("sum"), options));
}
[[nodiscard]] inline AnyArray prod(const AnyArray& a, const ReduceOptions& options = {}) {
    return AnyArray(detail::run_time_reduce(detail::Reduction::prod, a.core("prod"), options));
}
[[nodiscard]] inline AnyArray min(const AnyArray& a, const ReduceOptions& options = {}) {
    return AnyArray(detail::run_time_reduce(detail::Reduction::min, a.core("min"), options));
}
[[nodiscard]] inline AnyArray max(const AnyArray& a, const ReduceOptions& options = {}) {
    return AnyArray(detail::run_time_reduce(detail::Reduction::max, a.core("max"), options));
}

/// @cond internal
GPU_AXES(sum, ReduceOptions)
GPU_AXES(prod, ReduceOptions)
GPU_AXES(argmin, ReduceOptions)
GPU_AXES(argmax, ReduceOptions)
GPU_AXES(any, ReduceOptions)
GPU_AXES(count_nonzero, ReduceOptions)
GPU_ORDER_NEEDED(min)
GPU_ORDER_NEEDED(max)
GPU_ORDER_NEEDED(argmin)
GPU_ORDER_NEEDED(argmax)
// Constrained by less than gpu::xp's, which takes two operands, and goes first where it is visible.
#define GPU_OF_ONE(function, advice)                          \
    template <class A, class B>                               \
        requires detail::ArrayLike<A> || detail::ArrayLike<B> \
    auto function(const A& a, const B&) {                     \
        static_assert(sizeof(A) == 0, advice);                \
        return a;                                             \
    }
GPU_OF_ONE(min, "the smaller of two is gpu::minimum(x, y); gpu::min(x, {.axis = 0}) is along an axis")
GPU_OF_ONE(max, "the larger of two is gpu::maximum(x, y); gpu::max(x, {.axis = 0}) is along an axis")
#undef GPU_OF_ONE
GPU_AXES_IN_BRACES(min, ReduceOptions)
GPU_AXES_IN_BRACES(max, ReduceOptions)
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
Array<bool> All::operator()(const A& a, const detail::AxisList& axes) const {
    return (*this)(a, ReduceOptions{.axis = axes.axes});
}
template <class A>
void All::operator()(const A& a, const ReduceInto& into) const {
    detail::reduced<bool>(detail::Reduction::all, DType::boolean, a, into);
}

/// @cond internal
namespace detail {
// Replaces each NaN by a number.
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
/// @snippet public/reduction_test.cpp nansum
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
/// @snippet public/reduction_test.cpp nansum
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
/// @snippet public/reduction_test.cpp nanmin
GPU_NAN_REDUCTION(nanmin)
/// The largest element that isn't NaN; NaN if all are. @throws ShapeError for nothing to choose from
/// @snippet public/reduction_test.cpp nanmin
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
/// The position of the smallest element that isn't NaN, otherwise like argmin(); -1, as in CuPy, if all are NaN.
/// @throws ShapeError for nothing to choose from
/// @snippet public/reduction_test.cpp nanmin
GPU_NAN_PLACE(nanargmin)
/// The position of the largest element that isn't NaN, otherwise like argmax(); -1, as in CuPy, if all are NaN.
/// @throws ShapeError for nothing to choose from
/// @snippet public/reduction_test.cpp nanmin
GPU_NAN_PLACE(nanargmax)
#undef GPU_NAN_PLACE

/// The mean without NaNs, with the types of mean(), in one kernel; NaN if there is nothing else.
/// @snippet public/reduction_test.cpp nanmean
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

/// The variance without NaNs, computed as by var(); NaN if at most `ddof` elements are left, as in NumPy.
/// @snippet public/reduction_test.cpp nanmean
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
/// @snippet public/reduction_test.cpp nanmean
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
GPU_AXES(nansum, ReduceOptions)
GPU_AXES(nanprod, ReduceOptions)
GPU_AXES(nanmin, ReduceOptions)
GPU_AXES(nanmax, ReduceOptions)
GPU_AXES(nanargmin, ReduceOptions)
GPU_AXES(nanargmax, ReduceOptions)
GPU_AXES(nanmean, ReduceOptions)
GPU_AXES(nanvar, VarianceOptions)
GPU_AXES(nanstd, VarianceOptions)
/// @endcond

/// How close two numbers must be: `isclose(a, b, {.rtol = 1e-3})` is true where |a - b| <= atol + rtol * |b|.
struct Closeness {
    double rtol = 1e-5;      ///< relative to |b|
    double atol = 1e-8;      ///< absolute
    Flag equal_nan = false;  ///< two NaNs count as close
};

/// The options of array_equal(): `array_equal(a, b, {.equal_nan = true})`.
struct EqualOptions {
    Flag equal_nan = false;  ///< two NaNs count as equal
};

/// @cond internal
namespace detail {
GPU_API NodePointer close_node(DType type, const NodePointer& a, const NodePointer& b, const Closeness& options);
GPU_API ArrayCore array_equal(DType type, const NodePointer& a, const NodePointer& b, const EqualOptions& options);
}  // namespace detail
/// @endcond

/// True where two numbers are close, lazily; operands broadcast. Infinities are close only to themselves, a NaN to
/// nothing unless `equal_nan` is set. Integers are compared as doubles, halves as floats.
/// @throws ShapeError
/// @snippet public/expression_test.cpp isclose
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] Expr<bool> isclose(const A& a, const B& b, const Closeness& options = {}) {
    constexpr DType type = detail::comparable(detail::floating(detail::common_dtype<A, B>()));
    return Expr<bool>(detail::close_node(type, detail::to_node(a), detail::to_node(b), options));
}
/// The same with NumPy's next arguments: `isclose(a, b, 1e-3)`. @snippet public/expression_test.cpp isclose
template <class A, class B, class S>
    requires(detail::Operands<A, B> && std::is_arithmetic_v<S>)
[[nodiscard]] Expr<bool> isclose(const A& a, const B& b, S rtol, double atol = 1e-8) {
    return gpu::isclose(a, b, Closeness{.rtol = static_cast<double>(rtol), .atol = atol});
}

/// True if all are close, see isclose(); of shape (), on the device: `allclose(a, b).item()` waits.
/// @throws ShapeError
/// @snippet public/expression_test.cpp allclose
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] Array<bool> allclose(const A& a, const B& b, const Closeness& options = {}) {
    return gpu::all(gpu::isclose(a, b, options));
}
/// The same with NumPy's next arguments: `allclose(a, b, 1e-3)`. @snippet public/expression_test.cpp allclose
template <class A, class B, class S>
    requires(detail::Operands<A, B> && std::is_arithmetic_v<S>)
[[nodiscard]] Array<bool> allclose(const A& a, const B& b, S rtol, double atol = 1e-8) {
    return gpu::all(gpu::isclose(a, b, rtol, atol));
}

/// True if both have the same shape and equal elements; of shape (), on the device. Nothing broadcasts.
/// @snippet public/expression_test.cpp array_equal
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] Array<bool> array_equal(const A& a, const B& b, const EqualOptions& options = {}) {
    constexpr DType type = detail::common_dtype<A, B>();
    return Array<bool>(detail::array_equal(type, detail::to_node(a), detail::to_node(b), options));
}

}  // namespace gpu
