// SPDX-License-Identifier: MIT

// What exercise 20 is checked for: values, with chunks of unequal size. That work runs side by side, in an order that
// nothing leaves to chance, is counted and found in check mode: see exercise.toml.

#include <course/check.hpp>

using namespace course;

GRADER_TASK(overlap, "ordered") {
    for (int n : {100, 1, 33, 1009, 20'000}) {
        auto x = draw.uniform(n, -10, 10);
        const Vector<double> exact = x.cast<double>();
        call("ordered", x).returns(exact.square() + exact.abs(), 2 * exact.abs(), ulps(2));
    }
}

GRADER_TASK(overlap, "pipeline") {
    struct Case {
        int n, chunks;
    };
    for (auto [n, chunks] : {Case{103, 4}, {2, 2}, {7, 3}, {1009, 8}, {4096, 4}, {30'000, 12}, {200'003, 5}}) {
        auto x = draw.uniform(n, -10, 10);
        next_case("n = " + std::to_string(n) + ", " + std::to_string(chunks) + " chunks");
        call("pipeline", x, chunks).returns((x.cast<double>().square() + 1).sqrt(), ulps(3));
    }
}
