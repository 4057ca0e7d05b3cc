// SPDX-License-Identifier: MIT

// What exercise 24 is checked for: rods that fill their blocks and rods that don't, even and odd numbers of steps. Two
// rods take long enough that a result which nobody waits for isn't there in time.

#include <course/check.hpp>

using namespace course;

GRADER_TASK(repair_program, "result") {
    struct Case {
        int n, steps;
    };
    for (const auto [n, steps] : {Case{1000, 5}, {1, 1}, {2, 3}, {256, 4}, {257, 1}, {300, 0}, {63, 7}, {20'011, 3},
                                  {100'000, 60}, {200'003, 41}}) {
        auto rod = draw.uniform(n, 0, 100);
        const float rate = draw.between(0.1f, 0.4f);
        Vector<double> now = rod.cast<double>();
        for (int k = 0; k < steps; ++k) {
            Vector<double> next = now;
            for (int i = 1; i + 1 < n; ++i)
                next[i] = now[i] + static_cast<double>(rate) * (now[i - 1] - 2 * now[i] + now[i + 1]);
            now = next;
        }
        next_case("n = " + std::to_string(n) + ", " + std::to_string(steps) + " steps");
        // A step rounds a sum below 100, and 0.4 of two below 300; no step makes earlier errors larger.
        call("heat_program", steps, rate, rod).returns(now, within(1.2e-7 * 200 * (steps + 1)));
    }
}
