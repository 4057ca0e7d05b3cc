// SPDX-License-Identifier: MIT
// LU with partial pivoting, by blocks of columns, with LAPACK's pivots and info codes.
#include <algorithm>
#include <cmath>

#include "host_linalg/element.hpp"
#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

namespace {

constexpr Eigen::Index block = 48;

// LAPACK's measure of a pivot: |re| + |im|.
Real size_of(const Element& value) {
    return std::abs(Eigen::numext::real(value)) + std::abs(Eigen::numext::imag(value));
}

// Factors columns [first, first + width) of `a` from row `first` on; exchanges rows in these columns alone.
Info factor_columns(Map& a, Eigen::Index first, Eigen::Index width, std::int32_t* pivots) {
    const Eigen::Index n = a.rows();
    Info info = 0;
    for (Eigen::Index k = first; k < first + width; ++k) {
        Eigen::Index best = k;
        for (Eigen::Index row = k + 1; row < n; ++row) {
            if (size_of(a(row, k)) > size_of(a(best, k))) best = row;
        }
        pivots[k] = static_cast<std::int32_t>(best + 1);
        if (a(best, k) == Element(0)) {
            if (info == 0) info = k + 1;
            continue;
        }
        const Eigen::Index after = first + width - k - 1, below = n - k - 1;
        if (best != k) a.row(k).segment(first, width).swap(a.row(best).segment(first, width));
        a.col(k).tail(below) /= Element(a(k, k));
        for (Eigen::Index j = k + 1; j <= k + after; ++j)
            a.col(j).tail(below) -= a.col(k).tail(below) * Element(a(k, j));
    }
    return info;
}

}  // namespace

template <>
Info lu<Element>(std::int64_t n, void* data, std::int32_t* pivots) {
    Map a = map(data, n, n);
    Info info = 0;
    for (Eigen::Index first = 0; first < n; first += block) {
        const Eigen::Index width = std::min<Eigen::Index>(block, n - first), next = first + width, rest = n - next;
        const Info found = factor_columns(a, first, width, pivots);
        if (info == 0) info = found;
        for (Eigen::Index k = first; k < next; ++k) {
            const Eigen::Index other = pivots[k] - 1;
            if (other == k) continue;
            a.row(k).head(first).swap(a.row(other).head(first));
            a.row(k).tail(rest).swap(a.row(other).tail(rest));
        }
        if (rest == 0) break;
        auto right = a.block(first, next, width, rest);
        a.block(first, first, width, width).template triangularView<Eigen::UnitLower>().solveInPlace(right);
        a.bottomRightCorner(rest, rest).noalias() -= a.block(next, first, rest, width) * right;
    }
    return info;
}

template <>
void lu_solve<Element>(std::int64_t n, const void* lu_data, const std::int32_t* pivots, std::int64_t columns,
                       void* b_data) {
    const ConstMap a(static_cast<const Element*>(lu_data), n, n);
    Map b = map(b_data, n, columns);
    for (Eigen::Index k = 0; k < n; ++k) {
        if (pivots[k] - 1 != k) b.row(k).swap(b.row(pivots[k] - 1));
    }
    a.template triangularView<Eigen::UnitLower>().solveInPlace(b);
    a.template triangularView<Eigen::Upper>().solveInPlace(b);
}

}  // namespace gpu::host_linalg
