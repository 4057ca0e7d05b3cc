// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <gpu/expression.hpp>
#include <gpu/ops.hpp>

/// @file
/// Lazy elementwise functions: rounding to integers, and tests for NaN, infinity and sign.

namespace gpu {

// To integral values; integers stay unchanged.
#define GPU_ROUNDING(function, op)                                                                   \
    template <detail::ArrayLike A>                                                                   \
    [[nodiscard]] auto function(const A& a) {                                                        \
        constexpr DType type = dtype_of<detail::LazyElement<A>>;                                     \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones"); \
        if constexpr (is_floating(type))                                                             \
            return detail::unary<type>(detail::Op::op, a);                                           \
        else                                                                                         \
            return Expr<detail::LazyElement<A>>(detail::to_node(a));                                 \
    }
/// The largest integer that isn't greater.
GPU_ROUNDING(floor, floor)
/// The smallest integer that isn't less.
GPU_ROUNDING(ceil, ceil)
/// The integer part: rounded towards 0.
GPU_ROUNDING(trunc, trunc)
/// C++'s name for round().
GPU_ROUNDING(rint, round)
/// The nearest integer, ties to even.
GPU_ROUNDING(round, round)
#undef GPU_ROUNDING

// Properties of numbers, as true or false.
#define GPU_PREDICATE(function)                                                                               \
    template <detail::ArrayLike A>                                                                            \
    [[nodiscard]] Expr<bool> function(const A& a) {                                                           \
        constexpr DType type = detail::floating(dtype_of<detail::LazyElement<A>>);                            \
        return Expr<bool>(                                                                                    \
            detail::node(detail::Op::function, DType::boolean, detail::cast_node(type, detail::to_node(a)))); \
    }
/// True for NaN.
GPU_PREDICATE(isnan)
/// True for infinities, of either sign.
GPU_PREDICATE(isinf)
/// True for numbers that are neither infinite nor NaN.
GPU_PREDICATE(isfinite)
/// True where the sign is negative, also for -0.0.
GPU_PREDICATE(signbit)
#undef GPU_PREDICATE

/// The replacements of nan_to_num(): `nan_to_num(x, {.nan = -1})`.
struct NanToNumOptions {
    double nan = 0;                       ///< for NaN
    std::optional<double> posinf = {};    ///< for infinity; by default the type's largest number
    std::optional<double> neginf = {};    ///< for -infinity; by default the type's lowest number
};

/// @cond internal
namespace detail {
GPU_API NodePointer finite_node(const NodePointer& a, const NanToNumOptions& options);
}  // namespace detail
/// @endcond

/// Replaces NaN and the infinities by numbers, lazily; in complex numbers, each part by itself. Integers stay
/// unchanged.
/// @snippet public/reduction_test.cpp nan_to_num
template <detail::ArrayLike A>
[[nodiscard]] auto nan_to_num(const A& a, const NanToNumOptions& options = {}) {
    return Expr<detail::LazyElement<A>>(detail::finite_node(detail::to_node(a), options));
}

}  // namespace gpu
