// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/expression.hpp>

/// @file
/// Lazy elementwise operators and functions. Two arrays promote as in NumPy (int32 + float32 is float64), a number
/// takes the array's type (float_array * 2.0 stays float), and integers divide as in C++.

namespace gpu {

#define GPU_BINARY(symbol, op)                                                                                 \
    template <class A, class B>                                                                                \
        requires detail::Operands<A, B>                                                                        \
    [[nodiscard]] Expr<detail::Common<A, B>> operator symbol(const A& a, const B& b) {                         \
        constexpr DType type = detail::common_dtype<A, B>();                                                   \
        return Expr<detail::Common<A, B>>(                                                                     \
            detail::node(detail::Op::op, type, type, detail::to_node(a), detail::to_node(b)));                 \
    }
GPU_BINARY(+, add)
GPU_BINARY(-, subtract)
GPU_BINARY(*, multiply)
GPU_BINARY(/, divide)
GPU_BINARY(%, modulo)
#undef GPU_BINARY

#define GPU_COMPARE(symbol, op)                                                                                \
    template <class A, class B>                                                                                \
        requires detail::Operands<A, B>                                                                        \
    [[nodiscard]] Expr<bool> operator symbol(const A& a, const B& b) {                                         \
        return Expr<bool>(detail::node(detail::Op::op, DType::boolean, detail::common_dtype<A, B>(),           \
                                       detail::to_node(a), detail::to_node(b)));                               \
    }
GPU_COMPARE(==, equal)
GPU_COMPARE(!=, not_equal)
GPU_COMPARE(<, less)
GPU_COMPARE(<=, less_equal)
GPU_COMPARE(>, greater)
GPU_COMPARE(>=, greater_equal)
#undef GPU_COMPARE

#define GPU_LOGICAL(symbol, op)                                                                                \
    template <class A, class B>                                                                                \
        requires detail::Operands<A, B>                                                                        \
    [[nodiscard]] Expr<bool> operator symbol(const A& a, const B& b) {                                         \
        return Expr<bool>(detail::node(detail::Op::op, DType::boolean, DType::boolean, detail::to_node(a),     \
                                       detail::to_node(b)));                                                   \
    }
GPU_LOGICAL(&&, logical_and)
GPU_LOGICAL(||, logical_or)
#undef GPU_LOGICAL

template <detail::Lazy A>
[[nodiscard]] auto operator-(const A& a) {
    using T = typename detail::OperandTraits<A>::element;
    return Expr<T>(detail::node(detail::Op::negate, dtype_of<T>, detail::to_node(a)));
}
template <detail::Lazy A>
[[nodiscard]] Expr<bool> operator!(const A& a) {
    return Expr<bool>(detail::node(detail::Op::logical_not, DType::boolean,
                                   detail::cast_node(DType::boolean, detail::to_node(a))));
}

// Integers go through double, as in NumPy.
#define GPU_MATH(function)                                                                                     \
    template <detail::Lazy A>                                                                                  \
    [[nodiscard]] auto function(const A& a) {                                                                  \
        using T = detail::Floating<typename detail::OperandTraits<A>::element>;                                \
        return Expr<T>(detail::node(detail::Op::function, dtype_of<T>,                                         \
                                    detail::cast_node(dtype_of<T>, detail::to_node(a))));                      \
    }
GPU_MATH(sqrt)
GPU_MATH(exp)
GPU_MATH(log)
GPU_MATH(log2)
GPU_MATH(log10)
GPU_MATH(log1p)
GPU_MATH(expm1)
GPU_MATH(sin)
GPU_MATH(cos)
GPU_MATH(tan)
GPU_MATH(asin)
GPU_MATH(acos)
GPU_MATH(atan)
GPU_MATH(sinh)
GPU_MATH(cosh)
GPU_MATH(tanh)
GPU_MATH(floor)
GPU_MATH(ceil)
GPU_MATH(round)
#undef GPU_MATH

/// The absolute value, in the array's own type.
template <detail::Lazy A>
[[nodiscard]] auto abs(const A& a) {
    using T = typename detail::OperandTraits<A>::element;
    return Expr<T>(detail::node(detail::Op::abs, dtype_of<T>, detail::to_node(a)));
}

#define GPU_MATH_2(function)                                                                                   \
    template <class A, class B>                                                                                \
        requires detail::Operands<A, B>                                                                        \
    [[nodiscard]] auto function(const A& a, const B& b) {                                                      \
        using T = detail::Floating<detail::Common<A, B>>;                                                      \
        return Expr<T>(detail::node(detail::Op::function, dtype_of<T>, dtype_of<T>, detail::to_node(a),        \
                                    detail::to_node(b)));                                                      \
    }
GPU_MATH_2(pow)
GPU_MATH_2(atan2)
#undef GPU_MATH_2

#define GPU_MIN_MAX(function)                                                                                  \
    template <class A, class B>                                                                                \
        requires detail::Operands<A, B>                                                                        \
    [[nodiscard]] auto function(const A& a, const B& b) {                                                      \
        using T = detail::Common<A, B>;                                                                        \
        return Expr<T>(detail::node(detail::Op::function, dtype_of<T>, dtype_of<T>, detail::to_node(a),        \
                                    detail::to_node(b)));                                                      \
    }
GPU_MIN_MAX(minimum)
GPU_MIN_MAX(maximum)
#undef GPU_MIN_MAX

/// `a` where the condition holds, else `b`.
template <detail::Lazy C, class A, class B>
    requires detail::OperandLike<A> && detail::OperandLike<B> && (detail::Lazy<A> || detail::Lazy<B>)
[[nodiscard]] auto where(const C& condition, const A& a, const B& b) {
    using T = detail::Common<A, B>;
    return Expr<T>(detail::where_node(dtype_of<T>, detail::to_node(condition), detail::to_node(a), detail::to_node(b)));
}

}  // namespace gpu
