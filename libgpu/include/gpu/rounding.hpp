// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/ops.hpp>

/// @file
/// Lazy elementwise: numbers rounded to whole ones, and what a number is.

namespace gpu {

// To whole numbers; integers stay as they are.
#define GPU_ROUNDING(function, op)                                                                   \
    template <detail::Lazy A>                                                                        \
    [[nodiscard]] auto function(const A& a) {                                                        \
        constexpr DType type = dtype_of<detail::LazyElement<A>>;                                     \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones"); \
        if constexpr (is_floating(type))                                                             \
            return detail::unary<type>(detail::Op::op, a);                                           \
        else                                                                                         \
            return Expr<detail::LazyElement<A>>(detail::to_node(a));                                 \
    }
/// The next whole number below, or the number itself.
GPU_ROUNDING(floor, floor)
/// The next whole number above, or the number itself.
GPU_ROUNDING(ceil, ceil)
/// The whole number next to it towards 0.
GPU_ROUNDING(trunc, trunc)
/// As round(), C++'s name.
GPU_ROUNDING(rint, round)
/// To the nearest whole number, ties to even.
GPU_ROUNDING(round, round)
#undef GPU_ROUNDING

// What a number is: true or false.
#define GPU_PREDICATE(function)                                                                               \
    template <detail::Lazy A>                                                                                 \
    [[nodiscard]] Expr<bool> function(const A& a) {                                                           \
        constexpr DType type = detail::floating(dtype_of<detail::LazyElement<A>>);                            \
        return Expr<bool>(                                                                                    \
            detail::node(detail::Op::function, DType::boolean, detail::cast_node(type, detail::to_node(a)))); \
    }
/// True where it is no number.
GPU_PREDICATE(isnan)
/// True where it is infinite, of either sign.
GPU_PREDICATE(isinf)
/// True where it is neither infinite nor NaN.
GPU_PREDICATE(isfinite)
/// True where the sign is negative: of -0.0 too.
GPU_PREDICATE(signbit)
#undef GPU_PREDICATE

}  // namespace gpu
