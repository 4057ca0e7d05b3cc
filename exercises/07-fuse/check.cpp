// SPDX-License-Identifier: MIT

// What exercise 7 is checked for: the values of eigen_version.cpp in double. Launches, arrays, and the bytes that
// kernels read and write are counted: see the budgets in exercise.toml.

#include <course/check.hpp>

#include "eigen_version.cpp"

GRADER_TASK(fuse, "distance") {
    for (int n : {5003, 0, 1, 31, 32, 33, 255, 256, 257, 100'003}) {
        auto x = draw.uniform(n, 0, 10), y = draw.uniform(n, -10, 10);
        const float k = draw.between(0.5f, 2.0f);
        next_case("n = " + std::to_string(n));
        auto called = call("distance", x, y, k);
        const Vector<double> want = eigen_version::distance<Vector<double>>(x.cast<double>(), y.cast<double>(), k);
        called.returns(want, ulps(4));  // x - y counts twice; the root halves what comes before
    }
    const Vector<float> same = Vector<float>::LinSpaced(2, 0, 3);
    next_case("x = y, k = 0: all zeros, n = 2");
    call("distance", same, same, 0.0f).returns(Vector<double>(Vector<double>::Zero(2)));
    speed([&] {
        const std::int64_t n = speed_elements();
        auto x = draw.uniform(n, 0, 10), y = draw.uniform(n, -10, 10);
        const float k = draw.between(0.5f, 2.0f);
        timed(
            12.0 * n, [&] { return eigen_version::distance(x, y, k); }, "distance", x, y, k)
            .returns(((x.cast<double>() - y.cast<double>()).square() + k * x.cast<double>()).sqrt(), ulps(4));
    });
}

GRADER_TASK(fuse, "misfit") {
    for (int n : {5003, 0, 1, 31, 32, 33, 255, 256, 257, 100'003}) {
        auto x = draw.uniform(n, -10, 10), y = draw.uniform(n, -10, 10);
        next_case("n = " + std::to_string(n));
        auto called = call("misfit", x, y);
        const Vector<double> squares = (x.cast<double>() - y.cast<double>()).square();
        called.returns(squares.sum(), within(sum_bound(squares) + 1e-30));
    }
}
