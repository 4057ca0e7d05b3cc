// SPDX-License-Identifier: MIT

// What exercise 11 is checked for: sizes that fill their blocks and sizes that don't, several blocks, several rounds.
// One of the four mistakes leaves the values right: check mode finds it.

#include <course/check.hpp>

using namespace course;

static constexpr double eps = 1.2e-7;
static constexpr float infinity = std::numeric_limits<float>::infinity();

static constexpr sizes::Shape2 images[] = {{1, 1}, {8, 32}, {19, 67}, {64, 40}, {65, 33}, {101, 200}, {150, 133}};
static constexpr sizes::Shape2 tables[] = {{1, 1}, {3, 64}, {64, 33}, {65, 1}, {131, 200}, {400, 70}, {7, 1100}};

GRADER_TASK(bug_hunt, "brighten") {
    for (auto [rows, columns] : images) {
        auto image = draw.uniform(rows, columns, 0, 1);
        const float factor = draw.between(1.1f, 1.9f);
        call("brighten", in_place(image), factor)
            .returns((image.cast<double>() * static_cast<double>(factor)).min(1.0), ulps(1));
    }
    auto image = draw.uniform(5, 7, 0, 1);   // brighter than any number is white, too
    image(0, 0) = infinity, image(4, 6) = -infinity;
    next_case("infinities, 5 x 7");
    call("brighten", in_place(image), 2.0f).returns((image.cast<double>() * 2.0).min(1.0), ulps(1));
}

GRADER_TASK(bug_hunt, "weighted_sum") {
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns);
        auto weights = draw.uniform(rows);
        auto called = call("weighted_sum", a, weights);
        const Matrix<double> terms = a.cast<double>().colwise() * weights.cast<double>();
        const Vector<double> want = terms.colwise().sum().transpose();
        const Vector<double> size = terms.abs().colwise().sum().transpose();
        const double roundings = static_cast<double>(rows);   // of one accumulator
        called.returns(want, within(eps * roundings * size));
    }
}

GRADER_TASK(bug_hunt, "soften") {
    for (int n : {1, 33, 255, 256, 257, 512, 1009, 20'011}) {
        auto x = draw.uniform(n);
        auto called = call("soften", x);
        Vector<double> want = x.cast<double>();
        for (int i = 1; i < n; ++i) want[i] = 0.5 * (static_cast<double>(x[i - 1]) + static_cast<double>(x[i]));
        called.returns(want, ulps(1));
    }
    const auto x = Vector<float>{{1, infinity, 2, 3, -infinity, infinity, 4}};   // both together: no number
    Vector<double> want = x.cast<double>();
    for (int i = 1; i < x.size(); ++i) want[i] = 0.5 * (static_cast<double>(x[i - 1]) + static_cast<double>(x[i]));
    next_case("infinities, n = 7");
    call("soften", x).returns(want, ulps(1));
}

GRADER_TASK(bug_hunt, "peaks") {
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns);
        call("peaks", a).returns(a.cast<double>().abs().colwise().maxCoeff().transpose());
    }
    auto a = draw.uniform(9, 70);
    a(0, 0) = infinity, a(8, 1) = -infinity;
    a.col(64) = -infinity;
    a(3, 69) = infinity, a(4, 69) = -infinity;
    next_case("infinities, 9 x 70");
    call("peaks", a).returns(a.cast<double>().abs().colwise().maxCoeff().transpose());
}
