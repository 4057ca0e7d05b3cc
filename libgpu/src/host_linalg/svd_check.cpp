// SPDX-License-Identifier: MIT
// Checks a decomposition by multiplying it out, relying on nothing that the decomposition computed on the way.
#include "host_linalg/svd_check.hpp"

#include <limits>

#include "host_linalg/element.hpp"

namespace gpu::host_linalg {

namespace {

bool are_orthonormal(const ConstMap& columns, Real bound) {
    Dense product = columns.transpose() * columns;
    product.diagonal().array() -= Element(1);
    return product.norm() <= bound;  // false for NaN too
}

}  // namespace

template <>
bool is_svd<Element>(std::int64_t m, std::int64_t n, const void* a_data, std::int64_t u_columns, const void* u_data,
                     const void* s_data, const void* v_data) {
    const Real bound = Real(4) * std::numeric_limits<Real>::epsilon() * static_cast<Real>(m);
    const ConstMap a(static_cast<const Element*>(a_data), m, n), v(static_cast<const Element*>(v_data), n, n);
    const ConstMap u(static_cast<const Element*>(u_data), m, u_columns);
    const Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, 1>> s(static_cast<const Real*>(s_data), n);
    const Dense residual = a * v - u.leftCols(n) * s.asDiagonal();
    return are_orthonormal(v, bound) && are_orthonormal(u, bound) && residual.norm() <= bound * a.norm();
}

}  // namespace gpu::host_linalg
