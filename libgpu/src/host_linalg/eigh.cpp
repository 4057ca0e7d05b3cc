// SPDX-License-Identifier: MIT
#include <Eigen/Eigenvalues>

#include "host_linalg/element.hpp"
#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

template <>
Info eigh<Element>(std::int64_t n, void* data, void* values, bool vectors) {
    Map a = map(data, n, n);
    const Eigen::SelfAdjointEigenSolver<Dense> solver(a, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success) return 1;
    RealMap(static_cast<Real*>(values), n) = solver.eigenvalues();
    if (vectors) a = solver.eigenvectors();
    return 0;
}

}  // namespace gpu::host_linalg
