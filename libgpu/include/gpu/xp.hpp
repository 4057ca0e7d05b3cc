// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Code written once for Eigen's arrays, libgpu's and numbers: the purpose of CuPy's get_array_module.

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>

#include <gpu/create.hpp>
#include <gpu/eigen.hpp>
#include <gpu/expression.hpp>
#include <gpu/matmul.hpp>
#include <gpu/reductions.hpp>

/// The functions that Eigen's arrays, libgpu's arrays and numbers have in common. A template that says `using namespace
/// gpu::xp;` and calls them by their bare names, or calls them as `gpu::xp::exp(x)`, gets Eigen's code for Eigen's
/// arrays (Array, Map, Ref, blocks and expressions), libgpu's for its arrays, views and expressions, and the C++
/// library's functions for numbers.
///
/// Element by element, in one kernel: abs sqrt rsqrt square exp expm1 log log1p log2 log10 pow sin cos tan asin acos
/// atan sinh cosh tanh asinh acosh atanh floor ceil rint sign isnan isinf isfinite real imag conj arg; max and maximum,
/// min and minimum of two, clip, where, astype. Eigen's results are expressions that refer to their arrays.
///
/// Of many elements one: sum prod mean min max any all count_nonzero norm dot, and var and stddev of arrays. Without
/// options the result is a number for Eigen's arrays and for numbers, and has no axes for libgpu's, where it stays on
/// the device: `x / norm(x)` is right for both, and `item(sum(x))` is a number of the host for all three. With options,
/// as in `sum(x, {.axis = 0})`, Eigen's result is an Eigen::Array of dynamic sizes, a column unless `.keepdims` is set.
/// Types and NaNs follow libgpu's rules: integers are summed in 64 bits, a NaN is the minimum and the maximum.
///
/// New arrays on the side of an array: zeros_like(x), ones_like(x), full_like(x, 7), empty_like(x), linspace_like(x, 0,
/// 1, 5); or of an array's type: zeros<A>({2, 3}), ones<A>, full<A>, empty<A>, linspace<A>(0, 1, 5). Give one
/// a name before an expression of Eigen's refers to it, unless the expression is evaluated at once.
/// @snippet public/eigen_test.cpp xp
/// @snippet public/eigen_test.cpp xp_sides
namespace gpu::xp {

#define GPU_XP(function)   \
    using Eigen::function; \
    using gpu::function;   \
    using std::function;
GPU_XP(abs)
GPU_XP(sqrt)
GPU_XP(exp)
GPU_XP(expm1)
GPU_XP(log)
GPU_XP(log1p)
GPU_XP(log2)
GPU_XP(log10)
GPU_XP(pow)
GPU_XP(sin)
GPU_XP(cos)
GPU_XP(tan)
GPU_XP(asin)
GPU_XP(acos)
GPU_XP(atan)
GPU_XP(sinh)
GPU_XP(cosh)
GPU_XP(tanh)
GPU_XP(asinh)
GPU_XP(acosh)
GPU_XP(atanh)
GPU_XP(floor)
GPU_XP(ceil)
GPU_XP(rint)
GPU_XP(isnan)
GPU_XP(isinf)
GPU_XP(isfinite)
GPU_XP(real)
GPU_XP(imag)
GPU_XP(conj)
GPU_XP(arg)
#undef GPU_XP

// Functions that C++ doesn't have for numbers.
using Eigen::rsqrt;
using Eigen::sign;
using Eigen::square;
using gpu::astype;
using gpu::clip;
using gpu::maximum;
using gpu::minimum;
using gpu::rsqrt;
using gpu::sign;
using gpu::square;
using gpu::where;

// Reductions and new arrays.
using gpu::any;
using gpu::count_nonzero;
using gpu::dot;
using gpu::empty_like;
using gpu::full_like;
using gpu::max;
using gpu::mean;
using gpu::min;
using gpu::ones_like;
using gpu::prod;
using gpu::stddev;
using gpu::sum;
using gpu::var;
using gpu::zeros_like;
using gpu::linalg::norm;

/// @cond internal
namespace detail {

using gpu::detail::Common;
using gpu::detail::Lazy;
using gpu::detail::OperandLike;
using gpu::detail::Operands;

template <class Derived>
void takes_array(const Eigen::ArrayBase<Derived>& array);
template <class S>
concept Number = std::is_arithmetic_v<S>;
template <class A>
concept OnHost = requires(const A& a) { takes_array(a); };
template <class A, class B>
concept BothOrNumber = (OnHost<A> && (OnHost<B> || Number<B>)) || (Number<A> && OnHost<B>);
// A number, real or complex.
template <class S>
concept Single = Number<S> || std::is_same_v<S, std::complex<float>> || std::is_same_v<S, std::complex<double>>;

// NaN wins, as in libgpu; Eigen's own max leaves this unspecified.
struct Larger {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return a > b || a != a ? a : b;
    }
};
struct Smaller {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return a < b || a != a ? a : b;
    }
};

// A number as an array of the other operand's shape and type: numbers adapt to the array.
template <class A, class S>
auto constant(const A& like, S number) {
    using T = typename A::Scalar;
    static_assert(!(std::is_integral_v<T> && std::is_floating_point_v<S>),
                  "an array of whole numbers with a number that isn't: write astype<double>(x)");
    return A::PlainObject::Constant(like.rows(), like.cols(), static_cast<T>(number));
}
template <class A, class B, class Operation>
auto combined(const A& a, const B& b, Operation operation) {
    if constexpr (Number<A>)
        return constant(b, a).binaryExpr(b, operation);
    else if constexpr (Number<B>)
        return a.binaryExpr(constant(a, b), operation);
    else
        return a.binaryExpr(b, operation);
}

}  // namespace detail
/// @endcond

/// The larger of two, element by element; NaN if one is NaN. Not the largest of an array: that is gpu::max(x).
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] auto max(const A& a, const B& b) {
    return gpu::maximum(a, b);
}
/// The smaller of two, element by element; NaN if one is NaN.
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] auto min(const A& a, const B& b) {
    return gpu::minimum(a, b);
}

#define GPU_XP_PAIR(function, operation)                                  \
    template <class A, class B>                                           \
        requires detail::BothOrNumber<A, B>                               \
    [[nodiscard]] auto function(const A& a, const B& b) {                 \
        return detail::combined(a, b, detail::operation{});               \
    }                                                                     \
    template <detail::Number A, detail::Number B>                         \
    [[nodiscard]] auto function(A a, B b) {                               \
        using T = detail::Common<A, B>;                                   \
        return detail::operation{}(static_cast<T>(a), static_cast<T>(b)); \
    }
GPU_XP_PAIR(max, Larger)
/// max(), under NumPy's name.
GPU_XP_PAIR(maximum, Larger)
GPU_XP_PAIR(min, Smaller)
/// min(), under NumPy's name.
GPU_XP_PAIR(minimum, Smaller)
#undef GPU_XP_PAIR

/// `a` where the condition holds, otherwise `b`. Both may be numbers; the condition of two numbers is a bool.
template <detail::OnHost C, class A, class B>
[[nodiscard]] auto where(const C& condition, const A& a, const B& b) {
    if constexpr (detail::Number<A> && detail::Number<B>) {
        using T = detail::Common<A, B>;
        const T yes = static_cast<T>(a), no = static_cast<T>(b);
        return condition.unaryExpr([yes, no](bool holds) { return holds ? yes : no; });
    } else if constexpr (detail::Number<A>) {
        return condition.select(detail::constant(b, a), b);
    } else if constexpr (detail::Number<B>) {
        return condition.select(a, detail::constant(a, b));
    } else {
        return condition.select(a, b);
    }
}
template <detail::Number A, detail::Number B>
[[nodiscard]] auto where(bool condition, A a, B b) {
    using T = detail::Common<A, B>;
    return condition ? static_cast<T>(a) : static_cast<T>(b);
}

/// x clamped to the range from `low` to `high`. NaN stays NaN.
template <class A, class L, class H>
    requires(detail::OnHost<A> || detail::Number<A>)
[[nodiscard]] auto clip(const A& a, const L& low, const H& high) {
    return xp::min(xp::max(a, low), high);
}

/// The elements in another type. Eigen converts as C++ does, libgpu saturates: they agree if the values fit.
template <class U, detail::OnHost A>
[[nodiscard]] auto astype(const A& a) {
    return a.template cast<U>();
}
template <class U, detail::Number A>
[[nodiscard]] U astype(A number) {
    return static_cast<U>(number);
}

/// x * x.
template <detail::Number A>
[[nodiscard]] auto square(A number) {
    return number * number;
}
/// 1 / sqrt(x).
template <detail::Number A>
[[nodiscard]] auto rsqrt(A number) {
    const auto root = std::sqrt(number);
    return 1 / root;
}
/// -1, 0 or 1 in the number's type.
template <detail::Number A>
[[nodiscard]] A sign(A number) {
    return static_cast<A>((A(0) < number) - (number < A(0)));
}

/// @cond internal
namespace detail {

using gpu::detail::EigenElementIn;
using gpu::detail::LazyElement;
using gpu::detail::ResultOr;

// Eigen's type of numbers for a DType.
template <DType type>
using HostNumber = typename gpu::detail::EigenScalar<typename gpu::detail::CppType<type>::type>::type;
template <class R>
inline constexpr DType summed = gpu::detail::accumulator(dtype_of<R>);
template <class R, class A>
inline constexpr bool holds = is_complex(dtype_of<R>) || !is_complex(dtype_of<EigenElementIn<A>>);
template <class A>
using FloatingIn = gpu::detail::Floating<EigenElementIn<A>>;
template <class A>
using RealIn = typename gpu::detail::CppType<gpu::real_dtype(dtype_of<FloatingIn<A>>)>::type;

template <class R, class A>
auto sum_of(const A& a) {
    using T = ResultOr<R, gpu::detail::SumOf<EigenElementIn<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write any(x)");
    static_assert(holds<T, A>, "the sum of complex numbers is complex: name a complex type");
    return static_cast<HostNumber<dtype_of<T>>>(a.template cast<HostNumber<summed<T>>>().sum());
}
template <class R, class A>
auto prod_of(const A& a) {
    using T = ResultOr<R, gpu::detail::SumOf<EigenElementIn<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a product isn't true or false: write all(x)");
    static_assert(holds<T, A>, "the product of complex numbers is complex: name a complex type");
    return static_cast<HostNumber<dtype_of<T>>>(a.template cast<HostNumber<summed<T>>>().prod());
}
template <class R, class A>
auto mean_of(const A& a) {
    using T = ResultOr<R, FloatingIn<A>>;
    static_assert(is_floating(dtype_of<T>) || is_complex(dtype_of<T>),
                  "a mean isn't an integer: write mean<double>(x)");
    static_assert(holds<T, A>, "the mean of complex numbers is complex: name a complex type");
    using S = HostNumber<gpu::real_dtype(summed<T>)>;
    const auto sum = a.template cast<HostNumber<summed<T>>>().sum();  // 0 / 0 of nothing is NaN
    return static_cast<HostNumber<dtype_of<T>>>(sum / static_cast<S>(a.size()));
}
// In double, and corrected for the rounding of the mean, as on a device.
template <class R, class A>
auto var_of(const A& a, int ddof) {
    using T = ResultOr<R, RealIn<A>>;
    static_assert(is_floating(dtype_of<T>), "a variance is a floating-point number: write var<double>(x)");
    using D = std::conditional_t<is_complex(dtype_of<EigenElementIn<A>>), std::complex<double>, double>;
    const auto wide = a.template cast<D>().eval();
    const double n = static_cast<double>(a.size());
    const auto deviations = (wide - D(wide.sum() / n)).eval();
    const double squares = deviations.abs2().sum() - std::norm(deviations.sum()) / n;
    return static_cast<HostNumber<dtype_of<T>>>(squares / std::max(n - ddof, 0.));
}
template <class A, class Operation>
auto extreme_of(const A& a, const char* name, Operation operation) {
    if (a.size() == 0) {
        throw ShapeError(std::string("zero-size array to reduction operation ") + name +
                         " which has no identity (its shape is " + to_string(gpu::detail::eigen_shape(a)) + ")");
    }
    return a.redux(operation);
}
template <class A>
auto nonzero(const A& a) {
    return a != typename A::Scalar(0);
}
template <class A>
auto norm_of(const A& a, double ord) {
    using T = RealIn<A>;
    using S = HostNumber<summed<T>>;
    using Wide = HostNumber<summed<FloatingIn<A>>>;
    if (std::isnan(ord)) throw Error("linalg::norm: the order of a norm can't be NaN");
    const auto value = [&]() -> S {
        if (ord == 2) return std::sqrt(a.template cast<Wide>().abs2().sum());
        if (ord == 0) return static_cast<S>(detail::nonzero(a).count());
        const Eigen::Array<S, Eigen::Dynamic, Eigen::Dynamic> sizes = a.template cast<Wide>().abs();
        if (ord == 1) return sizes.sum();
        if (std::isinf(ord) && ord > 0) return sizes.size() == 0 ? S(0) : sizes.redux(Larger{});
        if (std::isinf(ord)) return detail::extreme_of(sizes, "norm", Smaller{});
        const S p = static_cast<S>(ord);
        return std::pow(sizes.pow(p).sum(), 1 / p);
    };
    return static_cast<HostNumber<dtype_of<T>>>(value());
}

// What `reduce` makes of an array over all axes, or of its rows or columns over one.
template <class A, class F>
auto along(const A& a, const Axes& axes, bool keepdims, F reduce) {
    const auto& values = a.eval();
    using R = std::remove_cvref_t<decltype(reduce(values))>;
    using Result = Eigen::Array<R, Eigen::Dynamic, Eigen::Dynamic>;
    const std::array<bool, 2> reduced = gpu::detail::eigen_axes(gpu::detail::eigen_shape(a), axes);
    if constexpr (A::IsVectorAtCompileTime) {
        return Result(Result::Constant(1, 1, reduce(values)));
    } else {
        if (reduced[0] && reduced[1]) return Result(Result::Constant(1, 1, reduce(values)));
        const Eigen::Index count = reduced[0] ? values.cols() : values.rows();
        const bool is_row = reduced[0] && keepdims;
        Result result(is_row ? 1 : count, is_row ? count : 1);
        for (Eigen::Index k = 0; k < count; ++k)
            result.data()[k] = reduced[0] ? reduce(values.col(k)) : reduce(values.row(k));
        return result;
    }
}

template <class A, class B>
auto dot_of(const A& a, const B& b) {
    constexpr DType type = gpu::detail::promote_types(dtype_of<EigenElementIn<A>>, dtype_of<EigenElementIn<B>>);
    static_assert(type != DType::boolean, "a product of bools isn't defined: write astype<int>(x)");
    using S = HostNumber<type>;
    constexpr bool is_vector = A::IsVectorAtCompileTime, is_vector_too = B::IsVectorAtCompileTime;
    const Eigen::Index n = is_vector ? a.size() : a.cols(), m = is_vector_too ? b.size() : b.rows();
    if (n != m) {
        throw LinAlgError("dot: " + to_string(gpu::detail::eigen_shape(a)) + " x " +
                          to_string(gpu::detail::eigen_shape(b)) + ": inner dimensions " + std::to_string(n) + " and " +
                          std::to_string(m) + " differ");
    }
    // A vector is a row on the left and a column on the right.
    const auto left = a.template cast<S>().matrix().eval();
    const auto right = b.template cast<S>().matrix().eval();
    if constexpr (is_vector && is_vector_too) {
        return left.reshaped().cwiseProduct(right.reshaped()).sum();
    } else if constexpr (is_vector) {
        return (right.transpose() * left.reshaped()).array().eval();
    } else {
        if constexpr (is_vector_too)
            return (left * right.reshaped()).array().eval();
        else
            return (left * right).array().eval();
    }
}

}  // namespace detail
/// @endcond

#define GPU_XP_REDUCTION(function, call)                                                                         \
    template <class R = void, detail::OnHost A>                                                                  \
    [[nodiscard]] auto function(const A& a) {                                                                    \
        return detail::call;                                                                                     \
    }                                                                                                            \
    template <class R = void, detail::OnHost A>                                                                  \
    [[nodiscard]] auto function(const A& array, const ReduceOptions& options) {                                  \
        return detail::along(array, options.axis, options.keepdims, [](const auto& a) { return detail::call; }); \
    }
/// The sum; of integers and bools in 64 bits, unless a type is named: `sum<double>(x)`.
GPU_XP_REDUCTION(sum, sum_of<R>(a))
/// The product, with the types of sum().
GPU_XP_REDUCTION(prod, prod_of<R>(a))
/// The mean; of integers a double. NaN of nothing.
GPU_XP_REDUCTION(mean, mean_of<R>(a))
#undef GPU_XP_REDUCTION

#define GPU_XP_REDUCTION(function, call)                                                                         \
    template <detail::OnHost A>                                                                                  \
    [[nodiscard]] auto function(const A& a) {                                                                    \
        return detail::call;                                                                                     \
    }                                                                                                            \
    template <detail::OnHost A>                                                                                  \
    [[nodiscard]] auto function(const A& array, const ReduceOptions& options) {                                  \
        return detail::along(array, options.axis, options.keepdims, [](const auto& a) { return detail::call; }); \
    }
/// The smallest element; NaN if there is one. @throws ShapeError for nothing to choose from
GPU_XP_REDUCTION(min, extreme_of(a, "min", detail::Smaller{}))
/// The largest element; NaN if there is one. @throws ShapeError for nothing to choose from
GPU_XP_REDUCTION(max, extreme_of(a, "max", detail::Larger{}))
/// True if an element isn't 0.
GPU_XP_REDUCTION(any, nonzero(a).any())
/// True if no element is 0.
GPU_XP_REDUCTION(all, nonzero(a).all())
/// How many elements aren't 0.
GPU_XP_REDUCTION(count_nonzero, nonzero(a).template cast<std::int64_t>().sum())
#undef GPU_XP_REDUCTION

template <detail::Lazy A>
[[nodiscard]] Array<bool> all(const A& a, const ReduceOptions& options = {}) {
    return gpu::all(a, options);
}
template <detail::Lazy A>
void all(const A& a, const ReduceInto& into) {
    gpu::all(a, into);
}

/// The variance, divided by n - ddof; computed in double.
template <class R = void, detail::OnHost A>
[[nodiscard]] auto var(const A& a) {
    return detail::var_of<R>(a, 0);
}
template <class R = void, detail::OnHost A>
[[nodiscard]] auto var(const A& array, const VarianceOptions& options) {
    return detail::along(array, options.axis, options.keepdims,
                         [&](const auto& a) { return detail::var_of<R>(a, options.ddof); });
}
/// The standard deviation: the square root of var().
template <class R = void, detail::OnHost A>
[[nodiscard]] auto stddev(const A& a) {
    using T = decltype(detail::var_of<R>(a, 0));
    return static_cast<T>(std::sqrt(detail::var_of<double>(a, 0)));
}
template <class R = void, detail::OnHost A>
[[nodiscard]] auto stddev(const A& array, const VarianceOptions& options) {
    return detail::along(array, options.axis, options.keepdims, [&](const auto& a) {
        using T = decltype(detail::var_of<R>(a, 0));
        return static_cast<T>(std::sqrt(detail::var_of<double>(a, options.ddof)));
    });
}

/// The norm sqrt(sum(|x|²)); with options another order, along an axis.
template <detail::OnHost A>
[[nodiscard]] auto norm(const A& a) {
    return detail::norm_of(a, 2);
}
/// @throws AxisError; ShapeError for an order other than 2 over more than one axis
template <detail::OnHost A>
[[nodiscard]] auto norm(const A& array, const linalg::NormOptions& options) {
    const std::array<bool, 2> reduced = gpu::detail::eigen_axes(gpu::detail::eigen_shape(array), options.axis);
    if (options.ord != 2 && !A::IsVectorAtCompileTime && reduced[0] && reduced[1])
        throw ShapeError("linalg::norm: an order other than 2 is for vectors, over one axis, not over 2");
    return detail::along(array, options.axis, options.keepdims,
                         [&](const auto& a) { return detail::norm_of(a, options.ord); });
}

/// The sum of products of two vectors; the matrix product if one is a matrix. @throws LinAlgError
template <detail::OnHost A, detail::OnHost B>
[[nodiscard]] auto dot(const A& a, const B& b) {
    return detail::dot_of(a, b);
}

/// The only element as a number of the host: of an array of one element (of libgpu's it waits for it), or of a number.
/// @throws ShapeError if there are more
template <detail::Lazy A>
[[nodiscard]] auto item(const A& a) {
    if constexpr (requires { a.item(); })
        return a.item();
    else
        return a.eval().item();
}
template <detail::OnHost A>
[[nodiscard]] typename A::Scalar item(const A& a) {
    if (a.size() != 1) {
        throw ShapeError("item() takes an array with one element; this one has shape " +
                         to_string(gpu::detail::eigen_shape(a)));
    }
    return a.coeff(0, 0);
}

// Of one number.
template <detail::Single S>
[[nodiscard]] S item(S number) {
    return number;
}
template <detail::Single S>
    requires(!detail::Number<S>)
[[nodiscard]] S sum(S number) {
    return number;
}
template <detail::Single S>
[[nodiscard]] S prod(S number) {
    return number;
}
template <detail::Single S>
[[nodiscard]] auto mean(S number) {
    if constexpr (std::is_integral_v<S>)
        return static_cast<double>(number);
    else
        return number;
}
template <detail::Number S>
[[nodiscard]] S min(S number) {
    return number;
}
template <detail::Number S>
[[nodiscard]] S max(S number) {
    return number;
}
template <detail::Single S>
[[nodiscard]] bool any(S number) {
    return number != S(0);
}
template <detail::Single S>
[[nodiscard]] bool all(S number) {
    return number != S(0);
}
template <detail::Single S>
[[nodiscard]] std::int64_t count_nonzero(S number) {
    return number != S(0) ? 1 : 0;
}
template <detail::Number S>
[[nodiscard]] auto norm(S number) {
    return std::abs(xp::mean(number));
}
template <class T>  // spelled like std::norm, which is the square of it: this one is preferred
    requires std::is_floating_point_v<T>
[[nodiscard]] T norm(const std::complex<T>& number) {
    return std::abs(number);
}
template <detail::Single A, detail::Single B>
[[nodiscard]] auto dot(A a, B b) {
    return a * b;
}

/// @cond internal
namespace detail {

// A type of arrays of either side, const or not. Eigen's expressions become arrays.
template <class A>
concept OfDevice = Lazy<std::remove_cvref_t<A>>;
template <class A>
concept OfHost = OnHost<std::remove_cvref_t<A>>;
template <class A>
concept OfArrays = OfDevice<A> || OfHost<A>;

template <class A>
struct NewOf {};
template <OfDevice A>
struct NewOf<A> {
    using scalar = LazyElement<std::remove_cvref_t<A>>;
};
template <OfHost A>
struct NewOf<A> {
    using scalar = typename std::remove_cvref_t<A>::Scalar;
};
template <class A>
using ScalarOf = typename NewOf<A>::scalar;

template <class A>
auto uninitialised(const Shape& shape, const char* operation) {
    if constexpr (OfDevice<A>) {
        return gpu::empty<ScalarOf<A>>(shape);
    } else {
        using Plain = typename std::remove_cvref_t<A>::PlainObject;
        const gpu::detail::EigenSize size = gpu::detail::eigen_size<Plain>(shape, operation);
        Plain array;
        array.resize(size.rows, size.columns);
        return array;
    }
}
template <class A>
auto filled(const Shape& shape, ScalarOf<A> value, const char* operation) {
    if constexpr (OfDevice<A>) {
        return gpu::full<ScalarOf<A>>(shape, value);
    } else {
        auto array = detail::uninitialised<A>(shape, operation);
        array.setConstant(value);
        return array;
    }
}
// The array that `like` says, of elements U: an Eigen::Array.
template <class U, class A>
auto filled_like(const A& like, U value) {
    using Plain = typename A::PlainObject;
    return Eigen::Array<U, Plain::RowsAtCompileTime, Plain::ColsAtCompileTime, Plain::Options,
                        Plain::MaxRowsAtCompileTime, Plain::MaxColsAtCompileTime>(
        Eigen::Array<U, Plain::RowsAtCompileTime, Plain::ColsAtCompileTime, Plain::Options, Plain::MaxRowsAtCompileTime,
                     Plain::MaxColsAtCompileTime>::Constant(like.rows(), like.cols(), value));
}
template <class U, class A>
using LikeScalar = std::conditional_t<std::is_void_v<U>, ScalarOf<A>, U>;

// Evenly spaced as on a device: in double, each element by itself; the last one is exactly `stop`.
template <class A>
auto spaced(double start, double stop, std::int64_t count, bool endpoint) {
    if constexpr (OfDevice<A>) {
        return gpu::linspace<ScalarOf<A>>(start, stop, count, {.endpoint = endpoint});
    } else {
        using S = ScalarOf<A>;
        using Plain = std::remove_cvref_t<A>;
        constexpr bool is_row = Plain::RowsAtCompileTime == 1 && Plain::ColsAtCompileTime != 1;
        if (count < 0) throw ShapeError("linspace: a count of " + std::to_string(count));
        Eigen::Array<S, is_row ? 1 : Eigen::Dynamic, is_row ? Eigen::Dynamic : 1, is_row ? Eigen::RowMajor : 0> array(
            count);
        const double gaps = static_cast<double>(endpoint ? count - 1 : count);
        const double step = gaps > 0 ? (stop - start) / gaps : 0;
        for (std::int64_t k = 0; k < count; ++k) {
            const bool is_end = endpoint && k == count - 1 && count > 1;
            array(k) = static_cast<S>(is_end ? stop : std::fma(static_cast<double>(k), step, start));
        }
        return array;
    }
}

}  // namespace detail
/// @endcond

/// A new array on the side of the type A, which is any type of arrays, as `decltype(x)`: for libgpu's types on the
/// current device, for Eigen's of the type that holds its elements. The elements are uninitialised.
/// @throws ShapeError if an Eigen type can't have the shape
/// @snippet public/eigen_test.cpp xp_types
template <detail::OfArrays A>
[[nodiscard]] auto empty(const Shape& shape) {
    return detail::uninitialised<A>(shape, "empty");
}
/// The same, filled with one value.
template <detail::OfArrays A>
[[nodiscard]] auto full(const Shape& shape, std::type_identity_t<detail::ScalarOf<A>> value) {
    return detail::filled<A>(shape, value, "full");
}
/// The same, filled with zeros.
template <detail::OfArrays A>
[[nodiscard]] auto zeros(const Shape& shape) {
    return detail::filled<A>(shape, detail::ScalarOf<A>(0), "zeros");
}
/// The same, filled with ones.
template <detail::OfArrays A>
[[nodiscard]] auto ones(const Shape& shape) {
    return detail::filled<A>(shape, detail::ScalarOf<A>(1), "ones");
}
/// `count` numbers from `start` to `stop` as a vector on the side of the type A, in its element type.
/// @throws ShapeError if `count` is negative
/// @snippet public/eigen_test.cpp xp_types
template <detail::OfArrays A>
[[nodiscard]] auto linspace(double start, double stop, std::int64_t count, const LinspaceOptions& options = {}) {
    return detail::spaced<A>(start, stop, count, options.endpoint);
}
/// The same on the side of an array, on its device; of an expression on the current device.
/// @snippet public/eigen_test.cpp xp_sides
template <detail::OfArrays A>
[[nodiscard]] auto linspace_like(const A& model, double start, double stop, std::int64_t count,
                                 const LinspaceOptions& options = {}) {
    if constexpr (requires { model.device(); }) {
        const DeviceGuard guard(model.device());
        return detail::spaced<A>(start, stop, count, options.endpoint);
    } else {
        return detail::spaced<A>(start, stop, count, options.endpoint);
    }
}

/// An array of the model's shape, filled with one value; of another element type if U is given.
template <class U = void, detail::OnHost A>
[[nodiscard]] auto full_like(const A& model, std::type_identity_t<detail::LikeScalar<U, A>> value) {
    return detail::filled_like<detail::LikeScalar<U, A>>(model, value);
}
/// A number.
template <class U = void, detail::Single S>
[[nodiscard]] auto full_like(S, std::type_identity_t<std::conditional_t<std::is_void_v<U>, S, U>> value) {
    return value;
}
#define GPU_XP_LIKE(function, number)                                     \
    template <class U = void, detail::OnHost A>                           \
    [[nodiscard]] auto function(const A& model) {                         \
        return xp::full_like<U>(model, detail::LikeScalar<U, A>(number)); \
    }                                                                     \
    template <class U = void, detail::Single S>                           \
    [[nodiscard]] auto function(S) {                                      \
        return std::conditional_t<std::is_void_v<U>, S, U>(number);       \
    }
/// full_like() of zeros.
GPU_XP_LIKE(zeros_like, 0)
/// full_like() of ones.
GPU_XP_LIKE(ones_like, 1)
/// An array of the model's shape, to be filled: here its elements are 0.
GPU_XP_LIKE(empty_like, 0)
#undef GPU_XP_LIKE

}  // namespace gpu::xp
