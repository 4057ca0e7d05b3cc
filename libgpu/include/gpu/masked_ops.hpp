// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <gpu/masks.hpp>
#include <gpu/ops.hpp>

/// @file
/// The operators and functions of gpu/ops.hpp for operands under one mask, and numbers. They are computed as if there
/// were no mask, and only where it is true.

namespace gpu {

/// @cond internal
namespace detail {

template <class A>
struct MaskedTraits {};
template <class T>
struct MaskedTraits<Masked<T>> { using element = std::remove_const_t<T>; };
template <class T>
struct MaskedTraits<MaskedExpr<T>> { using element = T; };

template <class A>
concept MaskedLike = requires { typename MaskedTraits<A>::element; };
template <class A>
concept MaskedOperand = MaskedLike<A> || OperandLike<A>;
template <class A, class B>
concept MaskedOperands = MaskedOperand<A> && MaskedOperand<B> && (MaskedLike<A> || MaskedLike<B>);

// The operand without its mask: an expression, or a number.
template <class A>
auto whole(const A& a) {
    if constexpr (MaskedLike<A>) {
        return Expr<typename MaskedTraits<A>::element>(a.value());
    } else {
        if constexpr (Lazy<A>) check_unmasked(to_node(a));
        return a;
    }
}
// The one mask of two operands.
template <class A, class B>
NodePointer mask_of(const A& a, const B& b) {
    if constexpr (MaskedLike<A> && MaskedLike<B>) {
        check_same_rank(a.value(), b.value());
        return same_mask(a.mask(), b.mask());
    } else if constexpr (MaskedLike<A>) {
        return a.mask();
    } else {
        return b.mask();
    }
}
template <class T>
MaskedExpr<T> masked(const Expr<T>& value, NodePointer mask) {
    return {value.node(), std::move(mask)};
}

}  // namespace detail
/// @endcond

#define GPU_MASKED_BINARY(symbol)                                                                              \
    template <class A, class B>                                                                                \
        requires detail::MaskedOperands<A, B>                                                                  \
    [[nodiscard]] auto operator symbol(const A& a, const B& b) {                                               \
        return detail::masked(detail::whole(a) symbol detail::whole(b),                                        \
                              detail::mask_of(a, b));                                                          \
    }
GPU_MASKED_BINARY(+)
GPU_MASKED_BINARY(-)
GPU_MASKED_BINARY(*)
GPU_MASKED_BINARY(/)
GPU_MASKED_BINARY(%)
GPU_MASKED_BINARY(==)
GPU_MASKED_BINARY(!=)
GPU_MASKED_BINARY(<)
GPU_MASKED_BINARY(<=)
GPU_MASKED_BINARY(>)
GPU_MASKED_BINARY(>=)
GPU_MASKED_BINARY(&&)
GPU_MASKED_BINARY(||)
#undef GPU_MASKED_BINARY

#define GPU_MASKED_UNARY(spelling)                                                                             \
    template <detail::MaskedLike A>                                                                            \
    [[nodiscard]] auto spelling(const A& a) {                                                                  \
        return detail::masked(GPU_MASKED_APPLY(spelling)(detail::whole(a)), a.mask());                         \
    }
#define GPU_MASKED_APPLY(function) gpu::function
GPU_MASKED_UNARY(operator-)
GPU_MASKED_UNARY(operator!)
GPU_MASKED_UNARY(abs)
GPU_MASKED_UNARY(sqrt)
GPU_MASKED_UNARY(exp)
GPU_MASKED_UNARY(log)
GPU_MASKED_UNARY(log2)
GPU_MASKED_UNARY(log10)
GPU_MASKED_UNARY(log1p)
GPU_MASKED_UNARY(expm1)
GPU_MASKED_UNARY(sin)
GPU_MASKED_UNARY(cos)
GPU_MASKED_UNARY(tan)
GPU_MASKED_UNARY(asin)
GPU_MASKED_UNARY(acos)
GPU_MASKED_UNARY(atan)
GPU_MASKED_UNARY(sinh)
GPU_MASKED_UNARY(cosh)
GPU_MASKED_UNARY(tanh)
GPU_MASKED_UNARY(floor)
GPU_MASKED_UNARY(ceil)
GPU_MASKED_UNARY(round)
#undef GPU_MASKED_APPLY
#undef GPU_MASKED_UNARY

#define GPU_MASKED_FUNCTION_2(function)                                                                        \
    template <class A, class B>                                                                                \
        requires detail::MaskedOperands<A, B>                                                                  \
    [[nodiscard]] auto function(const A& a, const B& b) {                                                      \
        return detail::masked(gpu::function(detail::whole(a), detail::whole(b)),                               \
                              detail::mask_of(a, b));                                                          \
    }
GPU_MASKED_FUNCTION_2(pow)
GPU_MASKED_FUNCTION_2(atan2)
GPU_MASKED_FUNCTION_2(minimum)
GPU_MASKED_FUNCTION_2(maximum)
#undef GPU_MASKED_FUNCTION_2

template <class T>
template <class V>
Masked<T>& Masked<T>::operator=(const V& values) {
    static_assert(!std::is_const_v<T>, "the array is const");
    if constexpr (detail::MaskedLike<V>) {
        static_assert(std::is_same_v<typename detail::MaskedTraits<V>::element, T>,
                      "the values have other elements than the array: write .astype<T>()");
        detail::assign_where(core_, detail::same_mask(mask_, values.mask()), values.value());
    } else if constexpr (detail::Lazy<V>) {
        static_assert(std::is_same_v<typename detail::OperandTraits<V>::element, T>,
                      "the values have other elements than the array: write .astype<T>()");
        detail::assign_compressed(core_, mask_, detail::to_node(values));
    } else {
        detail::assign_where(core_, mask_, detail::to_node(T(values)));
    }
    return *this;
}

}  // namespace gpu
