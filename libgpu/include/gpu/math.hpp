// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/binary_math.hpp>
#include <gpu/complex_math.hpp>
#include <gpu/named_ops.hpp>
#include <gpu/ops.hpp>
#include <gpu/rounding.hpp>

/// @file
/// Lazy elementwise functions of one operand, under C++'s and NumPy's names. Integers are converted to double where the
/// result isn't an integer, halves to float. Functions of float are within a few units in the last place
/// of the exact value on each device.
/// @snippet public/math_test.cpp math
/// @snippet public/functions_test.cpp names
/// @snippet public/functions_test.cpp functions
/// @snippet public/functions_test.cpp operator_names
/// @snippet public/complex_functions_test.cpp sign

namespace gpu {

// Functions of real and complex numbers. Of complex ones the cuts are C++'s and NumPy's; on a cut the sign of the zero
// tells the side.
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
