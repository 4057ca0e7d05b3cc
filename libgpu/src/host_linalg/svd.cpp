// SPDX-License-Identifier: MIT
// Divide and conquer, for real matrices. Eigen 3.4's loses orthogonality where many singular values are equal (large
// matrices of rank 1, for one) and doesn't tell: what it gives is looked at, and Jacobi's method does what was wrong.
#include <Eigen/SVD>

#include <algorithm>
#include <limits>

#include "host_linalg/element.hpp"
#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

namespace {

bool are_orthonormal(const Dense& columns, Real bound) {
    Dense product = columns.transpose() * columns;
    product.diagonal().array() -= Element(1);
    return product.norm() <= bound;  // false for NaN too
}

// Written by a product of its own, not by what the decomposition has computed.
template <class Factors>
bool is_right(const ConstMap& a, const Factors& factors) {
    const Real bound = Real(4) * std::numeric_limits<Real>::epsilon() * static_cast<Real>(a.rows());
    const Eigen::Index n = a.cols();
    const Dense residual =
        a * factors.matrixV() - factors.matrixU().leftCols(n) * factors.singularValues().asDiagonal();
    return are_orthonormal(factors.matrixV(), bound) && are_orthonormal(factors.matrixU(), bound) &&
           residual.norm() <= bound * a.norm();
}

}  // namespace

template <>
Info svd<Element>(std::int64_t m, std::int64_t n, void* data, std::int64_t u_columns, void* u, void* s, void* vh) {
    // Vectors are always made: without them nobody could tell.
    const bool thin = u == nullptr || u_columns == n;
    const ConstMap a(static_cast<const Element*>(data), m, n);
    const Eigen::BDCSVD<Dense> factors(
        a, thin ? Eigen::ComputeThinU | Eigen::ComputeThinV : Eigen::ComputeFullU | Eigen::ComputeFullV);
    if (factors.info() != Eigen::Success || !is_right(a, factors)) {
        return svd_jacobi<Element>(m, n, data, u_columns, u, s, vh);
    }
    RealMap(static_cast<Real*>(s), n) = factors.singularValues();
    if (u == nullptr) return 0;
    map(u, m, u_columns) = factors.matrixU();
    map(vh, n, n) = factors.matrixV().transpose();
    return 0;
}

}  // namespace gpu::host_linalg
