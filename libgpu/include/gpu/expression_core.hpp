// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <gpu/array_core.hpp>
#include <gpu/dtype.hpp>

namespace gpu {
template <class T>
class Array;
template <class T>
class View;
template <Element T>
class Expr;
template <class T>
class Indexed;
template <class T>
class Masked;
template <Element T>
class MaskedExpr;
class AnyArray;
}  // namespace gpu

/// @cond internal
/// The base of operators and functions: nodes, operands, and the common type of two operands.
namespace gpu::detail {

// The elementwise operations; codegen/node.cpp has their spelling in kernels, in this order.
// clang-format off
enum class Op : std::uint8_t {
    leaf, scalar, cast, negate, logical_not, bitwise_not, add, subtract, multiply, divide, integer_divide, modulo,
    floor_divide, remainder, equal, not_equal, less, less_equal, greater, greater_equal, logical_and, logical_or,
    logical_xor, bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift, pow, integer_pow, minimum, maximum,
    fmin, fmax, atan2, hypot, copysign, where, fma, integer_fma, abs, sign, square, reciprocal, integer_reciprocal,
    real, imag, conj, arg, magnitude, isnan, isinf, isfinite, signbit, sqrt, cbrt, rsqrt, exp, exp2, expm1, log, log2,
    log10, log1p, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc, lgamma, tgamma,
    floor, ceil, trunc, round, degrees, radians
};
// clang-format on

GPU_API NodePointer node(Op op, DType result, NodePointer a);
/// Broadcasts the operands' shapes and casts both to `operands`. @throws ShapeError
GPU_API NodePointer node(Op op, DType result, DType operands, NodePointer a, NodePointer b);
GPU_API NodePointer node(Op op, DType result, DType operands, NodePointer a, NodePointer b, NodePointer c);
GPU_API NodePointer where_node(DType result, NodePointer condition, NodePointer a, NodePointer b);
GPU_API NodePointer cast_node(DType result, NodePointer a);
[[nodiscard]] GPU_API const Shape& shape_of(const Node& node) noexcept;
GPU_API ArrayCore evaluate(const NodePointer& node);
/// The device of the expression's first array.
[[nodiscard]] GPU_API Device device_of(const NodePointer& node);
/// The elements in a window on the expression's value, in one kernel that computes no others: `window` is applied to
/// each array of the expression, broadcast.
GPU_API ArrayCore evaluate_window(const NodePointer& node, ArrayCore (*window)(const void*, const ArrayCore&),
                                  const void* parameters);
template <class Window>
ArrayCore evaluate_window(const NodePointer& node, const Window& window) {
    const auto apply = [](const void* parameters, const ArrayCore& core) {
        return (*static_cast<const Window*>(parameters))(core);
    };
    return evaluate_window(node, apply, &window);
}

template <class A>
struct OperandTraits {};
template <class T>
struct OperandTraits<Array<T>> {
    using element = Held<T>;
};
template <class T>
struct OperandTraits<View<T>> {
    using element = Held<T>;
};
template <class T>
struct OperandTraits<Expr<T>> {
    using element = T;
};
template <class T>
struct OperandTraits<Indexed<T>> {
    using element = std::remove_const_t<T>;
};
template <class T>
struct OperandTraits<Masked<T>> {
    using element = std::remove_const_t<T>;
};
template <class T>
struct OperandTraits<MaskedExpr<T>> {
    using element = T;
};

template <class A>
inline constexpr bool is_masked = false;
template <class T>
inline constexpr bool is_masked<Masked<T>> = true;
template <class T>
inline constexpr bool is_masked<MaskedExpr<T>> = true;

template <class A>
concept Lazy = requires { typename OperandTraits<A>::element; };
template <class A>
concept OperandLike = Lazy<A> || Arithmetic<A>;
// The types that functions and operators are declared for: arrays, and those rejected with a message rather than a list
// of candidates.
template <class A>
concept HasRunTimeType = std::is_same_v<A, AnyArray>;
template <class A>
concept ArrayLike = Lazy<A> || HasRunTimeType<A>;
template <class A>
concept TakenAsOperand = OperandLike<A> || HasRunTimeType<A>;
template <class A, class B>
concept Operands = TakenAsOperand<A> && TakenAsOperand<B> && (ArrayLike<A> || ArrayLike<B>);
template <class A, class B>
concept TypedOperands = Operands<A, B> && OperandLike<A> && OperandLike<B>;
// Elements under a mask. These concepts refine those above, so that gpu/masks.hpp's overloads are preferred: what
// has none there takes such elements as the array that they become.
template <class A>
concept MaskedLike = ArrayLike<A> && Lazy<A> && is_masked<A>;
template <class A, class B>
concept MaskedOperands = TypedOperands<A, B> && (is_masked<A> || is_masked<B>);
template <class A, class B>
concept RunTimeOperands = TakenAsOperand<A> && TakenAsOperand<B> && (HasRunTimeType<A> || HasRunTimeType<B>);
template <class A>
struct ElementOf : OperandTraits<A> {};
template <class A>
constexpr bool refuse_any_array() {
    static_assert(!HasRunTimeType<A>,
                  "an AnyArray's elements are known at run time only: write gpu::Array<float> y = any first, or "
                  "any.visit(f) with a function for every element type");
    return true;
}
template <HasRunTimeType A>
struct ElementOf<A> {  // float anyway, so that this is the only error
    using element = std::conditional_t<refuse_any_array<A>(), float, float>;
};
template <class A>
using LazyElement = typename ElementOf<A>::element;

template <class A>
concept HasCore = ArrayLike<A> && requires(const A& a) { a.core(); };
template <class A, class B>
concept TwoOperands = TakenAsOperand<A> && TakenAsOperand<B>;

// A literal never widens an array of its own kind: float_array * 2.0 stays float.
constexpr DType weaken(DType own, DType array) {
    if (array == DType::boolean) return own;
    if (is_complex(own)) return complex_dtype(array);
    if (is_floating(own) && is_integer(array)) return DType::float64;
    return array;
}
template <class A, class B>
constexpr DType common_dtype() {
    if constexpr (HasRunTimeType<A> || HasRunTimeType<B>) {
        return dtype_of<LazyElement<std::conditional_t<HasRunTimeType<A>, A, B>>>;
    } else if constexpr (Lazy<A> && Lazy<B>) {
        return promote_types(dtype_of<typename OperandTraits<A>::element>,
                             dtype_of<typename OperandTraits<B>::element>);
    } else if constexpr (!Lazy<A> && !Lazy<B>) {  // both are numbers: an integer takes the other's type
        if constexpr (is_integer(dtype_of<A>) || dtype_of<A> == DType::boolean)
            return weaken(dtype_of<A>, dtype_of<B>);
        else if constexpr (is_integer(dtype_of<B>) || dtype_of<B> == DType::boolean)
            return weaken(dtype_of<B>, dtype_of<A>);
        else
            return promote_types(dtype_of<A>, dtype_of<B>);
    } else if constexpr (Lazy<A>) {
        return weaken(dtype_of<B>, dtype_of<typename OperandTraits<A>::element>);
    } else {
        return weaken(dtype_of<A>, dtype_of<typename OperandTraits<B>::element>);
    }
}
template <class A, class B>
struct CommonOf;  // undefined, so that other types' operators are unaffected
template <class A, class B>
    requires TwoOperands<A, B>
struct CommonOf<A, B> {
    using type = typename CppType<common_dtype<A, B>()>::type;
};
template <class A, class B>
using Common = typename CommonOf<A, B>::type;
// bool counts as a small integer if NumPy's table has no bool.
constexpr DType counted(DType type) { return type == DType::boolean ? DType::int8 : type; }
constexpr DType floating(DType type) { return is_floating(type) || is_complex(type) ? type : DType::float64; }
template <class T>
using Floating = typename CppType<floating(dtype_of<T>)>::type;

template <class T>
NodePointer to_node(const Array<T>& a) {
    return leaf(a.core("an expression"));
}
template <class T>
NodePointer to_node(const View<T>& a) {
    return leaf(a.core("an expression"));
}
template <class T>
NodePointer to_node(const Expr<T>& a) {
    return a.node();
}
template <HasRunTimeType A>
NodePointer to_node(const A&) {
    static_assert(sizeof(LazyElement<A>) > 0);  // reports the error
    return {};
}
template <Arithmetic S>
NodePointer to_node(S value) {
    if constexpr (is_complex(dtype_of<S>))
        return scalar_node(dtype_of<S>, value.real(), value.imag());
    else if constexpr (is_floating(dtype_of<S>))
        return scalar_node(dtype_of<S>, static_cast<double>(value));
    else
        return scalar_node(dtype_of<S>, static_cast<std::int64_t>(value));
}

// A number as an element of type T. @throws DTypeError for one out of an integer type's range
template <class T, class S>
NodePointer element_node(const S& number, const char* operation) {
    if constexpr (Arithmetic<S>) {
        static_assert(!is_complex(dtype_of<S>) || is_complex(dtype_of<T>),
                      "the number is complex and the array's elements are real: write z.real()");
        if constexpr (is_integer(dtype_of<T>) && !std::is_same_v<S, T> && !is_complex(dtype_of<S>))
            return element_node(to_node(number), dtype_of<T>, operation);
        else if constexpr (!is_complex(dtype_of<S>) || is_complex(dtype_of<T>))
            return to_node(static_cast<T>(number));
        else
            return {};
    } else {
        return to_node(static_cast<T>(number));
    }
}

/// One of the two operands of an AnyArray's operator. The rules of typed operators are applied at run time.
struct RunTimeOperand {
    NodePointer node;
    DType dtype = DType::float32;
    bool is_number = false;  ///< takes the other operand's type
};
template <class A>
RunTimeOperand run_time_operand(const A& a) {
    if constexpr (HasRunTimeType<A>)
        return {leaf(a.core("an expression")), a.dtype(), false};
    else if constexpr (Lazy<A>)
        return {to_node(a), dtype_of<LazyElement<A>>, false};
    else
        return {to_node(a), dtype_of<A>, true};
}
/// Evaluated at once. @throws DTypeError where the typed operator wouldn't compile
GPU_API ArrayCore run_time_binary(Op op, const RunTimeOperand& a, const RunTimeOperand& b);
GPU_API ArrayCore run_time_unary(Op op, const ArrayCore& a);
GPU_API ArrayCore run_time_where(const NodePointer& condition, const RunTimeOperand& a, const RunTimeOperand& b);

template <class From, class To>
constexpr void check_cast() {
    static_assert(!is_complex(dtype_of<From>) || is_complex(dtype_of<To>) || dtype_of<To> == DType::boolean,
                  "complex numbers can't become real ones by astype: take gpu::real(z), gpu::imag(z) or gpu::abs(z)");
}

}  // namespace gpu::detail
/// @endcond
