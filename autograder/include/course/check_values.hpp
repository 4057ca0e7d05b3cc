// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

// Arrays of a check, and how they become the grader's values. Part of check.hpp.
// A check that confuses sizes is reported; it doesn't abort the grader.
#ifndef eigen_assert
#define eigen_assert(condition)                                                                     \
    do {                                                                                            \
        if (!(condition)) throw ::course::CheckError("Eigen, in check.cpp: not true: " #condition); \
    } while (false)
#endif

#include <course/check_host.hpp>

#include <Eigen/Core>

namespace course {

/// A dense 1-D array.
template <class T>
using Vector = Eigen::Array<T, Eigen::Dynamic, 1>;

/// A dense 2-D array in the row-major order that the kernels of the course use.
template <class T>
using Matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// An argument that the function changes in place; its new values follow the returned ones.
template <class T>
struct InPlace {
    const T& value;
};
template <class T>
InPlace<T> in_place(const T& value) {
    return {value};
}

namespace detail {

template <class T>
inline constexpr bool is_eigen = std::is_base_of_v<Eigen::EigenBase<T>, T>;

template <class T>
inline constexpr bool is_std_vector = false;
template <class T>
inline constexpr bool is_std_vector<std::vector<T>> = true;

/// Matrices of one shape: an array of rank 3.
template <class T>
inline constexpr bool is_stack = false;
template <class T>
inline constexpr bool is_stack<std::vector<Matrix<T>>> = true;

template <class T>
inline constexpr bool is_in_place = false;
template <class T>
inline constexpr bool is_in_place<InPlace<T>> = true;

/// A number, a std::vector (of numbers, or of matrices) or an Eigen expression.
template <class T>
concept Checkable = std::is_arithmetic_v<T> || is_std_vector<T> || is_eigen<T>;

/// True if the grader sees it as one-dimensional: columns and rows known as such at compile time.
template <class T>
inline constexpr bool is_eigen_vector = T::ColsAtCompileTime == 1 || T::RowsAtCompileTime == 1;

template <class T>
constexpr ElementType element_type() {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "no element type of the course");
    if constexpr (std::same_as<T, bool>) return ElementType::boolean;
    if constexpr (std::floating_point<T>) return sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;
    const int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    const ElementType first = std::is_signed_v<T> ? ElementType::int8 : ElementType::uint8;
    return static_cast<ElementType>(static_cast<int>(first) + width);
}

inline CheckValue pack_bytes(ElementType type, std::vector<std::int64_t> shape, const void* data, std::size_t bytes) {
    const auto* first = static_cast<const std::byte*>(data);
    return {type, std::move(shape), Bytes(first, first + bytes)};
}

/// @throws CheckError if the matrices have different shapes.
template <class T>
std::vector<std::int64_t> shape_of_stack(const std::vector<Matrix<T>>& stack) {
    if (stack.empty()) return {0, 0, 0};
    for (const Matrix<T>& one : stack)
        if (one.rows() != stack[0].rows() || one.cols() != stack[0].cols())
            throw CheckError("matrices of one array have different shapes");
    return {static_cast<std::int64_t>(stack.size()), stack[0].rows(), stack[0].cols()};
}

/// A value's shape for the grader.
template <Checkable T>
std::vector<std::int64_t> shape_of(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) return {};
    else if constexpr (is_stack<T>) return shape_of_stack(value);
    else if constexpr (is_std_vector<T>) return {static_cast<std::int64_t>(value.size())};
    else if constexpr (is_eigen_vector<T>) return {value.size()};
    else return {value.rows(), value.cols()};
}

/// The value's elements, row-major.
template <class T>
CheckValue pack(const T& value) {
    if constexpr (is_in_place<T>) {
        CheckValue packed = pack(value.value);
        packed.in_place = true;
        return packed;
    } else if constexpr (std::is_arithmetic_v<T>) {
        return pack_bytes(element_type<T>(), {}, &value, sizeof value);
    } else if constexpr (is_stack<T>) {
        using Element = typename T::value_type::Scalar;
        const std::vector<std::int64_t> shape = shape_of(value);
        const auto each = static_cast<std::size_t>(shape[1] * shape[2]) * sizeof(Element);
        Bytes bytes(value.size() * each);
        for (std::size_t k = 0; each > 0 && k < value.size(); ++k)
            std::memcpy(bytes.data() + k * each, value[k].data(), each);
        return {element_type<Element>(), shape, std::move(bytes)};
    } else if constexpr (is_std_vector<T>) {
        static_assert(!std::same_as<T, std::vector<bool>>, "use Vector<bool>: std::vector<bool> has no array of bool");
        using Element = typename T::value_type;
        return pack_bytes(element_type<Element>(), shape_of(value), value.data(), value.size() * sizeof(Element));
    } else {
        static_assert(Checkable<T>,
                      "an argument is a number, a std::vector (of numbers or of matrices) or an Eigen expression");
        using Element = typename T::Scalar;
        if constexpr (std::same_as<T, Vector<Element>> || std::same_as<T, Matrix<Element>>) {
            const auto bytes = static_cast<std::size_t>(value.size()) * sizeof(Element);
            return pack_bytes(element_type<Element>(), shape_of(value), value.data(), bytes);
        } else if constexpr (is_eigen_vector<T>) {
            return pack(Vector<Element>(value.reshaped().array()));
        } else {
            return pack(Matrix<Element>(value.derived().array()));
        }
    }
}

/// The same for the duration of one call, without copying a large array.
template <class T>
CheckValue lend(const T& value) {
    if constexpr (is_eigen<T>) {
        using Element = typename T::Scalar;
        if constexpr (std::same_as<T, Vector<Element>> || std::same_as<T, Matrix<Element>>) {
            if (value.size() > max_analysed)
                return {.type = element_type<Element>(),
                        .shape = shape_of(value),
                        .bytes = {},
                        .lent = std::as_bytes(std::span(value.data(), static_cast<std::size_t>(value.size())))};
        }
    }
    return pack(value);
}

}  // namespace detail
}  // namespace course

// The elements of expected values and of results. Part of check.hpp.
namespace course::detail {

/// Calls use(at), where at(i) is the i-th element in row-major order, in double. Builds the evaluator only once,
/// because a matrix product's or a reduction's computes everything.
template <class T, class Use>
void with_elements(const T& value, const Use& use) {
    if constexpr (std::is_arithmetic_v<T>) {
        use([number = static_cast<double>(value)](std::int64_t) { return number; });
    } else if constexpr (is_stack<T>) {
        const std::int64_t each = value.empty() ? 1 : value[0].size();
        use([&value, each](std::int64_t i) {
            return static_cast<double>(value[static_cast<std::size_t>(i / each)].data()[i % each]);
        });
    } else if constexpr (is_std_vector<T>) {
        use([&](std::int64_t i) { return static_cast<double>(value[static_cast<std::size_t>(i)]); });
    } else {
        const Eigen::internal::evaluator<T> elements(value.derived());
        const std::int64_t columns = value.cols();
        if constexpr (T::ColsAtCompileTime == 1)
            use([&](std::int64_t i) { return static_cast<double>(elements.coeff(i, 0)); });
        else if constexpr (T::RowsAtCompileTime == 1)
            use([&](std::int64_t i) { return static_cast<double>(elements.coeff(0, i)); });
        else
            use([&](std::int64_t i) { return static_cast<double>(elements.coeff(i / columns, i % columns)); });
    }
}

/// A result as satisfies() passes it: a Vector, a Matrix, a std::vector of matrices or a number.
template <class T>
struct Unpack;
template <class T>
    requires std::is_arithmetic_v<T>
struct Unpack<T> {
    using Element = T;
    static constexpr int rank = 0;
    static T from(const CheckValue& value) {
        T number;
        std::memcpy(&number, value.bytes.data(), sizeof number);
        return number;
    }
};
template <class T>
struct Unpack<Vector<T>> {
    using Element = T;
    static constexpr int rank = 1;
    static Vector<T> from(const CheckValue& value) {
        Vector<T> array(value.shape[0]);
        if (array.size() > 0) std::memcpy(array.data(), value.bytes.data(), value.bytes.size());
        return array;
    }
};
template <class T>
struct Unpack<Matrix<T>> {
    using Element = T;
    static constexpr int rank = 2;
    static Matrix<T> from(const CheckValue& value) {
        Matrix<T> array(value.shape[0], value.shape[1]);
        if (array.size() > 0) std::memcpy(array.data(), value.bytes.data(), value.bytes.size());
        return array;
    }
};

template <class T>
struct Unpack<std::vector<Matrix<T>>> {
    using Element = T;
    static constexpr int rank = 3;
    static std::vector<Matrix<T>> from(const CheckValue& value) {
        const Matrix<T> one(value.shape[1], value.shape[2]);
        std::vector<Matrix<T>> stack(static_cast<std::size_t>(value.shape[0]), one);
        const auto each = static_cast<std::size_t>(value.shape[1] * value.shape[2]) * sizeof(T);
        for (std::size_t k = 0; each > 0 && k < stack.size(); ++k)
            std::memcpy(stack[k].data(), value.bytes.data() + k * each, each);
        return stack;
    }
};

}  // namespace course::detail

// How far a result may be from the expected value. Part of check.hpp.
namespace course {

/// |got - want| <= absolute + relative * |want|.
struct Tolerance {
    double absolute = 0, relative = 0;
};

/// A separate bound for each element: |got - want| <= bound.
template <class T>
struct ElementTolerance {
    const T& bound;
};

/// Exactly equal: integers, copies.
inline constexpr Tolerance exact{};

/// n units in the last place of T, relative to the expected value: the rounding of n operations.
template <class T = float>
constexpr Tolerance ulps(double n) {
    return {.absolute = n * static_cast<double>(std::numeric_limits<T>::denorm_min()),
            .relative = n * static_cast<double>(std::numeric_limits<T>::epsilon())};
}

/// The same absolute bound for all elements, or an Eigen expression with one per element.
constexpr Tolerance within(double bound) { return {.absolute = bound, .relative = 0}; }
template <class T>
    requires detail::is_eigen<T>
ElementTolerance<T> within(const T& bounds) {
    return {bounds};
}

/// The error that a sum of float values may have if it is added up as a tree: 4 eps log2(n) sum |x|. A single float
/// accumulator over many elements exceeds it.
template <class T>
double sum_bound(const T& x) {
    const auto n = static_cast<double>(std::max<std::int64_t>(x.size(), 2));
    return 4 * static_cast<double>(std::numeric_limits<float>::epsilon()) * std::log2(n) *
           x.template cast<double>().abs().sum();
}

/// The error that a sum of float values may have if they are added one by one in any order (an accumulator, atomicAdd):
/// 4 eps sqrt(n) sum |x|, as rounding errors of both signs cancel in part. Use it with positive values: a sum near 0
/// would let 0 pass.
template <class T>
double accumulation_bound(const T& x) {
    const auto n = static_cast<double>(std::max<std::int64_t>(x.size(), 2));
    return 4 * static_cast<double>(std::numeric_limits<float>::epsilon()) * std::sqrt(n) *
           x.template cast<double>().abs().sum();
}

namespace detail {

template <class T>
inline constexpr bool is_tolerance = std::is_same_v<T, Tolerance>;
template <class T>
inline constexpr bool is_tolerance<ElementTolerance<T>> = true;

}  // namespace detail
}  // namespace course
