// SPDX-License-Identifier: MIT

// What exercise 3 is checked for: each product and each square is one rounding, so the values are exact. That nothing
// travels needlessly is counted: see the budgets in exercise.toml.

#include <course/check.hpp>

GRADER_TASK(transfers, "scale") {
    for (int n : sizes::edges) {
        auto x = draw.uniform(n, -100, 100);
        const float factor = draw.between(1.5f, 2.5f);
        call("scale", x, factor).returns(x * factor);
    }
}

GRADER_TASK(transfers, "squares") {
    for (int n : sizes::edges) {
        const Vector<float> k = Vector<double>::LinSpaced(n, 0, n - 1).cast<float>();  // all of them exact
        next_case("n = " + std::to_string(n));
        call("squares", n).returns(k * k);
    }
}

GRADER_TASK(transfers, "windowed") {
    // Signals and their length. The first case has hundreds of signals, so that a loop of copies shows.
    constexpr sizes::Shape2 signals[] = {{300, 17}, {1, 1}, {1, 33}, {33, 1}, {2, 257}, {19, 67}, {500, 100}};
    for (auto [count, length] : signals) {
        auto x = draw.uniform(count, length, -100, 100);
        auto window = draw.uniform(length, 0.5, 2);
        next_case(std::to_string(count) + (count == 1 ? " signal of " : " signals of ") + std::to_string(length));
        const Matrix<float> product = x.rowwise() * window.transpose();
        call("windowed", x.reshaped<Eigen::RowMajor>(), window).returns(product.reshaped<Eigen::RowMajor>());
    }
}
