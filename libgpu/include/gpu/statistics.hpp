// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include <gpu/reduction_call.hpp>

namespace gpu {

/// The options of a variance: `var(a, {.axis = 0, .ddof = 1})`. The sum of squared deviations is divided by n - ddof.
struct VarianceOptions {
    /// @cond internal
    [[no_unique_address]] detail::ByName by_name = detail::ByName();
    /// @endcond
    Axes axis = {};
    Flag keepdims = false;
    int ddof = 0;
};

/// The same into an existing array, see ReduceInto.
struct VarianceInto {
    /// @cond internal
    [[no_unique_address]] detail::ByName by_name = detail::ByName();
    /// @endcond
    Axes axis = {};
    Flag keepdims = false;
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
inline ArrayCore run_time_variance(Reduction kind, const ArrayCore& a, const VarianceOptions& options) {
    return variance(kind, real_dtype(floating(a.dtype)), leaf(a), options);
}

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

/// The mean of an AnyArray, see sum().
/// @snippet public/exchange/any_array_test.cpp reductions
[[nodiscard]] inline AnyArray mean(const AnyArray& a, const ReduceOptions& options = {}) {
    return AnyArray(detail::run_time_reduce(detail::Reduction::mean, a.core("mean"), options));
}

/// The variance over the axes: the sum of squared deviations from the mean, divided by n - ddof.
///
/// Uses two kernels, for the mean and for the deviations from it, both in double and, for 64-bit elements, corrected
/// for the rounding of the mean: a large offset, such as 1e8 plus some noise, does no harm. An expression is computed
/// twice. On a GPU, arrays of floats are read once: deviations from one of the elements and their squares are added up
/// in double. If n - ddof isn't positive, the result is NaN, or infinity if there are deviations, as in NumPy. For
/// complex numbers it is real: the mean of squared distances.
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

/// The variance and the standard deviation of an AnyArray, see sum().
/// @snippet public/exchange/any_array_test.cpp reductions
[[nodiscard]] inline AnyArray var(const AnyArray& a, const VarianceOptions& options = {}) {
    return AnyArray(detail::run_time_variance(detail::Reduction::variance, a.core("var"), options));
}
[[nodiscard]] inline AnyArray stddev(const AnyArray& a, const VarianceOptions& options = {}) {
    return AnyArray(detail::run_time_variance(detail::Reduction::stddev, a.core("stddev"), options));
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

/// What quantile() and percentile() are asked for: one level, or several, which give the result a first axis.
class QuantileLevels {
public:
    QuantileLevels(double level) : levels_{level} {}      // NOLINT(google-explicit-constructor): quantile(x, 0.9)
    QuantileLevels(std::initializer_list<double> levels)  // quantile(x, {0.1, 0.9})
        : levels_(levels), is_list_(true) {}
    QuantileLevels(std::vector<double> levels)  // NOLINT(google-explicit-constructor): the same
        : levels_(std::move(levels)), is_list_(true) {}

    /// @cond internal
    [[nodiscard]] const std::vector<double>& levels() const noexcept { return levels_; }
    [[nodiscard]] bool is_list() const noexcept { return is_list_; }
    /// @endcond

private:
    std::vector<double> levels_;
    bool is_list_ = false;
};

/// @cond internal
namespace detail {

struct QuantileRequest {
    const char* name = "quantile";
    DType result = DType::float64;
    double one = 1;  ///< the level of the largest element: 1, or 100 for percentiles
    bool without_nan = false;
    bool midpoint = false;  ///< of two neighbours, their mean: a median
};
GPU_API ArrayCore quantile(const QuantileRequest& request, const NodePointer& value, const QuantileLevels& levels,
                           const ReduceOptions& options);

template <class R, class A>
auto quantile(QuantileRequest request, const A& a, const QuantileLevels& levels, const ReduceOptions& options) {
    using T = ResultOr<R, Floating<LazyElement<A>>>;
    static_assert(!is_complex(dtype_of<LazyElement<A>>), "complex numbers have no order: pass gpu::abs(z)");
    static_assert(is_floating(dtype_of<T>), "a quantile is a floating-point number: name double, not an integer");
    request.result = dtype_of<T>;
    return Array<T>(quantile(request, to_node(a), levels, options));
}

}  // namespace detail
/// @endcond

/// The median over the axes: the middle element, or the mean of the two in the middle. For integers and bools it is a
/// double; `median<double>(x)` names another result. NaN if there is a NaN, or no element. The elements are sorted;
/// nothing waits.
/// @throws AxisError
/// @snippet order/order_test.cpp median
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto median(const A& a, const ReduceOptions& options = {}) {
    return detail::quantile<R>({.name = "median", .midpoint = true}, a, 0.5, options);
}

/// The value below which a share q, from 0 to 1, of the elements lies. Between two elements it is interpolated
/// linearly, in double, as NumPy does by default; otherwise like median().
///
/// Several levels, `quantile(x, {0.1, 0.9})`, sort once; the result then has a first axis for them. Next to an infinity
/// it is infinite.
/// @throws Error for a level outside 0 to 1; AxisError
/// @snippet order/order_test.cpp quantile
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto quantile(const A& a, const QuantileLevels& q, const ReduceOptions& options = {}) {
    return detail::quantile<R>({}, a, q, options);
}

/// quantile() with levels from 0 to 100. @throws Error for a level outside that; AxisError
/// @snippet order/order_test.cpp quantile
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto percentile(const A& a, const QuantileLevels& q, const ReduceOptions& options = {}) {
    return detail::quantile<R>({.name = "percentile", .one = 100}, a, q, options);
}

/// The median without NaNs; NaN if there is nothing else. @throws AxisError
/// @snippet order/order_test.cpp nanmedian
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto nanmedian(const A& a, const ReduceOptions& options = {}) {
    return detail::quantile<R>({.name = "nanmedian", .without_nan = true, .midpoint = true}, a, 0.5, options);
}

/// quantile() without NaNs; NaN if there is nothing else. @throws Error for a level outside 0 to 1; AxisError
/// @snippet order/order_test.cpp nanmedian
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto nanquantile(const A& a, const QuantileLevels& q, const ReduceOptions& options = {}) {
    return detail::quantile<R>({.name = "nanquantile", .without_nan = true}, a, q, options);
}

/// percentile() without NaNs; NaN if there is nothing else. @throws Error for a level outside 0 to 100; AxisError
/// @snippet order/order_test.cpp nanmedian
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto nanpercentile(const A& a, const QuantileLevels& q, const ReduceOptions& options = {}) {
    return detail::quantile<R>({.name = "nanpercentile", .one = 100, .without_nan = true}, a, q, options);
}

/// The options of a covariance: `cov(x, {.rowvar = false, .ddof = 0})`. Sums are divided by n - ddof.
struct CovarianceOptions {
    Flag rowvar = true;  ///< a row is a variable, a column an observation of all; otherwise the reverse
    int ddof = 1;
};

/// The options of corrcoef().
struct CorrelationOptions {
    Flag rowvar = true;  ///< a row is a variable, a column an observation of all; otherwise the reverse
};

/// @cond internal
namespace detail {

struct CovarianceRequest {
    DType result = DType::float64;
    bool rowvar = true, normalised = false;
    int ddof = 1;
};
/// `b` may be null.
GPU_API ArrayCore covariance(const CovarianceRequest& request, const NodePointer& a, const NodePointer& b);

template <class R, class A, class B>
using CovarianceOf = ResultOr<R, typename CppType<floating(common_dtype<A, B>())>::type>;

template <class T, class A, class B>
Array<T> covariance(CovarianceRequest request, const A& a, const NodePointer& b) {
    static_assert(is_floating(dtype_of<T>) || is_complex(dtype_of<T>),
                  "a covariance is a floating-point number: name double, not an integer");
    static_assert(holds<T, A> && holds<T, B>, "covariances of complex numbers are complex: name a complex type");
    request.result = dtype_of<T>;
    return Array<T>(covariance(request, to_node(a), b));
}

}  // namespace detail
/// @endcond

/// The covariance matrix of variables, each a row of a matrix; of a vector, which is a single variable, the variance,
/// without an axis.
///
/// It has the elements' type, double for integers, unlike NumPy's, which is always double: `cov<double>(x)`. The means
/// and the product are computed in double. If n - ddof isn't positive, the result is NaN or infinite. For complex
/// numbers the second factor is conjugated. A NaN makes its variable's row and column NaN.
/// @throws ShapeError for more than two axes
/// @snippet order/order_test.cpp cov
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto cov(const A& a, const CovarianceOptions& options = {}) {
    using T = detail::CovarianceOf<R, A, A>;
    return detail::covariance<T, A, A>({.rowvar = options.rowvar, .ddof = options.ddof}, a, nullptr);
}
/// The same with the variables of a second array after those of the first: for two vectors a 2 x 2 matrix.
/// @throws ShapeError for more than two axes, or if the numbers of observations differ
/// @snippet order/order_test.cpp cov
template <class R = void, detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto cov(const A& a, const B& b, const CovarianceOptions& options = {}) {
    using T = detail::CovarianceOf<R, A, B>;
    return detail::covariance<T, A, B>({.rowvar = options.rowvar, .ddof = options.ddof}, a, detail::to_node(b));
}

/// Pearson's correlation coefficients: cov() divided by both variables' standard deviations, clamped to -1 to 1. NaN
/// for a constant variable.
/// @throws ShapeError for more than two axes
/// @snippet order/order_test.cpp cov
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto corrcoef(const A& a, const CorrelationOptions& options = {}) {
    using T = detail::CovarianceOf<R, A, A>;
    return detail::covariance<T, A, A>({.rowvar = options.rowvar, .normalised = true}, a, nullptr);
}
/// The same with the variables of a second array after those of the first: `corrcoef(x, y)(0, 1)` for two vectors.
/// @throws ShapeError for more than two axes, or if the numbers of observations differ
/// @snippet order/order_test.cpp cov
template <class R = void, detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto corrcoef(const A& a, const B& b, const CorrelationOptions& options = {}) {
    using T = detail::CovarianceOf<R, A, B>;
    return detail::covariance<T, A, B>({.rowvar = options.rowvar, .normalised = true}, a, detail::to_node(b));
}

/// @cond internal
GPU_AXES(mean, ReduceOptions)
GPU_AXES(var, VarianceOptions)
GPU_AXES(stddev, VarianceOptions)
GPU_AXES(median, ReduceOptions)
GPU_AXES(nanmedian, ReduceOptions)
GPU_AXIS_BEHIND(quantile, "x, 0.5")
GPU_AXIS_BEHIND(percentile, "x, 50")
GPU_AXIS_BEHIND(nanquantile, "x, 0.5")
GPU_AXIS_BEHIND(nanpercentile, "x, 50")
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

/// @cond internal
template <detail::ArrayLike A, class S>
    requires std::is_arithmetic_v<S>
auto trapezoid(const A& y, S) {
    static_assert(sizeof(A) == 0, "a distance is named: write gpu::trapezoid(y, {.dx = 0.1})");
    return y;
}
/// @endcond

/// The options of softmax(): `softmax(x, {.axis = 1})`; without an axis, over all elements.
struct SoftmaxOptions {
    Axes axis = {};
};

/// exp(x) divided by its sum over the axes, which then add up to 1. The maximum is subtracted first, so nothing
/// overflows. Integers are converted to double, float16 is computed in float32. Over the last axis it is one kernel on
/// a GPU, which reads each row once, or from its cache; otherwise three: maximum, sum, quotient.
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
    /// @cond internal
    [[no_unique_address]] detail::ByName by_name = detail::ByName();
    /// @endcond
    Axes axis = {};
    Flag keepdims = false;
    double ord = 2;
};

/// The same into an existing array, see ReduceInto.
struct NormInto {
    /// @cond internal
    [[no_unique_address]] detail::ByName by_name = detail::ByName();
    /// @endcond
    Axes axis = {};
    Flag keepdims = false;
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
GPU_AXES_IN_BRACES(norm, NormOptions)
/// @endcond

}  // namespace gpu::linalg
