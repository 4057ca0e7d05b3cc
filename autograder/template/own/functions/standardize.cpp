// SPDX-License-Identifier: MIT
// Each element less the mean, in standard deviations: two reductions, and an expression of their results.

#include <cmath>

#include <Eigen/Dense>

Eigen::VectorXf standardize(const Eigen::VectorXf& x) {
    const Eigen::ArrayXf rest = x.array() - x.mean();
    return rest / std::sqrt(rest.square().mean() + 1e-6f);
}
