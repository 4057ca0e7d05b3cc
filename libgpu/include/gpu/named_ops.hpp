// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/ops.hpp>

/// @file
/// The operators of gpu/ops.hpp under NumPy's names.

namespace gpu {

#define GPU_NAMED(function, symbol)                       \
    template <class A, class B>                           \
        requires detail::Operands<A, B>                   \
    [[nodiscard]] auto function(const A& a, const B& b) { \
        return a symbol b;                                \
    }
/// `a + b`.
GPU_NAMED(add, +)
/// `a - b`.
GPU_NAMED(subtract, -)
/// `a * b`.
GPU_NAMED(multiply, *)
/// `a / b`.
GPU_NAMED(divide, /)
/// `a == b`.
GPU_NAMED(equal, ==)
/// `a != b`.
GPU_NAMED(not_equal, !=)
/// `a < b`.
GPU_NAMED(less, <)
/// `a <= b`.
GPU_NAMED(less_equal, <=)
/// `a > b`.
GPU_NAMED(greater, >)
/// `a >= b`.
GPU_NAMED(greater_equal, >=)
/// `a & b`.
GPU_NAMED(bitwise_and, &)
/// `a | b`.
GPU_NAMED(bitwise_or, |)
/// `a ^ b`.
GPU_NAMED(bitwise_xor, ^)
/// `a << b`.
GPU_NAMED(left_shift, <<)
/// `a >> b`.
GPU_NAMED(right_shift, >>)
/// `a && b`.
GPU_NAMED(logical_and, &&)
/// `a || b`.
GPU_NAMED(logical_or, ||)
#undef GPU_NAMED
/// True where exactly one of the two isn't 0.
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] auto logical_xor(const A& a, const B& b) {
    return detail::binary<DType::boolean>(detail::Op::logical_xor, DType::boolean, a, b);
}
/// `!a`.
template <detail::ArrayLike A>
[[nodiscard]] auto logical_not(const A& a) {
    return !a;
}
/// `~a`.
template <detail::ArrayLike A>
[[nodiscard]] auto bitwise_not(const A& a) {
    return ~a;
}
/// `~a`.
template <detail::ArrayLike A>
[[nodiscard]] auto invert(const A& a) {
    return ~a;
}
/// `-a`.
template <detail::ArrayLike A>
[[nodiscard]] auto negative(const A& a) {
    return -a;
}

/// The elements in another type, see Expr::astype; for code that is written once for arrays, views and expressions.
template <Element U, detail::ArrayLike A>
[[nodiscard]] Expr<U> astype(const A& a) {
    return Expr<detail::LazyElement<A>>(detail::to_node(a)).template astype<U>();
}

}  // namespace gpu
