// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/ops.hpp>

/// @file
/// Lazy elementwise functions: the parts of complex numbers. Their magnitude is `gpu::abs(z)`.
/// @snippet public/complex_functions_test.cpp sign

namespace gpu {

/// The real part; real arrays stay as they are.
template <detail::ArrayLike A>
[[nodiscard]] auto real(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    using T = typename detail::CppType<real_dtype(type)>::type;
    if constexpr (is_complex(type))
        return Expr<T>(detail::node(detail::Op::real, dtype_of<T>, detail::to_node(a)));
    else
        return Expr<T>(detail::to_node(a));
}
/// The imaginary part; zeros for real arrays.
template <detail::ArrayLike A>
[[nodiscard]] auto imag(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    using T = typename detail::CppType<real_dtype(type)>::type;
    if constexpr (is_complex(type)) {
        return Expr<T>(detail::node(detail::Op::imag, dtype_of<T>, detail::to_node(a)));
    } else {
        return Expr<T>(detail::where_node(type, detail::to_node(false), detail::to_node(a), detail::to_node(T(0))));
    }
}
/// The conjugate; real arrays stay as they are.
template <detail::ArrayLike A>
[[nodiscard]] auto conj(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    if constexpr (is_complex(type))
        return detail::unary<type>(detail::Op::conj, a);
    else
        return Expr<detail::LazyElement<A>>(detail::to_node(a));
}

/// The angle of a complex number, in (-pi, pi]; 0 or pi for a real one.
template <detail::ArrayLike A>
[[nodiscard]] auto arg(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    if constexpr (is_complex(type)) {
        using T = typename detail::CppType<real_dtype(type)>::type;
        return Expr<T>(detail::node(detail::Op::arg, dtype_of<T>, detail::to_node(a)));
    } else {
        constexpr DType angles = detail::floating(detail::common_dtype<float, A>());
        return detail::binary<angles>(detail::Op::atan2, angles, 0.f, a);
    }
}
/// NumPy's name for arg().
template <detail::ArrayLike A>
[[nodiscard]] auto angle(const A& a) {
    return gpu::arg(a);
}

}  // namespace gpu
