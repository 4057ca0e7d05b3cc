// SPDX-License-Identifier: MIT

// What exercise 14 is checked for: rows shorter and longer than a block, few of them multiples of 32; 257 x 301 and
// 9 x 8192, the longest rows that exercise.hpp allows, are too large for check mode.

#include <cmath>
#include <limits>

#include <course/check.hpp>

using namespace course;

static constexpr sizes::Shape2 tables[] = {{5, 40},  {1, 1},   {1, 33},   {24, 8},    {1, 255},   {3, 256}, {1, 257},
                                           {2, 264}, {64, 72}, {7, 1000}, {20, 1001}, {257, 301}, {9, 8192}};
static constexpr sizes::Shape2 few_tables[] = {{5, 40}, {2, 264}, {7, 1000}};

static const float infinity = std::numeric_limits<float>::infinity();

static std::string name_of(const std::string& what, const Matrix<float>& a) {
    return sizes::text(a.rows(), a.cols()) + ", " + what;
}

// The distance of each element from its row's largest, in double.
static Matrix<double> below_largest(const Matrix<float>& a) {
    const Matrix<double> x = a.cast<double>();
    return x.colwise() - x.rowwise().maxCoeff();
}

static Matrix<double> softmax_of(const Matrix<float>& a) {
    const Matrix<double> e = below_largest(a).unaryExpr([](double x) { return std::exp(x); });
    return e.colwise() / e.rowwise().sum();
}

// Rounding, in units of the result: x - m has half a unit of itself, and what it is off by the exponential is off by;
// expf has 2, and __expf 1.2 |x - m|; then a thread's additions one by one, the tree's, and the quotient. What is
// smaller than a float may become 0.
static Matrix<double> bound_of(const Matrix<float>& a) {
    const double eps = std::numeric_limits<float>::epsilon(), additions = static_cast<double>(a.cols()) / 256;
    const Matrix<double> units = below_largest(a).unaryExpr([&](double x) {
        return eps * (16 + additions + 2 * (x > -104 ? -x : 104));
    });
    return units * softmax_of(a) + static_cast<double>(std::numeric_limits<float>::min());
}

// Some elements -inf, in the first row all.
static Matrix<float> masked(Matrix<float> a, const Matrix<int>& chosen) {
    a = (chosen == 0).select(-infinity, a);
    a.row(0) = -infinity;
    return a;
}

// In the first row both infinities, in the second +inf alone, in the last one neither.
static Matrix<float> with_both(Matrix<float> a) {
    a(0, 1) = a(1, a.cols() - 1) = infinity;
    a(0, 0) = a(0, a.cols() - 1) = -infinity;
    return a;
}

// Each row has an element 200 above all others: who leaves it out of the maximum gets an infinity from expf. It stands
// where a wrong stride, a wrong begin, or a warp left out misses it, also in pairs and in fours.
static Matrix<float> with_peaks(Matrix<float> a) {
    const std::int64_t columns[] = {0, 31, 32, 64, 255, 256, 257, 511, 512, 1024, a.cols() / 2 + 9, a.cols() - 1};
    for (std::int64_t row = 0; row < a.rows(); ++row) a(row, columns[row % std::ssize(columns)] % a.cols()) = 200;
    return a;
}
static constexpr sizes::Shape2 peak_tables[] = {{12, 72}, {12, 1001}, {12, 1026}, {12, 1028}};

static const char* const tree = "let block_reduce combine what the 256 threads have found: a tree";

GRADER_TASK(row_softmax, "max") {
    const auto ask = [&](const Matrix<float>& a) {
        call("row_max", a)
            .returns(a.rowwise().maxCoeff())
            .satisfies("no element of a row is larger than what was found",
                       [&](const Vector<float>& largest) { return (a.rowwise().maxCoeff() <= largest).all(); })
            .counts("global_writes", at_most(a.rows()), "one thread of each block writes what all have found")
            .kernel_counts("row_max", "grid", exactly(a.rows()))
            .kernel_counts("row_max", "shared_requests", at_most(200.0 * a.rows()), tree);   // one takes 45
    };
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns, -9, -1);  // nothing else than -infinity is below all of them
        for (int row = 0; row < rows; row += 2) a(row, columns - 1) = -0.5F;  // the largest comes last
        ask(a);
    }
    for (auto [rows, columns] : peak_tables) {
        auto a = with_peaks(draw.uniform(rows, columns, -4, 4));
        next_case(name_of("one large element in each row", a));
        ask(a);
    }
    auto longest = draw.uniform(1, 8193);   // 8192 are the most for softmax alone
    longest(0, 8192) = 2;
    ask(longest);
    auto a = masked(draw.uniform(6, 40), draw.integers(6, 40, 0, 2));
    next_case(name_of("with -inf", a));
    call("row_max", a).returns(a.rowwise().maxCoeff());
    auto b = with_both(draw.uniform(3, 270));
    next_case(name_of("with -inf and +inf", b));
    call("row_max", b).returns(b.rowwise().maxCoeff());
}

GRADER_TASK(row_softmax, "softmax") {
    const auto ask = [&](const Matrix<float>& a) {
        const auto adds_up = [&](const Matrix<float>& b) {
            for (int row = 0; row < b.rows(); ++row)
                if (std::abs(b.row(row).sum() - 1) > 1e-3F) return false;  // a NaN is the values' affair
            return true;
        };
        call("softmax", a)
            .returns(softmax_of(a), within(bound_of(a)))
            .satisfies("each row of the result adds up to 1 (row-major: a row's elements are neighbours)", adds_up)
            .kernel_counts("softmax", "grid", exactly(a.rows()))
            .kernel_counts("softmax", "atomics", at_most(16.0 * a.rows()), tree)   // one for each warp, twice
            .kernel_counts("softmax", "shared_reads", at_most(4.0 * a.size() + 16 * 256 * a.rows()), tree);
    };
    for (auto [rows, columns] : tables) ask(draw.uniform(rows, columns, -4, 4));
    for (auto [rows, columns] : few_tables) {
        auto high = draw.uniform(rows, columns, 490, 500), low = draw.uniform(rows, columns, -500, -490);
        next_case(name_of("values around 495, whose exp is infinite", high));
        ask(high);
        next_case(name_of("values around -495, whose exp is 0", low));
        ask(low);
        auto some = masked(draw.uniform(rows, columns, -4, 4), draw.integers(rows, columns, 0, 2));
        next_case(name_of("with -inf", some));
        ask(some);
    }
    auto both = with_both(draw.uniform(3, 270));   // +inf - +inf: that row is NaN
    next_case(name_of("with -inf and +inf", both));
    ask(both);
    for (auto [rows, columns] : peak_tables) {
        auto a = with_peaks(draw.uniform(rows, columns, -4, 4));
        next_case(name_of("one large element in each row", a));
        ask(a);
    }
    speed([&] {
        const std::int64_t columns = 4096, rows = speed_elements() / columns;
        auto a = draw.uniform(rows, columns, -4, 4);
        const Vector<double> m = a.rowwise().maxCoeff().cast<double>();
        const Vector<double> sums = (a.cast<double>().colwise() - m).exp().rowwise().sum();
        const auto eigen = [&] {
            const Matrix<float> e = (a.colwise() - a.rowwise().maxCoeff()).exp();
            return Matrix<float>(e.colwise() / e.rowwise().sum());
        };
        timed(8.0 * a.size(), eigen, "softmax", a)
            .returns((a.cast<double>().colwise() - m).exp().colwise() / sums, ulps(64));
    });
}

GRADER_TASK(row_softmax, "once") {
    for (auto [rows, columns] : few_tables) {
        auto a = draw.uniform(rows, columns, 490, 500), low = draw.uniform(rows, columns, -500, -490);
        call("softmax_once", a).returns(softmax_of(a), within(bound_of(a)));
        next_case(name_of("values around -495, whose exp is 0", low));
        call("softmax_once", low).returns(softmax_of(low), within(bound_of(low)));
    }
    const auto named = [&](const std::string& what, const Matrix<float>& a) {
        next_case(name_of(what, a));
        call("softmax_once", a).returns(softmax_of(a), within(bound_of(a)));
    };
    named("with -inf", masked(draw.uniform(6, 40), draw.integers(6, 40, 0, 2)));
    named("with -inf and +inf", with_both(draw.uniform(3, 270)));
    for (auto [rows, columns] : peak_tables)
        named("one large element in each row", with_peaks(draw.uniform(rows, columns, -4, 4)));
    named("the longest rows", draw.uniform(9, 8192, -4, 4));
}
