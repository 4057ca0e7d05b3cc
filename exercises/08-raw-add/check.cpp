// SPDX-License-Identifier: MIT

// What exercise 8 is checked for: every element, at the sizes where an index goes wrong, with grids of many sizes.

#include <course/check.hpp>

using namespace course;

namespace {

const float infinity = std::numeric_limits<float>::infinity();

// All pairs of these, one of the other sign and both together among them.
Vector<float> specials(bool second) {
    const float values[] = {infinity, -infinity, 0, -1, 2};
    Vector<float> x(25);
    for (int i = 0; i < 25; ++i) x[i] = values[second ? i / 5 : i % 5];
    return x;
}

// How much of the moved bytes a kernel has to use. A float for each thread gives 100, as do float2 and float4; 80 where
// each block's piece begins in the middle of a sector, about 50 where such a piece has less than 32 elements. Elements
// that lie 2 apart from thread to thread give 50, 4 apart 25, and those of a thread that works alone 12.
CountBound bytes_used(std::int64_t n) { return at_least(n < 10'000 ? 40 : 60); }

constexpr const char* cure =
    "4 sectors are enough for the 32 floats of a request: neighbouring threads, neighbouring elements";

}  // namespace

GRADER_TASK(raw_add, "add") {
    const auto ask = [&](const Vector<float>& x, const Vector<float>& y) {
        call("add", x, y)
            .returns(x.cast<double>() + y.cast<double>(), ulps(1))
            .kernel_counts("add", "bytes_used_percent", bytes_used(x.size()), cure, 4);
    };
    for (std::int64_t n : sizes::edges) {
        auto x = draw.uniform(n), y = draw.uniform(n);
        ask(x, y);
    }
    // A part of a float4; full blocks alone, of float4 too, and one more; many blocks, small enough for check mode.
    for (int n : {3, 1024, 1025, 20'011}) {
        auto x = draw.uniform(n), y = draw.uniform(n);
        ask(x, y);
    }
    next_case("infinities, n = 25");
    ask(specials(false), specials(true));
    speed([&] {
        const std::int64_t n = speed_elements();
        auto x = draw.uniform(n), y = draw.uniform(n);
        timed(12.0 * n, [&] { return x + y; }, "add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
    });
}

GRADER_TASK(raw_add, "mul") {
    const auto ask = [&](const std::string& name, const Vector<float>& x, const Vector<float>& y, int blocks) {
        next_case(name + "n = " + std::to_string(x.size()) + ", blocks = " + std::to_string(blocks));
        call("mul", x, y, blocks)
            .returns(x.cast<double>() * y.cast<double>(), ulps(1))
            .kernel_counts("mul", "bytes_used_percent", bytes_used(x.size()), cure, 4);
    };
    for (int blocks : {1, 3, 40}) {
        for (std::int64_t n : sizes::edges) {
            auto x = draw.uniform(n), y = draw.uniform(n);
            ask("", x, y, blocks);
        }
    }
    for (int n : {768, 769}) {  // as many elements as threads, and one more
        auto x = draw.uniform(n), y = draw.uniform(n);
        ask("", x, y, 3);
    }
    for (int blocks : {1, 40}) {  // many rounds for each thread, and small enough for check mode
        auto x = draw.uniform(20'011), y = draw.uniform(20'011);
        ask("", x, y, blocks);
    }
    ask("infinities, ", specials(false), specials(true), 1);
    speed([&] {
        const std::int64_t n = speed_elements();
        auto x = draw.uniform(n), y = draw.uniform(n);
        timed(12.0 * n, [&] { return x * y; }, "mul", x, y, 1056).returns(x.cast<double>() * y.cast<double>(), ulps(1));
    });
}
