// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/expression.hpp>
#include <gpu/ops.hpp>

/// @file
/// Lazy elementwise functions, under C++'s names and NumPy's. Integers go through double where the result is no integer,
/// halves through float. Functions of float are within a few units in the last place of the exact value on each device.
/// @snippet public/math_test.cpp math
/// @snippet public/functions_test.cpp names
/// @snippet public/functions_test.cpp functions
/// @snippet public/functions_test.cpp operator_names

namespace gpu {

// Functions of real and complex numbers.
#define GPU_MATH(function)                                                          \
    template <detail::Lazy A>                                                       \
    [[nodiscard]] auto function(const A& a) {                                       \
        constexpr DType type = detail::floating(dtype_of<detail::LazyElement<A>>);  \
        return detail::unary<type>(detail::Op::function, a);                        \
    }
GPU_MATH(sqrt)
GPU_MATH(exp)
GPU_MATH(log)
GPU_MATH(log10)
GPU_MATH(sin)
GPU_MATH(cos)
GPU_MATH(tan)
GPU_MATH(sinh)
GPU_MATH(cosh)
GPU_MATH(tanh)
#undef GPU_MATH

// Functions of real numbers.
#define GPU_REAL(function, op)                                                                           \
    template <detail::Lazy A>                                                                            \
    [[nodiscard]] auto function(const A& a) {                                                            \
        constexpr DType type = detail::floating(dtype_of<detail::LazyElement<A>>);                       \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones");     \
        return detail::unary<type>(detail::Op::op, a);                                                   \
    }
GPU_REAL(cbrt, cbrt)
GPU_REAL(rsqrt, rsqrt)
GPU_REAL(exp2, exp2)
GPU_REAL(expm1, expm1)
GPU_REAL(log2, log2)
GPU_REAL(log1p, log1p)
GPU_REAL(asin, asin)
GPU_REAL(arcsin, asin)
GPU_REAL(acos, acos)
GPU_REAL(arccos, acos)
GPU_REAL(atan, atan)
GPU_REAL(arctan, atan)
GPU_REAL(asinh, asinh)
GPU_REAL(arcsinh, asinh)
GPU_REAL(acosh, acosh)
GPU_REAL(arccosh, acosh)
GPU_REAL(atanh, atanh)
GPU_REAL(arctanh, atanh)
GPU_REAL(erf, erf)
GPU_REAL(erfc, erfc)
GPU_REAL(lgamma, lgamma)
GPU_REAL(tgamma, tgamma)
GPU_REAL(degrees, degrees)
GPU_REAL(rad2deg, degrees)
GPU_REAL(radians, radians)
GPU_REAL(deg2rad, radians)
GPU_REAL(fabs, abs)
#undef GPU_REAL

// To whole numbers; integers stay as they are.
#define GPU_ROUNDING(function, op)                                                                        \
    template <detail::Lazy A>                                                                             \
    [[nodiscard]] auto function(const A& a) {                                                             \
        constexpr DType type = dtype_of<detail::LazyElement<A>>;                                          \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones");      \
        if constexpr (is_floating(type)) return detail::unary<type>(detail::Op::op, a);                   \
        else return Expr<detail::LazyElement<A>>(detail::to_node(a));                                     \
    }
GPU_ROUNDING(floor, floor)
GPU_ROUNDING(ceil, ceil)
GPU_ROUNDING(trunc, trunc)
GPU_ROUNDING(rint, round)
/// To the nearest whole number, ties to even.
GPU_ROUNDING(round, round)
#undef GPU_ROUNDING

// What a number is: true or false.
#define GPU_PREDICATE(function)                                                                                   \
    template <detail::Lazy A>                                                                                     \
    [[nodiscard]] Expr<bool> function(const A& a) {                                                               \
        constexpr DType type = detail::floating(dtype_of<detail::LazyElement<A>>);                                \
        return Expr<bool>(                                                                                        \
            detail::node(detail::Op::function, DType::boolean, detail::cast_node(type, detail::to_node(a))));     \
    }
GPU_PREDICATE(isnan)
GPU_PREDICATE(isinf)
GPU_PREDICATE(isfinite)
GPU_PREDICATE(signbit)
#undef GPU_PREDICATE

/// The absolute value, in the array's own type; of complex numbers their length, a real number.
template <detail::Lazy A>
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
template <detail::Lazy A>
[[nodiscard]] auto absolute(const A& a) {
    return gpu::abs(a);
}
/// -1, 0 or 1 in the array's type; NaN stays NaN.
template <detail::Lazy A>
[[nodiscard]] auto sign(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    static_assert(!is_complex(type), "gpu::sign takes real numbers, not complex ones");
    return detail::unary<detail::counted(type)>(detail::Op::sign, a);
}
template <detail::Lazy A>
[[nodiscard]] auto square(const A& a) {
    return detail::unary<detail::counted(dtype_of<detail::LazyElement<A>>)>(detail::Op::square, a);
}
/// 1 / x in the array's type: of integers 0, but for 1 and -1.
template <detail::Lazy A>
[[nodiscard]] auto reciprocal(const A& a) {
    constexpr DType type = detail::counted(dtype_of<detail::LazyElement<A>>);
    return detail::unary<type>(
        detail::is_integer(type) ? detail::Op::integer_reciprocal : detail::Op::reciprocal, a);
}

/// The real part; real arrays as they are.
template <detail::Lazy A>
[[nodiscard]] auto real(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    using T = typename detail::CppType<real_dtype(type)>::type;
    if constexpr (is_complex(type)) return Expr<T>(detail::node(detail::Op::real, dtype_of<T>, detail::to_node(a)));
    else return Expr<T>(detail::to_node(a));
}
/// The imaginary part; of real arrays zeros.
template <detail::Lazy A>
[[nodiscard]] auto imag(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    using T = typename detail::CppType<real_dtype(type)>::type;
    if constexpr (is_complex(type)) {
        return Expr<T>(detail::node(detail::Op::imag, dtype_of<T>, detail::to_node(a)));
    } else {
        return Expr<T>(detail::where_node(type, detail::to_node(false), detail::to_node(a), detail::to_node(T(0))));
    }
}
template <detail::Lazy A>
[[nodiscard]] auto conj(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    if constexpr (is_complex(type)) return detail::unary<type>(detail::Op::conj, a);
    else return Expr<detail::LazyElement<A>>(detail::to_node(a));
}

// Two numbers; as operators they broadcast, and numbers take the array's type.
#define GPU_MATH_2(function, op)                                                                                 \
    template <class A, class B>                                                                                  \
        requires detail::Operands<A, B>                                                                          \
    [[nodiscard]] auto function(const A& a, const B& b) {                                                        \
        constexpr DType type = detail::floating(detail::common_dtype<A, B>());                                   \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones");             \
        return detail::binary<type>(detail::Op::op, type, a, b);                                                 \
    }
GPU_MATH_2(atan2, atan2)
GPU_MATH_2(arctan2, atan2)
GPU_MATH_2(hypot, hypot)
GPU_MATH_2(copysign, copysign)
#undef GPU_MATH_2

/// The angle of a complex number, in (-pi, pi]; of a real one 0 or pi.
template <detail::Lazy A>
[[nodiscard]] auto arg(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    if constexpr (is_complex(type)) {
        using T = typename detail::CppType<real_dtype(type)>::type;
        return Expr<T>(detail::node(detail::Op::arg, dtype_of<T>, detail::to_node(a)));
    } else {
        return gpu::atan2(0.f, a);
    }
}
template <detail::Lazy A>
[[nodiscard]] auto angle(const A& a) {
    return gpu::arg(a);
}

/// x to the power of y. Integers stay integers: they wrap around, and negative powers are cut off to whole numbers.
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] auto pow(const A& a, const B& b) {
    constexpr DType type = detail::counted(detail::common_dtype<A, B>());
    return detail::binary<type>(detail::is_integer(type) ? detail::Op::integer_pow : detail::Op::pow, type, a, b);
}
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] auto power(const A& a, const B& b) {
    return gpu::pow(a, b);
}

#define GPU_PAIR(function, op, kind)                                                                             \
    template <class A, class B>                                                                                  \
        requires detail::Operands<A, B>                                                                          \
    [[nodiscard]] auto function(const A& a, const B& b) {                                                        \
        constexpr DType type = detail::kind(detail::common_dtype<A, B>());                                       \
        static_assert(!is_complex(type), "gpu::" #function " takes real numbers, not complex ones");             \
        return detail::binary<type>(detail::Op::op, type, a, b);                                                 \
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
/// The smaller of two; of a number and a NaN the number.
GPU_PAIR(fmin, fmin, unchanged)
/// The larger of two; of a number and a NaN the number.
GPU_PAIR(fmax, fmax, unchanged)
/// x / y rounded down; of integers 0 where y is 0.
GPU_PAIR(floor_divide, floor_divide, counted)
/// What floor_divide leaves: it has y's sign. NumPy's `%`; C++'s `%` and fmod have x's sign.
GPU_PAIR(remainder, remainder, counted)
GPU_PAIR(fmod, modulo, counted)
#undef GPU_PAIR

/// x where it lies between `low` and `high`, else the one that it passes. NaN stays NaN.
template <detail::Lazy A, detail::OperandLike L, detail::OperandLike H>
[[nodiscard]] auto clip(const A& a, const L& low, const H& high) {
    return gpu::minimum(gpu::maximum(a, low), high);
}

/// x * y + z, of float and double rounded once.
template <class A, class B, class C>
    requires detail::Operands<A, B> && detail::OperandLike<C>
[[nodiscard]] auto fma(const A& a, const B& b, const C& c) {
    constexpr DType type = detail::counted(detail::common_dtype<Expr<detail::Common<A, B>>, C>());
    static_assert(!is_complex(type), "gpu::fma takes real numbers, not complex ones");
    return Expr<typename detail::CppType<type>::type>(
        detail::node(detail::is_integer(type) ? detail::Op::integer_fma : detail::Op::fma, type, type, detail::to_node(a),
                     detail::to_node(b), detail::to_node(c)));
}

// NumPy's names of operators.
#define GPU_NAMED(function, symbol)                                     \
    template <class A, class B>                                         \
        requires detail::Operands<A, B>                                 \
    [[nodiscard]] auto function(const A& a, const B& b) {               \
        return a symbol b;                                              \
    }
GPU_NAMED(add, +)
GPU_NAMED(subtract, -)
GPU_NAMED(multiply, *)
GPU_NAMED(divide, /)
GPU_NAMED(equal, ==)
GPU_NAMED(not_equal, !=)
GPU_NAMED(less, <)
GPU_NAMED(less_equal, <=)
GPU_NAMED(greater, >)
GPU_NAMED(greater_equal, >=)
GPU_NAMED(bitwise_and, &)
GPU_NAMED(bitwise_or, |)
GPU_NAMED(bitwise_xor, ^)
GPU_NAMED(left_shift, <<)
GPU_NAMED(right_shift, >>)
GPU_NAMED(logical_and, &&)
GPU_NAMED(logical_or, ||)
#undef GPU_NAMED
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] auto logical_xor(const A& a, const B& b) {
    return detail::binary<DType::boolean>(detail::Op::logical_xor, DType::boolean, a, b);
}
template <detail::Lazy A>
[[nodiscard]] auto logical_not(const A& a) {
    return !a;
}
template <detail::Lazy A>
[[nodiscard]] auto bitwise_not(const A& a) {
    return ~a;
}
template <detail::Lazy A>
[[nodiscard]] auto invert(const A& a) {
    return ~a;
}
template <detail::Lazy A>
[[nodiscard]] auto negative(const A& a) {
    return -a;
}

/// The elements in another type, see Expr::astype; for code that is written once for arrays, views and expressions.
template <Element U, detail::Lazy A>
[[nodiscard]] Expr<U> astype(const A& a) {
    return Expr<detail::LazyElement<A>>(detail::to_node(a)).template astype<U>();
}

}  // namespace gpu
