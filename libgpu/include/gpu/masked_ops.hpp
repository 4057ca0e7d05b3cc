// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <gpu/masks.hpp>
#include <gpu/ops.hpp>

/// @file
/// The operators and functions of gpu/ops.hpp for operands under one mask, and numbers. They are computed only where
/// the mask is true.

namespace gpu {

/// @cond internal
namespace detail {

// The operand without its mask: an expression, or a number.
template <class A>
auto whole(const A& a) {
    if constexpr (MaskedLike<A>) {
        return Expr<LazyElement<A>>(a.value());
    } else {
        if constexpr (Lazy<A>) check_unmasked(to_node(a));
        return a;
    }
}
// The common mask of two operands.
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
// A stand-in for two operands when a third one's mask is compared with theirs.
template <class A, class B>
auto masked_pair(const A& a, const B& b) {
    if constexpr (MaskedLike<A>) {
        if constexpr (MaskedLike<B>) (void)mask_of(a, b);
        return MaskedExpr<LazyElement<A>>(a.value(), a.mask());
    } else {
        return MaskedExpr<LazyElement<B>>(b.value(), b.mask());
    }
}
template <class T>
MaskedExpr<T> masked(const Expr<T>& value, NodePointer mask) {
    return {value.node(), std::move(mask)};
}

}  // namespace detail
/// @endcond

template <class T>
template <class V>
Masked<T>& Masked<T>::operator=(const V& values) {
    static_assert(!std::is_const_v<T>, "the array is const");
    if constexpr (detail::MaskedLike<V>) {
        static_assert(std::is_same_v<detail::LazyElement<V>, T>,
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

#define GPU_MASKED_2(spelling)                                                                           \
    template <class A, class B>                                                                          \
        requires detail::MaskedOperands<A, B>                                                            \
    [[nodiscard]] auto spelling(const A& a, const B& b) {                                                \
        return detail::masked(gpu::spelling(detail::whole(a), detail::whole(b)), detail::mask_of(a, b)); \
    }
#define GPU_MASKED_1(spelling)                                            \
    template <detail::MaskedLike A>                                       \
    [[nodiscard]] auto spelling(const A& a) {                             \
        return detail::masked(gpu::spelling(detail::whole(a)), a.mask()); \
    }
#define GPU_MASKED_3(spelling, ...)                                                                \
    template <class A, class B, class C>                                                           \
        requires(__VA_ARGS__ && (detail::is_masked<A> || detail::is_masked<B>))                    \
    [[nodiscard]] auto spelling(const A& a, const B& b, const C& c) {                              \
        return detail::masked(gpu::spelling(detail::whole(a), detail::whole(b), detail::whole(c)), \
                              detail::mask_of(detail::masked_pair(a, b), c));                      \
    }
// clang-format off
GPU_MASKED_2(operator+) GPU_MASKED_2(operator-) GPU_MASKED_2(operator*) GPU_MASKED_2(operator/)
GPU_MASKED_2(operator%) GPU_MASKED_2(operator&) GPU_MASKED_2(operator|) GPU_MASKED_2(operator^)
GPU_MASKED_2(operator<<) GPU_MASKED_2(operator>>) GPU_MASKED_2(operator==) GPU_MASKED_2(operator!=)
GPU_MASKED_2(operator<) GPU_MASKED_2(operator<=) GPU_MASKED_2(operator>) GPU_MASKED_2(operator>=)
GPU_MASKED_2(operator&&) GPU_MASKED_2(operator||)
GPU_MASKED_2(pow) GPU_MASKED_2(power) GPU_MASKED_2(atan2) GPU_MASKED_2(arctan2) GPU_MASKED_2(hypot)
GPU_MASKED_2(copysign) GPU_MASKED_2(minimum) GPU_MASKED_2(maximum) GPU_MASKED_2(fmin) GPU_MASKED_2(fmax)
GPU_MASKED_2(floor_divide) GPU_MASKED_2(remainder) GPU_MASKED_2(fmod) GPU_MASKED_2(logical_xor)
GPU_MASKED_1(operator-) GPU_MASKED_1(operator!) GPU_MASKED_1(operator~) GPU_MASKED_1(abs) GPU_MASKED_1(absolute)
GPU_MASKED_1(sign) GPU_MASKED_1(square) GPU_MASKED_1(reciprocal) GPU_MASKED_1(real) GPU_MASKED_1(imag)
GPU_MASKED_1(conj) GPU_MASKED_1(arg) GPU_MASKED_1(angle) GPU_MASKED_1(sqrt) GPU_MASKED_1(cbrt) GPU_MASKED_1(rsqrt)
GPU_MASKED_1(exp) GPU_MASKED_1(exp2) GPU_MASKED_1(expm1) GPU_MASKED_1(log) GPU_MASKED_1(log2) GPU_MASKED_1(log10)
GPU_MASKED_1(log1p) GPU_MASKED_1(sin) GPU_MASKED_1(cos) GPU_MASKED_1(tan) GPU_MASKED_1(asin) GPU_MASKED_1(arcsin)
GPU_MASKED_1(acos) GPU_MASKED_1(arccos) GPU_MASKED_1(atan) GPU_MASKED_1(arctan) GPU_MASKED_1(sinh) GPU_MASKED_1(cosh)
GPU_MASKED_1(tanh) GPU_MASKED_1(asinh) GPU_MASKED_1(arcsinh) GPU_MASKED_1(acosh) GPU_MASKED_1(arccosh)
GPU_MASKED_1(atanh) GPU_MASKED_1(arctanh) GPU_MASKED_1(erf) GPU_MASKED_1(erfc) GPU_MASKED_1(lgamma)
GPU_MASKED_1(tgamma) GPU_MASKED_1(degrees) GPU_MASKED_1(rad2deg) GPU_MASKED_1(radians) GPU_MASKED_1(deg2rad)
GPU_MASKED_1(fabs) GPU_MASKED_1(floor) GPU_MASKED_1(ceil) GPU_MASKED_1(trunc) GPU_MASKED_1(rint) GPU_MASKED_1(round)
GPU_MASKED_1(isnan) GPU_MASKED_1(isinf) GPU_MASKED_1(isfinite) GPU_MASKED_1(signbit) GPU_MASKED_1(logical_not)
GPU_MASKED_3(clip, detail::Lazy<A> && detail::OperandLike<B> && detail::OperandLike<C>)
GPU_MASKED_3(where, detail::Lazy<A> && detail::OperandLike<B> && detail::OperandLike<C>)
GPU_MASKED_3(fma, detail::Operands<A, B> && detail::OperandLike<C>)
// clang-format on
#undef GPU_MASKED_1
#undef GPU_MASKED_2
#undef GPU_MASKED_3

}  // namespace gpu
