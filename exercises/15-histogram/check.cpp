// SPDX-License-Identifier: MIT

// What exercise 15 is checked for: values spread evenly, most in one bin, all in one bin; more bins than threads, and a
// single one; grids of many sizes.

#include <course/check.hpp>

using namespace course;

static Vector<int> histogram_of(const Vector<int>& x, int bins) {
    Vector<int> counts = Vector<int>::Zero(bins);
    for (const int value : x) ++counts[value];
    return counts;
}

// Nine of ten elements in one bin.
static Vector<int> skewed(const Vector<int>& x, const Vector<float>& u) { return (u < 0.9F).select(x[0], x); }

static std::string name_of(const std::string& what, std::int64_t n, int bins) {
    return "n = " + std::to_string(n) + ", bins = " + std::to_string(bins) + ", " + what;
}

// Both are small enough for check mode.
static constexpr int large = 10'007, larger = 40'009;

GRADER_TASK(histogram, "atomic") {
    const auto ask = [&](const std::string& what, const Vector<int>& x, int bins) {
        next_case(name_of(what, x.size(), bins));
        call("histogram_atomic", x, bins).returns(histogram_of(x, bins));
    };
    for (int n : sizes::edges) ask("spread", draw.integers(n, 0, 255), 256);
    for (int bins : {1, 10, 1000}) ask("spread", draw.integers(large, 0, bins - 1), bins);
    ask("nine of ten equal", skewed(draw.integers(larger, 0, 255), draw.uniform(larger, 0, 1)), 256);
    ask("all equal", Vector<int>::Constant(larger, static_cast<int>(draw.between(0, 255))), 256);
}

GRADER_TASK(histogram, "private") {
    const auto ask = [&](const std::string& what, const Vector<int>& x, int bins, int blocks) {
        next_case(name_of(what, x.size(), bins) + ", blocks = " + std::to_string(blocks));
        const double merged = 1.0 * blocks * bins;
        call("histogram_private", x, bins, blocks)
            .returns(histogram_of(x, bins))
            .kernel_counts("histogram_private", "grid", exactly(blocks))
            .kernel_counts("histogram_private", "global_atomics", at_most(merged),
                           "one for each block and bin is enough: count in `own`, then add `own` up", 10);
    };
    for (int n : sizes::edges) ask("spread", draw.integers(n, 0, 255), 256, n % 2 == 0 ? 3 : 8);
    for (int bins : {1, 10, 257, 1000, 1024}) ask("spread", draw.integers(large, 0, bins - 1), bins, 4);
    ask("spread", draw.integers(large, 0, 255), 256, 1);
    ask("spread", draw.integers(16 * 256, 0, 255), 256, 8);    // no thread goes without
    ask("spread", draw.integers(20'011, 0, 99), 100, 20);
    ask("spread", draw.integers(larger, 0, 255), 256, 8);
    ask("nine of ten equal", skewed(draw.integers(larger, 0, 255), draw.uniform(larger, 0, 1)), 256, 8);
    ask("all equal", Vector<int>::Constant(larger, static_cast<int>(draw.between(0, 255))), 256, 8);
    ask("all equal", Vector<int>::Constant(100'003, static_cast<int>(draw.between(0, 255))), 256, 1);  // over 65,535
    speed([&] {
        const std::int64_t n = speed_elements();
        const Vector<int> x = skewed(draw.integers(n, 0, 255), draw.uniform(n, 0, 1));
        timed(4.0 * n, [&] { return histogram_of(x, 256); }, "histogram_private", x, 256, 1056)
            .returns(histogram_of(x, 256));
    });
}
