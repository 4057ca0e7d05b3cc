// SPDX-License-Identifier: MIT

// What exercise 12 is checked for. Whole numbers first: while sums stay below 2^24, float adds them without rounding,
// in any order, so one element too few or too many shows. Then others, within the error that their order of summation
// has: each addition of positive numbers is off by at most u = eps / 2 of what it gives, which is at most the sum. So
// an element that k additions lie above brings an error of at most k u times the sum; `k` is said at each task. One
// large element and many ones show what a single float accumulator makes of that. Reads, atomics and barriers are
// counted: see the budgets in exercise.toml.

#include <course/check.hpp>

using namespace course;

namespace {

Tolerance additions(double k, const Vector<float>& x) {
    return within(k * std::numeric_limits<float>::epsilon() / 2 * x.cast<double>().sum());
}

// Where most mistakes show; then full blocks alone; and many blocks, with few enough elements for check mode.
constexpr std::int64_t lengths[] = {0, 1, 31, 32, 33, 255, 256, 257, 1009, 100'003, 512, 1024, 20'011};

// Sums that are infinite, of either sign, and one of both signs, which is no number.
struct Infinite {
    const char* name;
    Vector<float> x;
};
std::vector<Infinite> infinite_sums(const Vector<float>& x) {
    const float infinity = std::numeric_limits<float>::infinity();
    std::vector<Infinite> sums = {{"an infinity", x}, {"a negative infinity", x}, {"infinities of both signs", x}};
    sums[0].x[x.size() - 1] = sums[2].x[0] = infinity;
    sums[1].x[x.size() / 2] = sums[2].x[x.size() - 2] = -infinity;
    return sums;
}

// 2^24, and then ones: 2^24 + 1 isn't a float, and becomes 2^24 again.
Vector<float> one_large_then_ones(std::int64_t n) {
    Vector<float> x = Vector<float>::Ones(n);
    x[0] = 16'777'216;
    return x;
}

}  // namespace

GRADER_TASK(reduce, "atomic") {
    for (std::int64_t n : lengths) {
        auto x = draw.integers<float>(n, 1, 99);
        next_case("whole numbers, n = " + std::to_string(n));
        call("sum_atomic", x).returns(x.cast<double>().sum());
    }
    for (const auto& [name, x] : infinite_sums(draw.uniform(300))) {
        next_case(name + std::string(", n = 300"));
        call("sum_atomic", x).returns(x.cast<double>().sum());
    }
    // All n additions go to one float, in any order. Errors of both signs cancel in part: sqrt(n) is enough.
    for (int n : sizes::edges) {
        auto x = draw.uniform(n, 0, 1);
        call("sum_atomic", x).returns(x.cast<double>().sum(), within(accumulation_bound(x)));
    }
}

GRADER_TASK(reduce, "tree") {
    for (std::int64_t n : lengths) {
        auto x = draw.integers<float>(n, 1, 99);
        next_case("whole numbers, n = " + std::to_string(n));
        call("sum_tree", x).returns(x.cast<double>().sum());
    }
    for (const auto& [name, x] : infinite_sums(draw.uniform(300))) {
        next_case(name + std::string(", n = 300"));
        call("sum_tree", x).returns(x.cast<double>().sum());
    }
    {   // More blocks than a GPU runs at a time: the last ones find shared memory as earlier ones have left it.
        auto x = draw.integers<float>(500'009, 1, 9);
        next_case("whole numbers, n = 500009");
        call("sum_tree", x).returns(x.cast<double>().sum());
    }
    // 8 additions in the tree, and one for each block. An atomicAdd for each element may be right as well: the budget
    // has that.
    for (int n : sizes::edges) {
        auto x = draw.uniform(n, 0, 1);
        call("sum_tree", x).returns(x.cast<double>().sum(), within(accumulation_bound(x)));
    }
    speed([&] {
        auto x = draw.integers<float>(speed_elements(), -8, 8);
        timed(4.0 * x.size(), [&] { return x.sum(); }, "sum_tree", x).returns(x.cast<double>().sum());
    });
}

GRADER_TASK(reduce, "two_passes") {
    const auto ask = [&](const Vector<float>& x, int blocks, Tolerance tolerance) {
        const auto n = static_cast<double>(x.size());
        const double all = x.cast<double>().sum();
        const double one_each = x.head(std::min<std::int64_t>(x.size(), 256 * blocks)).cast<double>().sum();
        next_case("n = " + std::to_string(x.size()) + ", blocks = " + std::to_string(blocks));
        call("sum_two_passes", x, blocks)
            .returns(all, tolerance)
            .satisfies("elements beyond the first 256 * blocks are added, too",
                       [=](float sum) { return one_each == all || sum != static_cast<float>(one_each); })
            .counts("global_reads", at_most(n + blocks), "each element is read once, and the sum of each block")
            .kernel_counts("sum_blocks", "global_writes", at_most(blocks + 1.0),
                           "one thread of each block writes its sum")
            .kernel_counts("sum_blocks", "threads_started", exactly(256.0 * (blocks + 1)),
                           "blocks of 256 threads: first `blocks`, then 1")
            .kernel_counts("sum_blocks", "shared_requests", at_most(200.0 * (blocks + 1)),  // as in part b
                           "let half of the threads add at a time: 128, 64, ..., 1");
    };
    for (int n : sizes::edges)   // fewer threads than elements from 257 on: the loop has to come round
        ask(draw.integers<float>(n, 1, 99), 1 + n / 600, exact);
    // Blocks without an element; as many threads as elements; many rounds; more blocks than the last one has threads.
    for (auto [n, blocks] : {std::pair{33, 7}, {1024, 4}, {20'011, 17}, {20'011, 300}})
        ask(draw.integers<float>(n, 1, 99), blocks, exact);
    ask(draw.integers<float>(20'011, -99, 99), 17, exact);
    // Two trees of 8 additions each, and before them a loop of each thread.
    const auto bound = [](const Vector<float>& x, int blocks) {
        return 8 + 8 + std::ceil(static_cast<double>(x.size()) / (256.0 * blocks)) + std::ceil(blocks / 256.0);
    };
    for (int n : sizes::edges) {
        const auto x = draw.uniform(n, 0, 1);
        const int blocks = std::max(1, (n + 255) / 256);
        ask(x, blocks, additions(bound(x, blocks), x));
    }
    // Four times the bound leaves room for other trees: a float accumulator in each thread is off by far more.
    const Vector<float> x = one_large_then_ones(100'003);
    const double want = x.cast<double>().sum();
    next_case("2^24 and ones, n = 100003, blocks = 391");
    call("sum_two_passes", x, 391)
        .satisfies("ones lost beyond 2^24, as one float accumulator loses them",
                   [&](float sum) { return std::abs(sum - want); }, additions(4 * bound(x, 391), x).absolute);
    speed([&] {
        auto x = draw.integers<float>(speed_elements(), -8, 8);
        timed(4.0 * x.size(), [&] { return x.sum(); }, "sum_two_passes", x, 1056).returns(x.cast<double>().sum());
    });
}

GRADER_TASK(reduce, "library") {
    for (std::int64_t n : lengths) {
        auto x = draw.integers<float>(n, 1, 99);
        next_case("whole numbers, n = " + std::to_string(n));
        call("sum_library", x).returns(x.cast<double>().sum());
    }
    for (const auto& [name, x] : infinite_sums(draw.uniform(300))) {
        next_case(name + std::string(", n = 300"));
        call("sum_library", x).returns(x.cast<double>().sum());
    }
    for (int n : sizes::edges) {   // a tree of its own: 4 eps log2(n)
        auto x = draw.uniform(n, 0, 1);
        call("sum_library", x).returns(x.cast<double>().sum(), within(sum_bound(x)));
    }
}

GRADER_TASK(reduce, "costs") {
    // n and blocks are drawn for each attempt. Of a to c, right is what their budgets ask for, whether the student has
    // them or not; of the library, what a run shows.
    predictions(6);
    const auto ask = [&](int n) {
        const auto blocks = static_cast<int>(draw.between(1, 9));
        std::vector<Shown> costs = {{"atomics of a", 1.0 * n},
                                    {"atomics of b", 1.0 * ((n + 255) / 256)},
                                    {"atomics of c", 0.0},
                                    {"reads of c", 1.0 * (n + blocks)}};
        if (n >= 300) {
            const auto [library] = given<Vector<double>>("library", n);
            costs.push_back({"atomics of the library", library[0]});
            costs.push_back({"launches of the library", library[1]});
        }
        for (int k = 0; k < static_cast<int>(costs.size()); ++k) {
            next_case("n = " + std::to_string(n) + ", blocks = " + std::to_string(blocks));
            call("predict_costs", k, n, blocks).predicts({costs[k]});
        }
    };
    for (int round = 0; round < 2; ++round)
        ask(static_cast<int>(256 * draw.between(round + 1, 3 * round + 4) + draw.between(44, 255)));
    ask(static_cast<int>(256 * draw.between(3, 10) + 1));  // a single element in the last block
    ask(static_cast<int>(draw.between(1, 255)));
    ask(256);  // full blocks alone, and nothing in another one
    ask(static_cast<int>(256 * draw.between(2, 11)));
    ask(static_cast<int>(256 * draw.between(2, 11) + 128));
}

GRADER_TASK(reduce, "shuffle") {
    for (std::int64_t n : lengths) {
        auto x = draw.integers<float>(n, 1, 99);
        next_case("whole numbers, n = " + std::to_string(n));
        call("sum_shuffle", x).returns(x.cast<double>().sum());
    }
    for (const auto& [name, x] : infinite_sums(draw.uniform(300))) {
        next_case(name + std::string(", n = 300"));
        call("sum_shuffle", x).returns(x.cast<double>().sum());
    }
    // 5 + 3 additions by shuffles, and one for each block.
    for (int n : sizes::edges) {
        auto x = draw.uniform(n, 0, 1);
        call("sum_shuffle", x).returns(x.cast<double>().sum(), additions(8 + n / 256 + 1, x));
    }
}
