// SPDX-License-Identifier: MIT

// The same functions in Eigen, which fuses as well: an expression is one loop. The check runs them in double, and
// distance in float as the baseline of speed.

#include <Eigen/Core>

namespace eigen_version {

template <class Array>
Array distance(const Array& x, const Array& y, typename Array::Scalar k) {
    return ((x - y).square() + k * x).sqrt();
}

template <class Array>
typename Array::Scalar misfit(const Array& x, const Array& y) {
    return (x - y).square().sum();
}

}  // namespace eigen_version
