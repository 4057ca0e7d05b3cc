// SPDX-License-Identifier: MIT
// Complex matrices: reflections make them real and bidiagonal; the rest is real arithmetic.
#include <Eigen/SVD>

#include "host_linalg/element.hpp"
#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

namespace {

using RealDense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

constexpr std::int64_t small = 16;  // below it, divide and conquer uses Jacobi's method anyway

}  // namespace

template <>
Info svd<Element>(std::int64_t m, std::int64_t n, void* data, std::int64_t u_columns, void* u, void* s, void* vh) {
    if (n < small) return svd_jacobi<Element>(m, n, data, u_columns, u, s, vh);
    Map a = map(data, m, n);
    const Real largest = a.cwiseAbs().maxCoeff(), scale = largest > 0 ? largest : Real(1);
    a /= scale;  // squares neither overflow nor underflow
    Eigen::internal::UpperBidiagonalization<Dense> reflections(a);
    RealDense middle = reflections.bidiagonal().toDenseMatrix(), left, right;
    if (u != nullptr) {
        left.resize(n, n);
        right.resize(n, n);
    }
    const bool vectors = u != nullptr;
    const Info info =
        svd<Real>(n, n, middle.data(), n, vectors ? left.data() : nullptr, s, vectors ? right.data() : nullptr);
    if (info != 0) return info;
    RealMap(static_cast<Real*>(s), n) *= scale;
    if (!vectors) return 0;
    Dense made = Dense::Identity(m, u_columns);
    made.topLeftCorner(n, n) = left.template cast<Element>();
    made.applyOnTheLeft(reflections.householderU());
    map(u, m, u_columns) = made;
    made = right.transpose().template cast<Element>();
    made.applyOnTheLeft(reflections.householderV());
    map(vh, n, n) = made.adjoint();
    return 0;
}

}  // namespace gpu::host_linalg
