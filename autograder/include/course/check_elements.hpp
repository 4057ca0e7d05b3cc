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

/// Elements of a result, for satisfies(): a Vector, a Matrix or a number.
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

}  // namespace course::detail
