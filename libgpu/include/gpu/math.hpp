// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

#include <gpu/ops.hpp>
#include <gpu/rounding.hpp>

/// @file
/// Lazy elementwise functions, under C++'s and NumPy's names. Like operators, they broadcast, and numbers take the
/// array's type. Integers are converted to double if the result isn't an integer, halves to float. Functions of float
/// are within a few units in the last place of the exact value on each device. The magnitude of complex numbers is
/// `gpu::abs(z)`.
/// @snippet public/math_test.cpp math
/// @snippet public/math_test.cpp names
/// @snippet public/math_test.cpp functions
/// @snippet public/math_test.cpp operator_names
/// @snippet public/math_test.cpp sign

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

/// @cond internal
template <detail::Lazy A>
auto clip(const A& a, std::initializer_list<double>) {
    static_assert(sizeof(A) == 0, "the ends of the range stand one after the other: write gpu::clip(x, low, high)");
    return a;
}
/// @endcond

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

// Functions of real and complex numbers. Complex ones have the branch cuts of C++ and NumPy; on a cut, the sign of the
// zero determines the side.
#define GPU_MATH(function, op)                                                     \
    template <detail::ArrayLike A>                                                 \
    [[nodiscard]] auto function(const A& a) {                                      \
        constexpr DType type = detail::floating(dtype_of<detail::LazyElement<A>>); \
        return detail::unary<type>(detail::Op::op, a);                             \
    }
/// The square root; NaN for negative real numbers.
GPU_MATH(sqrt, sqrt)
/// e to the power of x.
GPU_MATH(exp, exp)
/// The natural logarithm.
GPU_MATH(log, log)
/// The logarithm to base 10.
GPU_MATH(log10, log10)
/// The sine of an angle in radians.
GPU_MATH(sin, sin)
/// The cosine of an angle in radians.
GPU_MATH(cos, cos)
/// The tangent of an angle in radians.
GPU_MATH(tan, tan)
/// The hyperbolic sine.
GPU_MATH(sinh, sinh)
/// The hyperbolic cosine.
GPU_MATH(cosh, cosh)
/// The hyperbolic tangent.
GPU_MATH(tanh, tanh)
/// 2 to the power of x.
GPU_MATH(exp2, exp2)
/// exp(x) - 1, precise also near 0.
GPU_MATH(expm1, expm1)
/// The logarithm to base 2.
GPU_MATH(log2, log2)
/// log(1 + x), precise also near 0.
GPU_MATH(log1p, log1p)
/// The angle in [-pi/2, pi/2] with this sine. Real numbers outside of [-1, 1] give NaN.
GPU_MATH(asin, asin)
/// NumPy's name for asin().
GPU_MATH(arcsin, asin)
/// The angle in [0, pi] with this cosine. Real numbers outside of [-1, 1] give NaN.
GPU_MATH(acos, acos)
/// NumPy's name for acos().
GPU_MATH(arccos, acos)
/// The angle in [-pi/2, pi/2] with this tangent.
GPU_MATH(atan, atan)
/// NumPy's name for atan().
GPU_MATH(arctan, atan)
/// The inverse of sinh().
GPU_MATH(asinh, asinh)
/// NumPy's name for asinh().
GPU_MATH(arcsinh, asinh)
/// The inverse of cosh(). Real numbers below 1 give NaN.
GPU_MATH(acosh, acosh)
/// NumPy's name for acosh().
GPU_MATH(arccosh, acosh)
/// The inverse of tanh(). Real numbers outside of [-1, 1] give NaN.
GPU_MATH(atanh, atanh)
/// NumPy's name for atanh().
GPU_MATH(arctanh, atanh)
#undef GPU_MATH

// Functions of real numbers.
#define GPU_REAL(function, op)                                                                       \
    template <detail::ArrayLike A>                                                                   \
    [[nodiscard]] auto function(const A& a) {                                                        \
        constexpr DType type = detail::floating(dtype_of<detail::LazyElement<A>>);                   \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones"); \
        return detail::unary<type>(detail::Op::op, a);                                               \
    }
/// The cube root, also of negative numbers.
GPU_REAL(cbrt, cbrt)
/// 1 / sqrt(x).
GPU_REAL(rsqrt, rsqrt)
/// The error function.
GPU_REAL(erf, erf)
/// 1 - erf(x), precise also where that is small.
GPU_REAL(erfc, erfc)
/// The natural logarithm of the gamma function's absolute value.
GPU_REAL(lgamma, lgamma)
/// The gamma function: (n - 1)! for an integer n.
GPU_REAL(tgamma, tgamma)
/// Radians to degrees.
GPU_REAL(degrees, degrees)
/// NumPy's other name for degrees().
GPU_REAL(rad2deg, degrees)
/// Degrees to radians.
GPU_REAL(radians, radians)
/// NumPy's other name for radians().
GPU_REAL(deg2rad, radians)
/// The absolute value; a double for integers, unlike abs().
GPU_REAL(fabs, abs)
#undef GPU_REAL

/// The absolute value, in the array's own type; for complex numbers their magnitude, a real number.
template <detail::ArrayLike A>
[[nodiscard]] auto abs(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    if constexpr (is_complex(type)) {
        using T = typename detail::CppType<real_dtype(type)>::type;
        return Expr<T>(detail::node(detail::Op::magnitude, dtype_of<T>, detail::to_node(a)));
    } else if constexpr (type == DType::boolean || is_unsigned(type)) {
        return Expr<detail::LazyElement<A>>(detail::to_node(a));
    } else {
        return detail::unary<type>(detail::Op::abs, a);
    }
}
/// NumPy's name for abs().
template <detail::ArrayLike A>
[[nodiscard]] auto absolute(const A& a) {
    return gpu::abs(a);
}
/// -1, 0 or 1 in the array's type; NaN stays NaN. For complex numbers z / |z|, and 0 for 0.
template <detail::ArrayLike A>
[[nodiscard]] auto sign(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    return detail::unary<detail::counted(type)>(detail::Op::sign, a);
}
/// x * x.
template <detail::ArrayLike A>
[[nodiscard]] auto square(const A& a) {
    return detail::unary<detail::counted(dtype_of<detail::LazyElement<A>>)>(detail::Op::square, a);
}
/// 1 / x in the array's type: 0 for integers, except 1 and -1.
template <detail::ArrayLike A>
[[nodiscard]] auto reciprocal(const A& a) {
    constexpr DType type = detail::counted(dtype_of<detail::LazyElement<A>>);
    return detail::unary<type>(detail::is_integer(type) ? detail::Op::integer_reciprocal : detail::Op::reciprocal, a);
}

}  // namespace gpu
