// SPDX-License-Identifier: MIT
// Divide and conquer, for real matrices. Eigen 3.4's silently loses orthogonality where many singular values are equal
// (large matrices of rank 1, for one): its result is checked, and Jacobi's method replaces a wrong one.
#include "host_linalg/functions.hpp"
#include "host_linalg/jacobi_elsewhere.hpp"
#include "host_linalg/svd_check.hpp"

namespace gpu::host_linalg {

template <>
Info svd<Element>(std::int64_t m, std::int64_t n, void* data, std::int64_t u_columns, void* u, void* s, void* vh) {
    // Always computes vectors: the check needs them.
    const bool thin = u == nullptr || u_columns == n;
    const ConstMap a(static_cast<const Element*>(data), m, n);
    const Eigen::BDCSVD<Dense> factors(
        a, thin ? Eigen::ComputeThinU | Eigen::ComputeThinV : Eigen::ComputeFullU | Eigen::ComputeFullV);
    const bool is_right = factors.info() == Eigen::Success &&
                          is_svd<Element>(m, n, data, factors.matrixU().cols(), factors.matrixU().data(),
                                          factors.singularValues().data(), factors.matrixV().data());
    if (!is_right) {
        return svd_jacobi<Element>(m, n, data, u_columns, u, s, vh);
    }
    RealMap(static_cast<Real*>(s), n) = factors.singularValues();
    if (u == nullptr) return 0;
    map(u, m, u_columns) = factors.matrixU();
    map(vh, n, n) = factors.matrixV().transpose();
    return 0;
}

}  // namespace gpu::host_linalg
