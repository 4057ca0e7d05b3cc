// SPDX-License-Identifier: MIT

// The same functions in Eigen. The check runs them in double, and squared_diff in float as the baseline of speed.

#include <Eigen/Core>

namespace eigen_version {

template <class Array>
Array squared_diff(const Array& x, const Array& y) {
    return (x - y).square();
}

template <class Array>
Array millimetres(const Array& inches) {
    return typename Array::Scalar(25.4) * inches;
}

template <class Array>
Array shrink(const Array& x, typename Array::Scalar t) {
    return (x > t).select(x - t, (x < -t).select(x + t, 0));
}

template <class Matrix, class Vector>
Matrix weigh(const Matrix& counts, const Vector& weights) {
    return counts.rowwise() * weights.transpose();
}

}  // namespace eigen_version
