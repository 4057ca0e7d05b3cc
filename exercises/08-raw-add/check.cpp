// SPDX-License-Identifier: MIT

// What exercise 8 is checked for: every element, at the sizes where an index goes wrong, with grids of many sizes.

#include <course/check.hpp>

GRADER_TASK(raw_add, "add") {
    for (int n : sizes::edges) {
        auto x = draw.uniform(n), y = draw.uniform(n);
        call("add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
    }
    {   // Small enough for check mode, and too large for a block or two.
        auto x = draw.uniform(10'007), y = draw.uniform(10'007);
        call("add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
    }
    speed([&] {
        const std::int64_t n = speed_elements();
        auto x = draw.uniform(n), y = draw.uniform(n);
        timed(12.0 * n, [&] { return x + y; }, "add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
    });
}

GRADER_TASK(raw_add, "mul") {
    for (int blocks : {1, 3, 40}) {
        for (int n : sizes::edges) {
            auto x = draw.uniform(n), y = draw.uniform(n);
            next_case("n = " + std::to_string(n) + ", blocks = " + std::to_string(blocks));
            call("mul", x, y, blocks).returns(x.cast<double>() * y.cast<double>(), ulps(1));
        }
    }
    {   // Many rounds for each thread, and small enough for check mode.
        auto x = draw.uniform(10'007), y = draw.uniform(10'007);
        next_case("n = 10007, blocks = 1");
        call("mul", x, y, 1).returns(x.cast<double>() * y.cast<double>(), ulps(1));
    }
    speed([&] {
        const std::int64_t n = speed_elements();
        auto x = draw.uniform(n), y = draw.uniform(n);
        timed(12.0 * n, [&] { return x * y; }, "mul", x, y, 1056).returns(x.cast<double>() * y.cast<double>(), ulps(1));
    });
}
