// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/reduction_call.hpp>

namespace gpu {

/// The options of a variance: `var(a, {.axis = 0, .ddof = 1})`. The sum of squared deviations is divided by n - ddof.
struct VarianceOptions {
    Axes axis = {};
    bool keepdims = false;
    int ddof = 0;
};

/// The same into an existing array, see ReduceInto.
struct VarianceInto {
    Axes axis = {};
    bool keepdims = false;
    int ddof = 0;
    Output out;
};

/// @cond internal
namespace detail {

template <class A>
using MeanOf = Floating<LazyElement<A>>;
template <class A>
using VarianceOf = typename CppType<real_dtype(dtype_of<MeanOf<A>>)>::type;

GPU_API ArrayCore variance(Reduction kind, DType result, const NodePointer& value, const VarianceOptions& options);
GPU_API void variance(Reduction kind, DType result, const NodePointer& value, const VarianceInto& into);

}  // namespace detail
/// @endcond

/// The arithmetic mean over the axes. For integers and bools it is a double; float16 accumulates in float32 and is
/// rounded once; `mean<double>(x)` names another accumulator and result. The mean of nothing is NaN; a NaN makes the
/// mean NaN.
/// @snippet public/mask_test.cpp mean
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto mean(const A& a, const ReduceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::MeanOf<A>>;
    static_assert(is_floating(dtype_of<T>) || is_complex(dtype_of<T>),
                  "a mean isn't an integer: write mean<double>(x)");
    static_assert(detail::holds<T, A>, "the mean of complex numbers is complex: name a complex type");
    return detail::reduced<T>(detail::Reduction::mean, detail::accumulator(dtype_of<T>), a, options);
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void mean(const A& a, const ReduceInto& into) {
    using T = detail::ResultOr<R, detail::MeanOf<A>>;
    static_assert(is_floating(dtype_of<T>) || is_complex(dtype_of<T>),
                  "a mean isn't an integer: write mean<double>(x)");
    static_assert(detail::holds<T, A>, "the mean of complex numbers is complex: name a complex type");
    detail::reduced<T>(detail::Reduction::mean, detail::accumulator(dtype_of<T>), a, into);
}

/// The variance over the axes: the sum of squared deviations from the mean, divided by n - ddof.
///
/// Uses two kernels, for the mean and for the deviations from it, both in double and, for 64-bit elements, corrected
/// for the rounding of the mean: a large offset, such as 1e8 plus some noise, does no harm. An expression is computed
/// twice. If n - ddof isn't positive, the result is NaN, or infinity if there are deviations, as in NumPy. For complex
/// numbers it is real: the mean of squared distances.
/// @snippet public/mask_test.cpp var
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto var(const A& a, const VarianceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::VarianceOf<A>>;
    static_assert(is_floating(dtype_of<T>), "a variance is a floating-point number: write var<double>(x)");
    return Array<T>(detail::variance(detail::Reduction::variance, dtype_of<T>, detail::to_node(a), options));
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void var(const A& a, const VarianceInto& into) {
    using T = detail::ResultOr<R, detail::VarianceOf<A>>;
    static_assert(is_floating(dtype_of<T>), "a variance is a floating-point number: write var<double>(x)");
    detail::variance(detail::Reduction::variance, dtype_of<T>, detail::to_node(a), into);
}

/// The standard deviation over the axes: the square root of var().
/// @snippet public/mask_test.cpp var
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto stddev(const A& a, const VarianceOptions& options = {}) {
    using T = detail::ResultOr<R, detail::VarianceOf<A>>;
    static_assert(is_floating(dtype_of<T>), "a deviation is a floating-point number: write stddev<double>(x)");
    return Array<T>(detail::variance(detail::Reduction::stddev, dtype_of<T>, detail::to_node(a), options));
}
/// The same into an existing array.
template <class R = void, detail::ArrayLike A>
void stddev(const A& a, const VarianceInto& into) {
    using T = detail::ResultOr<R, detail::VarianceOf<A>>;
    static_assert(is_floating(dtype_of<T>), "a deviation is a floating-point number: write stddev<double>(x)");
    detail::variance(detail::Reduction::stddev, dtype_of<T>, detail::to_node(a), into);
}

/// @cond internal
GPU_AXIS_BY_NAME(mean)
GPU_AXIS_BY_NAME(var)
GPU_AXIS_BY_NAME(stddev)
/// @endcond

/// The options of trapezoid(): `trapezoid(y, {.axis = 0, .dx = 0.1})`.
struct TrapezoidOptions {
    int axis = -1;
    double dx = 1;  ///< the distance between neighbours; unused if coordinates are given
};

/// @cond internal
namespace detail {
// `places` is null without coordinates.
GPU_API ArrayCore trapezoid(DType result, const NodePointer& value, const NodePointer& places,
                            const TrapezoidOptions& options);
GPU_API ArrayCore softmax(DType result, const NodePointer& value, const Axes& axes);
GPU_API ArrayCore logsumexp(DType result, const NodePointer& value, const ReduceOptions& options);
}  // namespace detail
/// @endcond

/// The integral along an axis by the trapezoidal rule, in one kernel. Integers are converted to double first. 0 for
/// fewer than two elements.
/// @throws AxisError
/// @snippet functions/softmax_test.cpp trapezoid
template <detail::ArrayLike A>
[[nodiscard]] auto trapezoid(const A& y, const TrapezoidOptions& options = {}) {
    using T = detail::MeanOf<A>;
    return Array<T>(detail::trapezoid(dtype_of<T>, detail::to_node(y), nullptr, options));
}
/// The same for values at the given coordinates: a vector along the axis, or an array of y's shape.
/// @throws AxisError; ShapeError for coordinates of another shape
/// @snippet functions/softmax_test.cpp trapezoid
template <detail::ArrayLike A, detail::Lazy X>
[[nodiscard]] auto trapezoid(const A& y, const X& coordinates, const TrapezoidOptions& options = {}) {
    using T = detail::Floating<detail::Common<A, X>>;
    return Array<T>(detail::trapezoid(dtype_of<T>, detail::to_node(y), detail::to_node(coordinates), options));
}

/// The options of softmax(): `softmax(x, {.axis = 1})`; without an axis, over all elements.
struct SoftmaxOptions {
    Axes axis = {};
};

/// exp(x) divided by its sum over the axes, which then add up to 1. The maximum is subtracted first, so nothing
/// overflows. Three kernels: maximum, sum, quotient. Integers are converted to double, float16 is computed in float32.
///
/// A NaN, an infinity, or nothing but -infinity along the axes gives NaN there, as in SciPy.
/// @throws AxisError; ShapeError for an axis without elements
/// @snippet functions/softmax_test.cpp softmax
template <detail::Ordered A>
[[nodiscard]] auto softmax(const A& a, const SoftmaxOptions& options = {}) {
    using T = detail::MeanOf<A>;
    return Array<T>(detail::softmax(dtype_of<T>, detail::to_node(a), options.axis));
}

/// log(sum(exp(x))) over the axes, without overflow, and precise also where the largest element is near 0: SciPy's
/// method. Integers are converted to double, float16 is computed in float32.
///
/// Infinity if an element is, -infinity if all are or if there is none; a NaN gives NaN.
/// @throws AxisError
/// @snippet functions/softmax_test.cpp logsumexp
template <detail::Ordered A>
[[nodiscard]] auto logsumexp(const A& a, const ReduceOptions& options = {}) {
    using T = detail::MeanOf<A>;
    return Array<T>(detail::logsumexp(dtype_of<T>, detail::to_node(a), options));
}

/// @cond internal
GPU_AXIS_BY_NAME(softmax)
GPU_AXIS_BY_NAME(logsumexp)
/// @endcond

}  // namespace gpu

/// Linear algebra.
namespace gpu::linalg {

/// The kind of norm: `norm(v, {.ord = 1})`. 2 is the Euclidean norm (over several axes the Frobenius norm); 1,
/// INFINITY, -INFINITY, 0 (the number of nonzero elements) and any other p are norms of vectors, over one axis.
struct NormOptions {
    Axes axis = {};
    bool keepdims = false;
    double ord = 2;
};

/// The same into an existing array, see ReduceInto.
struct NormInto {
    Axes axis = {};
    bool keepdims = false;
    double ord = 2;
    Output out;
};

}  // namespace gpu::linalg

/// @cond internal
namespace gpu::detail {

template <class A>
using NormOf = typename CppType<real_dtype(dtype_of<Floating<LazyElement<A>>>)>::type;

GPU_API ArrayCore norm(DType result, const NodePointer& value, const linalg::NormOptions& options);
GPU_API void norm(DType result, const NodePointer& value, const linalg::NormInto& into);

}  // namespace gpu::detail
/// @endcond

namespace gpu::linalg {

/// The norm over the axes, in one kernel; by default sqrt(sum(|a|²)). For complex numbers it is real. Integers are
/// computed in double, float16 in float32. The norm of nothing is 0. A NaN makes the norm NaN.
/// @throws AxisError; ShapeError for an order other than 2 over more than one axis
/// @snippet public/reduction_test.cpp norm
template <detail::ArrayLike A>
[[nodiscard]] auto norm(const A& a, const NormOptions& options = {}) {
    using T = detail::NormOf<A>;
    return Array<T>(detail::norm(dtype_of<T>, detail::to_node(a), options));
}
/// The same into an existing array.
template <detail::ArrayLike A>
void norm(const A& a, const NormInto& into) {
    detail::norm(dtype_of<detail::NormOf<A>>, detail::to_node(a), into);
}
/// @cond internal
GPU_OPTIONS_BY_NAME(norm, "an axis is named: write gpu::linalg::norm(x, {.axis = 0}); the order is {.ord = 1}")
/// @endcond

}  // namespace gpu::linalg
