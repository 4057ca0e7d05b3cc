// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

#include "property/reference.hpp"

/// The table of elementwise operations: how each is written, what libgpu makes of it, and what the reference says.
namespace property {

/// An operand of libgpu's operators: an expression of some dtype, or a number of a C++ type.
struct Value {
    int kind = 0;                        ///< a dtype, or dtype_count + a number's type
    gpu::detail::NodePointer node = {};  ///< of an expression
    double number = 0;
};
inline constexpr int number_kinds = 3;  ///< int, float, double
inline constexpr int operand_kinds = dtype_count + number_kinds;

template <int kind>
struct OperandOf {
    using type = gpu::Expr<typename gpu::detail::CppType<static_cast<gpu::DType>(kind)>::type>;
    static type make(const Value& value) { return type(value.node); }
};
template <class T>
struct NumberOf {
    using type = T;
    static type make(const Value& value) { return static_cast<T>(value.number); }
};
template <>
struct OperandOf<dtype_count> : NumberOf<int> {};
template <>
struct OperandOf<dtype_count + 1> : NumberOf<float> {};
template <>
struct OperandOf<dtype_count + 2> : NumberOf<double> {};

/// The dtype that the reference gives a number next to an array: it never widens an array of its own kind.
[[nodiscard]] gpu::DType number_beside(int number_kind, gpu::DType array);

/// The type in which an operation works, from its operands' common one.
enum class Working : std::uint8_t {
    common,
    counted,   ///< the common one, but int8 for bool
    floating,  ///< the common one; integers go through double
    boolean
};

/// The common types for which an operation is there. Others are refused by a static_assert, so nobody may even ask.
enum class Domain : std::uint8_t { all, numbers, real, real_numbers, floating, whole, whole_numbers };
constexpr bool is_in(Domain domain, gpu::DType type) {
    const bool is_bool = type == gpu::DType::boolean, is_complex = gpu::is_complex(type);
    const bool is_whole = !is_complex && !gpu::is_floating(type);
    switch (domain) {
        case Domain::all: return true;
        case Domain::numbers: return !is_bool;
        case Domain::real: return !is_complex;
        case Domain::real_numbers: return !is_complex && !is_bool;
        case Domain::floating: return gpu::is_floating(type);
        case Domain::whole: return is_whole;
        case Domain::whole_numbers: return is_whole && !is_bool;
    }
    return false;
}

/// One row of the table.
struct Operation {
    using Make = Value (*)(const Value*);
    using Reference = Element (*)(gpu::DType working, const Element*);

    std::string spelling;  ///< "gpu::atan2(a, b)": a, b and c stand for operands
    int arity = 1;
    Working working = Working::common;
    bool gives_boolean = false;
    Real ulps = 0.5L;             ///< of the result, in the working type
    int weight = 10;              ///< how often it is drawn
    bool gives_real = false;      ///< the real type of a complex one
    bool positive_right = false;  ///< an integer 0 (or -1) on the right isn't defined
    Reference reference = nullptr;
    std::vector<Make> make = {};  ///< by the operands' kinds; nullptr: not offered for them

    [[nodiscard]] Make find(const Value* operands) const;
    /// The dtype in which the reference works for these operands, and the result's.
    [[nodiscard]] gpu::DType working_type(const Value* operands) const;
    [[nodiscard]] gpu::DType result_type(const Value* operands) const;
    /// One element; `types` are the operands' dtypes.
    [[nodiscard]] Element evaluate(gpu::DType working_dtype, const gpu::DType* types, const Element* operands) const;
};

using Table = std::vector<Operation>;
/// All rows. Each file adds its own.
[[nodiscard]] const Table& operations();
void add_arithmetic(Table& table);
void add_comparisons(Table& table);
void add_functions(Table& table);
void add_integers(Table& table);
void add_math(Table& table);

/// Fills the table of a row from one generic lambda: whatever compiles is offered.
template <class F, class... K>
Value make_value(const Value* operands) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
        const auto result = F{}(K::make(operands[k])...);
        using T = typename std::remove_cvref_t<decltype(result)>::value_type;
        return Value{static_cast<int>(gpu::dtype_of<T>), result.node(), 0};
    }(std::make_index_sequence<sizeof...(K)>{});
}
template <int kind>
inline constexpr bool is_number = kind >= dtype_count;

/// The type that libgpu works in, or nothing where it isn't asked.
template <Domain domain, int... kinds>
constexpr bool is_offered() {
    if constexpr ((... && is_number<kinds>))
        return false;  // C++'s own operators
    else if constexpr (sizeof...(kinds) == 1)
        return (is_in(domain, static_cast<gpu::DType>(kinds)) && ...);
    else
        return is_in(domain, gpu::detail::common_dtype<typename OperandOf<kinds>::type...>());
}
template <class F, Domain domain, int... kinds>
constexpr Operation::Make maker() {
    if constexpr (is_offered<domain, kinds...>())
        return &make_value<F, OperandOf<kinds>...>;
    else
        return nullptr;
}
template <Domain domain, class F>
std::vector<Operation::Make> unary_makers(F) {
    return []<std::size_t... k>(std::index_sequence<k...>) {
        return std::vector<Operation::Make>{maker<F, domain, static_cast<int>(k)>()...};
    }(std::make_index_sequence<static_cast<std::size_t>(dtype_count)>{});
}
template <Domain domain, class F>
std::vector<Operation::Make> binary_makers(F) {
    constexpr std::size_t n = static_cast<std::size_t>(operand_kinds);
    return []<std::size_t... k>(std::index_sequence<k...>) {
        return std::vector<Operation::Make>{maker<F, domain, static_cast<int>(k / n), static_cast<int>(k % n)>()...};
    }(std::make_index_sequence<n * n>{});
}
/// The first operand is a condition.
template <class F>
struct Choice {
    template <int left, int right>
    static constexpr Operation::Make make() {
        if constexpr (is_offered<Domain::all, left, right>())
            return &make_value<F, OperandOf<0>, OperandOf<left>, OperandOf<right>>;
        else
            return nullptr;
    }
};
template <class F>
std::vector<Operation::Make> choice_makers(F) {
    constexpr std::size_t n = static_cast<std::size_t>(operand_kinds);
    return []<std::size_t... k>(std::index_sequence<k...>) {
        return std::vector<Operation::Make>{
            Choice<F>::template make<static_cast<int>(k / n), static_cast<int>(k % n)>()...};
    }(std::make_index_sequence<n * n>{});
}

// NOLINTBEGIN(cppcoreguidelines-macro-usage): a row is one line; the expression is also its own spelling
#define PROPERTY_UNARY(expression, domain, working_, ulps_, reference_)                  \
    table.push_back({#expression, 1, working_, false, ulps_, 10, false, false,           \
                     +[](gpu::DType working_type_, const Element* operands) -> Element { \
                         return (reference_)(working_type_, operands[0]);                \
                     },                                                                  \
                     unary_makers<domain>([](const auto& a) { return expression; })});
#define PROPERTY_BINARY(expression, domain, working_, ulps_, reference_)                 \
    table.push_back({#expression, 2, working_, false, ulps_, 10, false, false,           \
                     +[](gpu::DType working_type_, const Element* operands) -> Element { \
                         return (reference_)(working_type_, operands[0], operands[1]);   \
                     },                                                                  \
                     binary_makers<domain>([](const auto& a, const auto& b) { return expression; })});
// NOLINTEND(cppcoreguidelines-macro-usage)

}  // namespace property
