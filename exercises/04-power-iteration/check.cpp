// SPDX-License-Identifier: MIT

// What exercise 4 is checked for: the eigenvalue of a matrix whose eigenvalues are known, and the step at which to
// stop. Copies and waits are counted: see the budgets in exercise.toml.

#include <course/check.hpp>

#include <cmath>

namespace {

constexpr int interval = 10;

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A matrix with known eigenvalues, each less than `ratio` times the largest one but for that.
struct Problem {
    MatrixXd a;
    VectorXd start;
    double value = 0, gap = 0;
};

// Two reflections turn a diagonal matrix into one without zeros, and leave its eigenvalues as they are.
Problem draw_problem(course::Draw& draw, int n) {
    Problem made;
    const double ratio = draw.between(0.75, 0.85);
    made.value = draw.between(2.0, 20.0);
    made.gap = made.value * (1 - ratio);
    VectorXd values = made.value * ratio * draw.uniform<double>(n, 0.1, 1).matrix();
    values[0] = made.value;
    if (n > 1) values[1] = made.value * ratio;
    MatrixXd turn = MatrixXd::Identity(n, n);
    for (int k = 0; k < 2; ++k) {
        const VectorXd normal = draw.uniform<double>(n, 0.2, 1).matrix().normalized();
        turn -= 2 * (turn * normal) * normal.transpose();
    }
    made.a = turn * values.asDiagonal() * turn.transpose();
    made.a = (made.a + made.a.transpose()) / 2;
    made.start = (turn * draw.uniform<double>(n, 0.5, 1).matrix()).normalized();
    return made;
}

/// |y| is as near to the eigenvalue as x · y, and as good a value.
struct Look {
    double value, length, residual;
};

std::vector<Look> looks_of(const Problem& problem, int looks) {
    std::vector<Look> seen;
    VectorXd x = problem.start;
    for (int step = 1; step <= looks * interval; ++step) {
        const VectorXd y = problem.a * x;
        const double value = x.dot(y);
        if (step % interval == 0) seen.push_back({value, y.norm(), (y - value * x).norm() / value});
        x = y.normalized();
    }
    return seen;
}

/// What the steps give on one thread, with the matrix read once in each.
double value_after(const MatrixXd& a, const VectorXd& start, int steps) {
    VectorXd x = start, y;
    for (int step = 1; step < steps; ++step) {
        y.noalias() = a * x;
        x = y / y.norm();
    }
    y.noalias() = a * x;
    return x.dot(y);
}

}  // namespace

GRADER_TASK(power_iteration, "power") {
    for (int n : {33, 2, 64}) {
        for (bool converges : {true, false}) {
            if (!converges && n > 33) continue;
            const Problem problem = draw_problem(draw, n);
            const int looks = static_cast<int>(draw.between(5, 7));
            const std::vector<Look> seen = looks_of(problem, looks);
            // Between the residuals of two looks, far from both: rounding can't decide where to stop.
            const double tolerance = converges ? std::sqrt(seen[looks - 1].residual * seen[looks - 2].residual) : 1e-15;
            const int steps = looks * interval, max_steps = converges ? steps + 2 * interval : steps;
            next_case("n = " + std::to_string(n) + (converges ? "" : ", stopped by max_steps"));
            Call made = call("largest_eigenvalue", problem.a, problem.start, tolerance, max_steps);
            // A residual of r is an error of r²/gap at the most (Kato and Temple); the rest is rounding in double.
            const double residual = problem.value * seen[looks - 1].residual;
            const double bound = 2 * residual * residual / problem.gap + 1e-12 * problem.value;
            made.result(0, problem.value, within(bound));
            made.satisfies("x has length 1 in each step, as y is divided by |y|: no value exceeds the sum of a's "
                           "diagonal",
                           [&](double value, int) { return value <= 1.01 * problem.a.trace(); });
            made.satisfies("the value is as precise as double can be, not only float", [&](double value, int) {
                const double error = std::abs(value - problem.value);
                return error <= bound || error > 1e-5 * problem.value;
            });
            made.result(1, steps);
            made.satisfies("it stops at the first look with a residual of tolerance or less, or at max_steps",
                           [&](double, int taken) { return taken == steps; });
        }
    }
    const Problem problem = draw_problem(draw, 2);
    const Look first = looks_of(problem, 1)[0];
    next_case("n = 2, the first look is enough");
    call("largest_eigenvalue", problem.a, problem.start, 1.0, 2 * interval)
        .result(0, problem.value, within(problem.value * first.residual))
        .result(1, interval)
        .satisfies("the value is that of step 10", [&](double value, int) {   // one step less is off by 1e-4
            const double error = std::min(std::abs(value - first.value), std::abs(value - first.length));
            return error <= 1e-9 * problem.value;
        });
    next_case("n = 1, a residual of exactly 0");
    call("largest_eigenvalue", MatrixXd(MatrixXd::Constant(1, 1, 4)), VectorXd(VectorXd::Ones(1)), 0.0, 2 * interval)
        .result(0, 4.0)
        .result(1, interval);
    // value v vT + value / 2 (I - v vT): the other eigenvalues are half of the largest, and after 30 steps the start
    // has no part in the value.
    speed([&] {
        const auto n = static_cast<std::int64_t>(std::sqrt(static_cast<double>(speed_elements())));
        const double value = draw.between(2.0, 20.0);
        const VectorXd v = draw.uniform<double>(n, 0.5, 1).matrix().normalized();
        MatrixXd a = 0.5 * value * v * v.transpose();
        a.diagonal().array() += 0.5 * value;
        const VectorXd start = draw.uniform<double>(n, 0.5, 1).matrix().normalized();
        constexpr int steps = 3 * interval;
        timed(8.0 * steps * n * n, [&] { return value_after(a, start, steps); }, "largest_eigenvalue", a, start, 1e-30,
              steps)
            .returns(value, steps, within(1e-9 * value));
    });
}
