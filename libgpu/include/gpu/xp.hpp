// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Code written once for Eigen's arrays, libgpu's and numbers: the purpose of CuPy's get_array_module.

#include <cmath>
#include <complex>
#include <cstdlib>
#include <type_traits>

#include <gpu/eigen.hpp>
#include <gpu/expression.hpp>

/// The functions that Eigen's arrays, libgpu's arrays and numbers have in common. A template that says `using namespace
/// gpu::xp;` and calls them by their bare names gets Eigen's code for Eigen's arrays (Array, Map, Ref, blocks and
/// expressions), one kernel for libgpu's arrays, views and expressions, and the C++ library's functions for numbers.
///
/// abs sqrt rsqrt square exp expm1 log log1p log2 log10 pow sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
/// floor ceil rint sign isnan isinf isfinite real imag conj arg; max and maximum, min and minimum, clip, where, astype.
/// Eigen's rules hold for its results: they are expressions that refer to their arrays.
/// @snippet public/eigen_test.cpp xp
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

}  // namespace gpu::xp
