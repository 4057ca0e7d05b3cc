// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/expression.hpp>

/// @file
/// Lazy elementwise operators, also under NumPy's names, add() and so on. Two arrays promote as in NumPy (int32 +
/// float32 is float64), a number takes the array's type (float_array * 2.0 stays float). Integers divide as in C++ and
/// wrap around on overflow; dividing one by 0 gives 0, on every device. A number out of the range of an integer array's
/// type is a DTypeError, also where it is assigned.
///
/// In-place operators such as `x += y` run as one kernel, whatever overlaps. The element type stays, and the right side
/// broadcasts to the shape of the left one.
///
/// With an AnyArray, the same rules apply when the program runs: the result is an AnyArray, computed at once, and what
/// wouldn't compile with typed arrays is a DTypeError.
/// @snippet public/exchange/any_array_test.cpp operators

namespace gpu {

/// @cond internal
namespace detail {
template <class T, class R>
void update(const ArrayCore& core, const Expr<R>& value) {
    static_assert(std::is_same_v<T, R>,
                  "the result has other elements than the array, and an operator in place can't "
                  "change them: write x = (x + y).astype<T>(), or gpu::Array<R> z = x + y");
    ArrayCore target = core;
    assign(target, value.node(), false);
}
// An operand in place of an array's own: elements under a mask as an array of them.
template <class B>
decltype(auto) in_place_operand(const B& b) {
    if constexpr (is_masked<B>)
        return b.compress();
    else
        return (b);
}
template <class T>
void update(const ArrayCore& core, const AnyArray& value) {
    ArrayCore target = core;
    assign(target, leaf(same_elements(value.core(), dtype_of<T>)), false);
}
}  // namespace detail
/// @endcond

#define GPU_UPDATE(symbol)                                                               \
    template <Element T, detail::TakenAsOperand B>                                       \
    Array<T>& operator symbol##=(Array<T>& a, const B& b) {                              \
        detail::update<T>(a.core(#symbol "="), a symbol detail::in_place_operand(b));    \
        return a;                                                                        \
    }                                                                                    \
    template <class T, detail::TakenAsOperand B>                                         \
    View<T> operator symbol##=(View<T> a, const B& b) {                                  \
        static_assert(!std::is_const_v<T>, "a View<const T> only reads");                \
        detail::update<T>(a.core(), a symbol detail::in_place_operand(b));               \
        return a;                                                                        \
    }                                                                                    \
    template <detail::TakenAsOperand B>                                                  \
    AnyArray& operator symbol##=(AnyArray& a, const B& b) {                              \
        const AnyArray result = a symbol detail::in_place_operand(b);                    \
        return a = AnyArray(detail::same_elements(result.core(#symbol "="), a.dtype())); \
    }
GPU_UPDATE(+)
GPU_UPDATE(-)
GPU_UPDATE(*)
GPU_UPDATE(/)
GPU_UPDATE(%)
GPU_UPDATE(&)
GPU_UPDATE(|)
GPU_UPDATE(^)
GPU_UPDATE(<<)
GPU_UPDATE(>>)
#undef GPU_UPDATE

/// @cond internal
namespace detail {

template <DType result, class A, class B>
auto binary(Op op, DType operands, const A& a, const B& b) {
    return Expr<typename CppType<result>::type>(node(op, result, operands, to_node(a), to_node(b)));
}
template <DType result, class A>
auto unary(Op op, const A& a) {
    return Expr<typename CppType<result>::type>(node(op, result, cast_node(result, to_node(a))));
}

// Types that can't be operands: the error names them, instead of listing all operators that don't match.
template <class B>
concept HostData = !TakenAsOperand<B> && (requires(const B& b) { b.data() + b.size(); } || HostMatrix<B>);
template <class A, class B>
concept Misfits = (Lazy<A> && HostData<B>) || (Lazy<B> && HostData<A>);
// a < x < b, which C++ reads as (a < x) < b.
template <class A, class B>
inline constexpr bool is_chained = (std::is_same_v<A, Expr<bool>> && std::is_arithmetic_v<B>) ||
                                   (std::is_arithmetic_v<A> && std::is_same_v<B, Expr<bool>>);
// s += x, of a number and an array.
template <class A, class B>
concept NumberUpdate = std::is_arithmetic_v<A> && Lazy<B>;
// Returns what the array itself would, so that this is the only error.
template <class A, class B>
auto refused() {
    static_assert(!Misfits<A, B>,
                  "one operand is on the device, the other on the host: write gpu::to_device(h) or gpu::to_host(x)");
    return Expr<LazyElement<std::conditional_t<Lazy<A>, A, B>>>({});
}
template <class A, class B>
void refuse_update() {
    static_assert(!Misfits<A, B>,
                  "one operand is on the device, the other on the host: write gpu::to_device(h) or gpu::to_host(x)");
    static_assert(!NumberUpdate<A, B>,
                  "an array isn't a number: .item() fetches its only element, as in s += gpu::sum(x).item()");
}

}  // namespace detail
/// @endcond

#define GPU_REFUSED_UPDATE(symbol)                                                                              \
    template <class A, class B>                                                                                 \
        requires(detail::Misfits<std::remove_cvref_t<A>, B> || detail::NumberUpdate<std::remove_cvref_t<A>, B>) \
    A&& operator symbol(A&& a, const B&) {                                                                      \
        detail::refuse_update<std::remove_cvref_t<A>, B>();                                                     \
        return static_cast<A&&>(a);                                                                             \
    }
GPU_REFUSED_UPDATE(+=)
GPU_REFUSED_UPDATE(-=)
GPU_REFUSED_UPDATE(*=)
GPU_REFUSED_UPDATE(/=)
#undef GPU_REFUSED_UPDATE

#define GPU_REFUSED(symbol)                    \
    template <class A, class B>                \
        requires detail::Misfits<A, B>         \
    auto operator symbol(const A&, const B&) { \
        return detail::refused<A, B>();        \
    }

#define GPU_BINARY(symbol, ...)                                                           \
    template <class A, class B>                                                           \
        requires detail::TypedOperands<A, B>                                              \
    [[nodiscard]] auto operator symbol(const A& a, const B& b) {                          \
        constexpr DType common = detail::common_dtype<A, B>();                            \
        [[maybe_unused]] constexpr bool is_bool = common == DType::boolean;               \
        [[maybe_unused]] constexpr bool is_whole = is_bool || detail::is_integer(common); \
        using detail::Op;                                                                 \
        __VA_ARGS__                                                                       \
    }                                                                                     \
    GPU_REFUSED(symbol)
GPU_BINARY(+, return detail::binary<common>(Op::add, common, a, b);)
GPU_BINARY(-, static_assert(!is_bool, "bools don't subtract: write a ^ b, which is true where they differ");
           return detail::binary<common>(Op::subtract, common, a, b);)
GPU_BINARY(*, return detail::binary<common>(Op::multiply, common, a, b);)
GPU_BINARY(/, constexpr DType type = detail::counted(common);
           return detail::binary<type>(is_whole ? Op::integer_divide : Op::divide, type, a, b);)
GPU_BINARY(%, static_assert(!is_complex(common), "complex numbers have no remainder");
           constexpr DType type = detail::counted(common); return detail::binary<type>(Op::modulo, type, a, b);)

#define GPU_BITWISE(symbol, op, rest)                                                                               \
    GPU_BINARY(symbol, static_assert(is_whole, "bits are those of integers and bools: write x.astype<int>()" rest); \
               return detail::binary<common>(Op::op, common, a, b);)
GPU_BITWISE(&, bitwise_and, "")
GPU_BITWISE(|, bitwise_or, "")
GPU_BITWISE(^, bitwise_xor, "; a power is gpu::pow(x, 2), as ^ is exclusive or in C++")
#undef GPU_BITWISE
#define GPU_SHIFT(symbol, op)                                                                        \
    GPU_BINARY(symbol, static_assert(is_whole, "bits are those of integers: write x.astype<int>()"); \
               constexpr DType type = detail::counted(common); return detail::binary<type>(Op::op, type, a, b);)
GPU_SHIFT(<<, left_shift)
GPU_SHIFT(>>, right_shift)
#undef GPU_SHIFT

#define GPU_COMPARE(symbol, op) GPU_BINARY(symbol, return detail::binary<DType::boolean>(Op::op, common, a, b);)
#define GPU_ORDER(symbol, op)                                                                                    \
    GPU_BINARY(symbol, static_assert(!is_complex(common), "complex numbers have no order: compare gpu::abs(z)"); \
               static_assert(!detail::is_chained<A, B>,                                                          \
                             "a < x < b compares the truth of a < x with b: write (a < x) && (x < b)");          \
               return detail::binary<DType::boolean>(Op::op, common, a, b);)
GPU_COMPARE(==, equal)
GPU_COMPARE(!=, not_equal)
GPU_ORDER(<, less)
GPU_ORDER(<=, less_equal)
GPU_ORDER(>, greater)
GPU_ORDER(>=, greater_equal)
#undef GPU_COMPARE
#undef GPU_ORDER
#define GPU_LOGICAL(symbol, op) GPU_BINARY(symbol, return detail::binary<DType::boolean>(Op::op, DType::boolean, a, b);)
GPU_LOGICAL(&&, logical_and)
GPU_LOGICAL(||, logical_or)
#undef GPU_LOGICAL
#undef GPU_BINARY
#undef GPU_REFUSED

#define GPU_RUN_TIME(symbol, op)                                                                                \
    template <class A, class B>                                                                                 \
        requires detail::RunTimeOperands<A, B>                                                                  \
    [[nodiscard]] AnyArray operator symbol(const A& a, const B& b) {                                            \
        return AnyArray(                                                                                        \
            detail::run_time_binary(detail::Op::op, detail::run_time_operand(a), detail::run_time_operand(b))); \
    }
GPU_RUN_TIME(+, add)
GPU_RUN_TIME(-, subtract)
GPU_RUN_TIME(*, multiply)
GPU_RUN_TIME(/, divide)
GPU_RUN_TIME(%, modulo)
GPU_RUN_TIME(&, bitwise_and)
GPU_RUN_TIME(|, bitwise_or)
GPU_RUN_TIME(^, bitwise_xor)
GPU_RUN_TIME(<<, left_shift)
GPU_RUN_TIME(>>, right_shift)
GPU_RUN_TIME(==, equal)
GPU_RUN_TIME(!=, not_equal)
GPU_RUN_TIME(<, less)
GPU_RUN_TIME(<=, less_equal)
GPU_RUN_TIME(>, greater)
GPU_RUN_TIME(>=, greater_equal)
GPU_RUN_TIME(&&, logical_and)
GPU_RUN_TIME(||, logical_or)
#undef GPU_RUN_TIME

[[nodiscard]] inline AnyArray operator-(const AnyArray& a) {
    return AnyArray(detail::run_time_unary(detail::Op::negate, a.core("-")));
}
[[nodiscard]] inline AnyArray operator+(const AnyArray& a) { return a.copy(); }
[[nodiscard]] inline AnyArray operator!(const AnyArray& a) {
    return AnyArray(detail::run_time_unary(detail::Op::logical_not, a.core("!")));
}
[[nodiscard]] inline AnyArray operator~(const AnyArray& a) {
    return AnyArray(detail::run_time_unary(detail::Op::bitwise_not, a.core("~")));
}

template <detail::Lazy A>
[[nodiscard]] auto operator-(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    static_assert(type != DType::boolean, "a bool has no negative: write !a");
    return detail::unary<type>(detail::Op::negate, a);
}
template <detail::Lazy A>
[[nodiscard]] auto operator+(const A& a) {
    return Expr<detail::LazyElement<A>>(detail::to_node(a));
}
template <detail::Lazy A>
[[nodiscard]] auto operator!(const A& a) {
    return detail::unary<DType::boolean>(detail::Op::logical_not, a);
}
/// Bitwise NOT; for bools the same as `!`.
template <detail::Lazy A>
[[nodiscard]] auto operator~(const A& a) {
    constexpr DType type = dtype_of<detail::LazyElement<A>>;
    static_assert(type == DType::boolean || detail::is_integer(type), "bits are those of integers and bools");
    return detail::unary<type>(type == DType::boolean ? detail::Op::logical_not : detail::Op::bitwise_not, a);
}

/// `a` where the condition holds, otherwise `b`. Both may be numbers.
/// @snippet public/math_test.cpp where
template <detail::Lazy C, detail::OperandLike A, detail::OperandLike B>
[[nodiscard]] auto where(const C& condition, const A& a, const B& b) {
    using T = detail::Common<A, B>;
    return Expr<T>(detail::where_node(dtype_of<T>, detail::to_node(condition), detail::to_node(a), detail::to_node(b)));
}

/// With an AnyArray among the three, evaluated at once. @snippet public/exchange/any_array_test.cpp sorting
template <class C, class A, class B>
    requires(detail::ArrayLike<C> && detail::TakenAsOperand<A> && detail::TakenAsOperand<B> &&
             (detail::HasRunTimeType<C> || detail::HasRunTimeType<A> || detail::HasRunTimeType<B>))
[[nodiscard]] AnyArray where(const C& condition, const A& a, const B& b) {
    return AnyArray(detail::run_time_where(detail::run_time_operand(condition).node, detail::run_time_operand(a),
                                           detail::run_time_operand(b)));
}

}  // namespace gpu

#include <gpu/math.hpp>

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

/// The elements in another type, see Expr::astype; for code written once for arrays, views and expressions.
template <Arithmetic U, detail::ArrayLike A>
[[nodiscard]] Expr<ArrayElement<U>> astype(const A& a) {
    return Expr<detail::LazyElement<A>>(detail::to_node(a)).template astype<U>();
}

}  // namespace gpu
