// SPDX-License-Identifier: MIT
#include <Eigen/SVD>

#include "host_linalg/element.hpp"
#include "host_linalg/functions.hpp"

template class Eigen::JacobiSVD<gpu::host_linalg::Dense>;  // see jacobi_elsewhere.hpp

namespace gpu::host_linalg {

template <>
Info svd_jacobi<Element>(std::int64_t m, std::int64_t n, void* data, std::int64_t u_columns, void* u, void* s,
                         void* vh) {
    const unsigned wanted = u == nullptr     ? 0U
                            : u_columns == n ? Eigen::ComputeThinU | Eigen::ComputeThinV
                                             : Eigen::ComputeFullU | Eigen::ComputeFullV;
    const Eigen::JacobiSVD<Dense> factors(map(data, m, n), wanted);
    if (factors.info() != Eigen::Success) return 1;
    RealMap(static_cast<Real*>(s), n) = factors.singularValues();
    if (u == nullptr) return 0;
    map(u, m, u_columns) = factors.matrixU();
    map(vh, n, n) = factors.matrixV().adjoint();
    return 0;
}

}  // namespace gpu::host_linalg
