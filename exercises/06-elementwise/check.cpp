// SPDX-License-Identifier: MIT

// What exercise 6 is checked for: the values of eigen_version.cpp in double, for each element type.

#include <course/check.hpp>

#include "eigen_version.cpp"

constexpr float infinity = std::numeric_limits<float>::infinity();

GRADER_TASK(elementwise, "squared_diff") {
    for (int n : sizes::edges) {
        auto x = draw.uniform(n, -10, 10), y = draw.uniform(n, -10, 10);
        next_case("float, n = " + std::to_string(n));
        auto called = call("squared_diff_float", x, y);
        const Vector<double> want = eigen_version::squared_diff<Vector<double>>(x.cast<double>(), y.cast<double>());
        called.returns(want, ulps(2));  // three roundings: x - y counts twice
    }
    speed([&] {
        const std::int64_t n = speed_elements();
        auto x = draw.uniform(n, -10, 10), y = draw.uniform(n, -10, 10);
        timed(
            12.0 * n, [&] { return eigen_version::squared_diff(x, y); }, "squared_diff_float", x, y)
            .returns((x.cast<double>() - y.cast<double>()).square(), ulps(2));
    });
}

GRADER_TASK(elementwise, "types") {
    for (int n : {0, 1, 33, 257, 5003}) {
        auto x = draw.uniform<double>(n, -10, 10), y = draw.uniform<double>(n, -10, 10);
        next_case("double, n = " + std::to_string(n));
        call("squared_diff_double", x, y).returns(eigen_version::squared_diff(x, y), ulps<double>(4));
    }
    for (int n : {0, 1, 33, 257, 5003}) {
        auto x = draw.integers(n, -20'000, 20'000), y = draw.integers(n, -20'000, 20'000);
        next_case("int, n = " + std::to_string(n));
        call("squared_diff_int", x, y).returns(eigen_version::squared_diff(x, y));
    }
}

GRADER_TASK(elementwise, "millimetres") {
    for (int n : {5003, 1, 33, 257}) {
        auto x = draw.uniform(n, 1, 100);
        next_case("n = " + std::to_string(n));
        auto called = call("millimetres", x);
        const Vector<float> in_float = eigen_version::millimetres(x);
        const Vector<float> in_double = (25.4 * x.cast<double>()).cast<float>();
        // One rounding. A product of doubles that is rounded to float is another number, in one element of six or so.
        called.returns(in_float)
            .satisfies("the product is one of floats: 25.4 is a double, and makes x one; 25.4f is a float",
                       [&](const Vector<float>& z) { return (z == in_float).all() || !(z == in_double).all(); });
    }
}

GRADER_TASK(elementwise, "shrink") {
    for (int n : sizes::edges) {
        auto x = draw.uniform(n, -3, 3);
        const float t = draw.between(0.9f, 1.1f);
        for (int i = 0; i + 1 < std::min(n, 4); i += 2) x[i] = t, x[i + 1] = -t;   // where the branches meet
        auto called = call("shrink", x, t);
        const Vector<double> want = eigen_version::shrink<Vector<double>>(x.cast<double>(), t);
        called.returns(want, ulps(1));
    }
    next_case("infinities");
    call("shrink", Vector<float>{{infinity, -infinity, 2, -2, 0}}, 1.0f)
        .returns(Vector<double>{{infinity, -infinity, 1, -1, 0}});
}

GRADER_TASK(elementwise, "weigh") {
    for (auto [rows, columns] : sizes::shapes) {
        auto counts = draw.integers(rows, columns, 0, 1 << 27);
        auto weights = draw.uniform(columns, 0.5, 2);
        auto called = call("weigh", counts, weights);
        const Matrix<double> want =
            eigen_version::weigh<Matrix<double>, Vector<double>>(counts.cast<double>(), weights.cast<double>());
        const Matrix<double> in_float =
            eigen_version::weigh<Matrix<float>, Vector<float>>(counts.cast<float>(), weights).cast<double>();
        called.returns(want)
            .satisfies("the products are those of doubles: int * float is computed in float, with 24 bits",
                       [&](const Matrix<double>& z) { return (z == want).all() || !(z == in_float).all(); });
    }
}
