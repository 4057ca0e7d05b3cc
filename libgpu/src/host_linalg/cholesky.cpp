// SPDX-License-Identifier: MIT
// Blocked Cholesky. Eigen's own doesn't report which minor isn't positive, and accepts NaN.
#include <algorithm>
#include <cmath>

#include "host_linalg/element.hpp"
#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

namespace {

constexpr Eigen::Index block = 64;

// Factors a diagonal block, subtracting each column from those after it. Returns the column that fails, or -1.
template <class Block>
Eigen::Index factor(Block&& a) {
    const Eigen::Index n = a.rows();
    for (Eigen::Index k = 0; k < n; ++k) {
        const Real pivot = Eigen::numext::real(a(k, k));
        if (!(pivot > 0)) return k;
        const Real root = std::sqrt(pivot);
        a(k, k) = root;
        const Eigen::Index rest = n - k - 1;
        a.col(k).tail(rest) /= root;
        for (Eigen::Index j = k + 1; j < n; ++j) {
            a.col(j).tail(n - j) -= a.col(k).tail(n - j) * Eigen::numext::conj(a(j, k));
        }
    }
    return -1;
}

}  // namespace

template <>
Info cholesky<Element>(std::int64_t n, void* data) {
    Map a = map(data, n, n);
    for (Eigen::Index k = 0; k < n; k += block) {
        const Eigen::Index size = std::min<Eigen::Index>(block, n - k), rest = n - k - size;
        auto diagonal = a.block(k, k, size, size);
        if (const Eigen::Index failed = factor(diagonal); failed >= 0) return k + failed + 1;
        auto below = a.block(k + size, k, rest, size);
        if (rest == 0) break;
        diagonal.template triangularView<Eigen::Lower>().adjoint().template solveInPlace<Eigen::OnTheRight>(below);
        a.bottomRightCorner(rest, rest).template selfadjointView<Eigen::Lower>().rankUpdate(below, Real(-1));
    }
    return 0;
}

}  // namespace gpu::host_linalg
