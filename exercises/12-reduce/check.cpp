// SPDX-License-Identifier: MIT

// What exercise 12 is checked for. Whole numbers first: while sums stay below 2^24, float adds them without rounding,
// in any order, so one element too few or too many shows. Then others, within the error that their order of summation
// has. Atomics and barriers are counted: see the budgets in exercise.toml.

#include <course/check.hpp>

GRADER_TASK(reduce, "atomic") {
    for (int n : sizes::edges) {
        auto x = draw.integers<float>(n, 1, 99);
        next_case("whole numbers, n = " + std::to_string(n));
        call("sum_atomic", x).returns(x.cast<double>().sum());
    }
    for (int n : sizes::edges) {
        auto x = draw.uniform(n, 0, 1);
        call("sum_atomic", x).returns(x.cast<double>().sum(), within(accumulation_bound(x)));
    }
}

GRADER_TASK(reduce, "tree") {
    for (int n : sizes::edges) {
        auto x = draw.integers<float>(n, 1, 99);
        next_case("whole numbers, n = " + std::to_string(n));
        call("sum_tree", x).returns(x.cast<double>().sum());
    }
    {   // More blocks than a GPU runs at a time: the last ones find shared memory as earlier ones have left it.
        auto x = draw.integers<float>(500'009, 1, 9);
        next_case("whole numbers, n = 500009");
        call("sum_tree", x).returns(x.cast<double>().sum());
    }
    for (int n : sizes::edges) {
        auto x = draw.uniform(n, 0, 1);
        // A tree's own bound would do for the tree; this one leaves an atomicAdd for each element to the budget.
        call("sum_tree", x).returns(x.cast<double>().sum(), within(accumulation_bound(x)));
    }
    speed([&] {
        auto x = draw.integers<float>(speed_elements(), -8, 8);
        timed(4.0 * x.size(), [&] { return x.sum(); }, "sum_tree", x).returns(x.cast<double>().sum());
    });
}
