// SPDX-License-Identifier: MIT

// The program that was ported, as it runs on the CPU. The check runs the same lines in double.

#include <Eigen/Core>

namespace eigen_version {

/// c = a + b + sin(a), element by element. `Vector` is Eigen::VectorXf in your program.
template <class Vector>
Vector combine(const Vector& a, const Vector& b) {
    return a + b + a.array().sin().matrix();
}

/// The Euclidean norm of c.
template <class Vector>
typename Vector::Scalar combined_norm(const Vector& a, const Vector& b) {
    return combine(a, b).norm();
}

}  // namespace eigen_version
