// SPDX-License-Identifier: MIT
#pragma once

// The elements of expected values and of results. Part of check.hpp.

#include <cstring>
#include <type_traits>

#include <course/check_values.hpp>

namespace course::detail {

/// Calls use(at), where at(i) is the i-th element in row-major order, in double. The evaluator is made once, as that of
/// a matrix product or a reduction computes all of it.
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

/// Elements of a result, for satisfies(): a Vector, a Matrix, a std::vector of matrices or a number.
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
