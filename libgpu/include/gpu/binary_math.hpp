// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/ops.hpp>

/// @file
/// Lazy elementwise functions of two or more operands. Like operators they broadcast, and numbers take the array's
/// type.

namespace gpu {

#define GPU_MATH_2(function, op)                                                                     \
    template <class A, class B>                                                                      \
        requires detail::Operands<A, B>                                                              \
    [[nodiscard]] auto function(const A& a, const B& b) {                                            \
        constexpr DType type = detail::floating(detail::common_dtype<A, B>());                       \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones"); \
        return detail::binary<type>(detail::Op::op, type, a, b);                                     \
    }
/// The angle, in [-pi, pi], of the point with this y (first) and this x.
GPU_MATH_2(atan2, atan2)
/// NumPy's name for atan2().
GPU_MATH_2(arctan2, atan2)
/// sqrt(x * x + y * y), without intermediate overflow.
GPU_MATH_2(hypot, hypot)
/// The first number's absolute value with the second one's sign.
GPU_MATH_2(copysign, copysign)
#undef GPU_MATH_2

/// x to the power of y. Integers stay integers: they wrap around, and negative powers are truncated.
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] auto pow(const A& a, const B& b) {
    constexpr DType type = detail::counted(detail::common_dtype<A, B>());
    return detail::binary<type>(detail::is_integer(type) ? detail::Op::integer_pow : detail::Op::pow, type, a, b);
}
/// NumPy's name for pow().
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] auto power(const A& a, const B& b) {
    return gpu::pow(a, b);
}

#define GPU_PAIR(function, op, kind)                                                                 \
    template <class A, class B>                                                                      \
        requires detail::Operands<A, B>                                                              \
    [[nodiscard]] auto function(const A& a, const B& b) {                                            \
        constexpr DType type = detail::kind(detail::common_dtype<A, B>());                           \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones"); \
        return detail::binary<type>(detail::Op::op, type, a, b);                                     \
    }
/// @cond internal
namespace detail {
constexpr DType unchanged(DType type) { return type; }
}  // namespace detail
/// @endcond
/// The smaller of two; NaN if one is NaN.
GPU_PAIR(minimum, minimum, unchanged)
/// The larger of two; NaN if one is NaN.
GPU_PAIR(maximum, maximum, unchanged)
/// The smaller of two; for a number and a NaN, the number.
GPU_PAIR(fmin, fmin, unchanged)
/// The larger of two; for a number and a NaN, the number.
GPU_PAIR(fmax, fmax, unchanged)
/// x / y rounded down; for integers, 0 where y is 0.
GPU_PAIR(floor_divide, floor_divide, counted)
/// The remainder of floor_divide, with y's sign. NumPy's `%`; C++'s `%` and fmod have x's sign.
GPU_PAIR(remainder, remainder, counted)
/// The remainder of x / y, with x's sign: C++'s function.
GPU_PAIR(fmod, modulo, counted)
#undef GPU_PAIR

/// x clamped to the range from `low` to `high`. NaN stays NaN.
template <detail::Lazy A, detail::OperandLike L, detail::OperandLike H>
[[nodiscard]] auto clip(const A& a, const L& low, const H& high) {
    return gpu::minimum(gpu::maximum(a, low), high);
}

/// x * y + z; float and double are rounded once.
template <class A, class B, class C>
    requires detail::Operands<A, B> && detail::OperandLike<C>
[[nodiscard]] auto fma(const A& a, const B& b, const C& c) {
    constexpr DType type = detail::counted(detail::common_dtype<Expr<detail::Common<A, B>>, C>());
    static_assert(!is_complex(type), "gpu::fma takes real numbers, not complex ones");
    return Expr<typename detail::CppType<type>::type>(
        detail::node(detail::is_integer(type) ? detail::Op::integer_fma : detail::Op::fma, type, type,
                     detail::to_node(a), detail::to_node(b), detail::to_node(c)));
}

}  // namespace gpu
