// SPDX-License-Identifier: MIT

// What exercise 2 is checked for: the values of eigen_version.cpp, run in double. Copies, launches and waits are
// counted: see the budgets in exercise.toml.

#include <course/check.hpp>

#include "eigen_version.cpp"

using Eigen::VectorXd;

constexpr double eps = std::numeric_limits<float>::epsilon();

GRADER_TASK(first_port, "combine") {
    for (int n : sizes::edges) {
        auto a = draw.uniform(n, -3, 3), b = draw.uniform(n, -3, 3);
        auto called = call("combine", a, b);
        const VectorXd c = eigen_version::combine<VectorXd>(a.cast<double>(), b.cast<double>());
        called.returns(c, within(8 * eps));  // |c| < 8: two additions and a sine, one eps or two each
    }
}

GRADER_TASK(first_port, "norm") {
    for (int n : sizes::edges) {
        auto a = draw.uniform(n, -3, 3), b = draw.uniform(n, -3, 3);
        auto called = call("combined_norm", a, b);
        const double norm = eigen_version::combined_norm<VectorXd>(a.cast<double>(), b.cast<double>());
        // The elements' errors, 8 eps each, and a summation by halves: log2(n) additions one after the other.
        called.returns(norm, within(8 * eps * std::sqrt(n) + (4 + std::log2(n + 1)) * eps * norm));
    }
    speed([&] {
        const std::int64_t n = speed_elements();
        auto a = draw.uniform(n, -3, 3), b = draw.uniform(n, -3, 3);
        const Eigen::VectorXf x = a.matrix(), y = b.matrix();
        const double norm = eigen_version::combined_norm<VectorXd>(a.cast<double>(), b.cast<double>());
        timed(8.0 * n, [&] { return eigen_version::combined_norm(x, y); }, "combined_norm", a, b)
            .returns(norm, within(1e-4 * norm));
    });
}
