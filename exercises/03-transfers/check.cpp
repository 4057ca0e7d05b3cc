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
