// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "codegen/random_text.hpp"

// choice and poisson: their distributions, and the same results on every device.
namespace {

using gpu::random::Generator;
using Longs = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

// Pearson's statistic in standard deviations from its mean. Rare cases are joined with the next one.
double chi_square(const std::vector<double>& counts, const std::vector<double>& expected) {
    double sum = 0, count = 0, wanted = 0;
    int cells = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        count += counts[k];
        wanted += expected[k];
        if (wanted < 10 && k + 1 < counts.size()) continue;
        sum += (count - wanted) * (count - wanted) / std::max(wanted, 1e-9);
        ++cells;
        count = wanted = 0;
    }
    return (sum - (cells - 1)) / std::sqrt(2.0 * std::max(cells - 1, 1));
}

long double poisson_density(long double k, long double rate) {
    return std::exp(k * std::log(rate) - rate - std::lgamma(k + 1));
}

}  // namespace

TEST_CASE("choice takes positions, or elements") {
    //! [choice]
    gpu::random::Generator rng(42);
    auto dice = rng.choice(6, {100});                     // 100 of 0 to 5
    auto hand = rng.choice(52, {5}, {.replace = false});  // five cards, all different
    gpu::Array<double> p = gpu::to_device({0.7, 0.2, 0.1});
    auto weather = rng.choice(3, {7}, {.p = p});
    gpu::Array<float> rows = gpu::arange<float>(6).reshape({3, 2});
    auto sample = rng.choice(rows, {2}, {.replace = false});  // two rows
    //! [choice]
    const Longs faces = gpu::to_host(dice), cards = gpu::to_host(hand), days = gpu::to_host(weather);
    CHECK(*std::min_element(faces.begin(), faces.end()) == 0);
    CHECK(*std::max_element(faces.begin(), faces.end()) == 5);
    CHECK(std::set<std::int64_t>(cards.begin(), cards.end()).size() == 5);
    CHECK(*std::max_element(days.begin(), days.end()) <= 2);
    CHECK(sample.shape() == gpu::Shape{2, 2});
    const std::vector<float> taken = gpu::to_host(sample);
    CHECK(taken[1] == taken[0] + 1);
    CHECK(taken[0] != taken[2]);
}

TEST_CASE("choice without probabilities draws integers, or the first ones of a permutation") {
    Generator a(7, 3), b = a;
    CHECK(gpu::to_host(a.choice(1000, {2, 50})) == gpu::to_host(b.integers<std::int64_t>({100}, 0, 1000)));
    CHECK(a == b);
    Longs all = gpu::to_host(b.permutation(1000));
    all.resize(60);
    CHECK(gpu::to_host(a.choice(1000, {3, 20}, {.replace = false})) == all);
    CHECK(a == b);
    // a large population costs no more than what is taken
    const Longs few = gpu::to_host(a.choice(std::int64_t{1} << 40, {4}, {.replace = false}));
    CHECK(std::set<std::int64_t>(few.begin(), few.end()).size() == 4);
    CHECK(gpu::to_host(a.choice(5, {5}, {.replace = false})).size() == 5);
}

TEST_CASE("choice with probabilities has their distribution") {
    const Doubles p{0.05, 0, 0.4, 0.15, 0.3, 0, 0.1, 0};
    const int n = 40000;
    const Longs taken = gpu::to_host(Generator(11).choice(8, {200, n / 200}, {.p = gpu::to_device(p)}));
    std::vector<double> counts(p.size(), 0), expected;
    for (const std::int64_t each : taken) ++counts.at(static_cast<std::size_t>(each));
    for (const double each : p) expected.push_back(n * each);
    for (const std::size_t never : {1u, 5u, 7u}) CHECK(counts[never] == 0);
    CHECK(std::fabs(chi_square(counts, expected)) < 5);
    // weights need no sum of 1, and may be of any real type
    const gpu::Array<float> tens = gpu::to_device({5.f, 0.f, 40.f, 15.f, 30.f, 0.f, 10.f, 0.f});
    CHECK(gpu::to_host(Generator(11).choice(8, {n}, {.p = tens})) == taken);
    CHECK(gpu::to_host(Generator(11).choice(8, {n}, {.p = tens * 3.f})) == taken);
    // a draw may be divided
    Generator rest(11);
    rest.skip(n - 3);
    CHECK(gpu::to_host(rest.choice(8, {3}, {.p = tens})) == Longs(taken.end() - 3, taken.end()));
}

TEST_CASE("choice with many probabilities") {
    const std::int64_t count = 5000;
    const gpu::Array<double> rising = gpu::arange<double>(count);
    const int n = 60000;
    const Longs taken = gpu::to_host(Generator(12).choice(count, {n}, {.p = rising}));
    std::vector<double> counts(50, 0), expected(50, 0);
    for (const std::int64_t each : taken) {
        REQUIRE(each > 0);
        ++counts.at(static_cast<std::size_t>(each / 100));
    }
    for (std::int64_t k = 0; k < count; ++k)
        expected[static_cast<std::size_t>(k / 100)] += n * 2.0 * static_cast<double>(k) / (5000.0 * 4999.0);
    CHECK(std::fabs(chi_square(counts, expected)) < 5);
}

TEST_CASE("choice without replacement and with probabilities takes one element after another") {
    const Doubles p{0.5, 0.2, 0, 0.25, 0.05};
    const gpu::Array<double> weights = gpu::to_device(p);
    Generator rng(13);
    std::map<std::pair<std::int64_t, std::int64_t>, double> pairs;
    const int n = 3000;
    for (int round = 0; round < n; ++round) {
        const Longs two = gpu::to_host(rng.choice(5, {2}, {.replace = false, .p = weights}));
        REQUIRE(two.size() == 2);
        REQUIRE(two[0] != two[1]);
        ++pairs[{two[0], two[1]}];
    }
    CHECK(rng.offset() == 5u * n);
    std::vector<double> counts, expected;
    for (std::int64_t a = 0; a < 5; ++a) {
        for (std::int64_t b = 0; b < 5; ++b) {
            const double first = p[static_cast<std::size_t>(a)], second = p[static_cast<std::size_t>(b)];
            if (a == b) continue;
            counts.push_back(pairs[{a, b}]);
            expected.push_back(n * first * second / (1 - first));
            if (first == 0 || second == 0) CHECK(counts.back() == 0);
        }
    }
    CHECK(std::fabs(chi_square(counts, expected)) < 5);
    // however small, a probability goes before none
    const Longs all = gpu::to_host(rng.choice(4, {2}, {.replace = false, .p = gpu::to_device({0., 1e-320, 0., 1.})}));
    CHECK(all == Longs{3, 1});
}

TEST_CASE("choice takes views and expressions, and works without elements") {
    const gpu::Array<int> x = gpu::arange<int>(12).reshape({3, 4});
    Generator rng(14);
    const auto columns = rng.choice(x.transpose(), {2, 3});
    CHECK(columns.shape() == gpu::Shape{2, 3, 3});
    const std::vector<int> values = gpu::to_host(columns);
    for (std::size_t k = 0; k < values.size(); k += 3) CHECK(values[k + 2] == values[k] + 8);
    const auto odd = rng.choice(2 * gpu::arange<int>(4) + 1, {50});
    for (const int each : gpu::to_host(odd)) CHECK(each % 2 == 1);
    CHECK(rng.choice(0, {0}).size() == 0);
    CHECK(rng.choice(4, {0, 3}, {.p = gpu::ones<float>({4})}).shape() == gpu::Shape{0, 3});
    CHECK(rng.choice(4, {}).shape() == gpu::Shape{});
    CHECK(rng.choice(gpu::zeros<float>({3, 0}), {5}).shape() == gpu::Shape{5, 0});
    const gpu::Array<double> flipped = gpu::to_device({0., 0., 1.}).flip();
    CHECK(gpu::to_host(rng.choice(3, {2}, {.p = flipped.flip()})) == Longs{2, 2});
    gpu::random::seed(5);
    const Longs first = gpu::to_host(gpu::random::choice(100, {4}));
    gpu::random::seed(5);
    CHECK(gpu::to_host(gpu::random::choice(100, {4})) == first);
}

TEST_CASE("choice says what is wrong") {
    Generator rng(15);
    CHECK_THROWS_WITH_AS((void)rng.choice(0, {2}), "choice: 2 of 0 elements", gpu::Error);
    CHECK_THROWS_AS((void)rng.choice(-3, {0}), gpu::Error);
    CHECK_THROWS_WITH_AS((void)rng.choice(3, {2, 2}, {.replace = false}),
                         "choice: 4 of 3 elements without replacement: there aren't as many", gpu::Error);
    CHECK_THROWS_WITH_AS((void)rng.choice(3, {1}, {.p = gpu::ones<double>({4})}),
                         "choice: p has shape (4,); it needs a number for each of 3 elements", gpu::Error);
    CHECK_THROWS_WITH_AS((void)rng.choice(3, {1}, {.p = gpu::to_device({1., -0.5, 1.})}),
                         "choice: p has elements from -0.5 to 1; they must be finite, and not negative", gpu::Error);
    CHECK_THROWS_AS((void)rng.choice(2, {1}, {.p = gpu::to_device({1., std::nan("")})}), gpu::Error);
    CHECK_THROWS_AS((void)rng.choice(2, {1}, {.p = gpu::to_device({1., std::numeric_limits<double>::infinity()})}),
                    gpu::Error);
    CHECK_THROWS_WITH_AS((void)rng.choice(2, {1}, {.p = gpu::zeros<double>({2})}), "choice: all elements of p are 0",
                         gpu::Error);
    CHECK_THROWS_WITH_AS((void)rng.choice(3, {2}, {.replace = false, .p = gpu::to_device({0., 1., 0.})}),
                         "choice: 2 elements without replacement, but p is above 0 for only 1", gpu::Error);
    CHECK_THROWS_AS((void)rng.choice(gpu::full<int>({}, 1), {1}), gpu::ShapeError);
    CHECK(rng.offset() == 0);  // nothing was drawn
}

TEST_CASE("poisson counts events") {
    //! [poisson]
    gpu::random::Generator rng(42);
    auto calls = rng.poisson({24}, 3.5);                        // 3.5 an hour, for a day
    auto photons = rng.poisson<std::uint16_t>({64, 64}, 1000);  // a noisy image
    //! [poisson]
    static_assert(std::is_same_v<decltype(calls), gpu::Array<std::int64_t>>);
    CHECK(calls.shape() == gpu::Shape{24});
    CHECK(gpu::mean(photons).item() == doctest::Approx(1000).epsilon(0.005));
    CHECK(rng.offset() == 24 + 64 * 64);
}

// Each result's bits lie between the distribution function at the integer below and at the integer itself, computed
// here from the density's formula.
TEST_CASE("poisson looks its bits up in the distribution") {
    for (const double rate : {1e-9, 0.05, 1.0, 3.5, 12.25, 200.0, 5000.5}) {
        CAPTURE(rate);
        const std::uint64_t offset = 77;
        const Longs drawn = gpu::to_host(Generator(21, offset).poisson({4000}, rate));
        const std::int64_t most = *std::max_element(drawn.begin(), drawn.end());
        std::vector<long double> below{0};  // of at most k - 1
        for (std::int64_t k = 0; k <= most; ++k)
            below.push_back(below.back() + poisson_density(static_cast<long double>(k), rate));
        const std::uint32_t stream = gpu::detail::random_stream(gpu::detail::Draw::poisson, gpu::DType::uint64);
        for (std::size_t k = 0; k < drawn.size(); ++k) {
            const std::uint64_t position = offset + k;
            const gpu::detail::PhiloxBlock block = gpu::detail::philox(21, position / 2, stream);
            const auto at = static_cast<std::size_t>(position % 2) * 2;
            const auto bits = static_cast<std::uint64_t>(block.words[at + 1]) << 32 | block.words[at];
            const long double u = static_cast<long double>(bits) * 0x1p-64L;
            REQUIRE(u >= below[static_cast<std::size_t>(drawn[k])] - 1e-13L);
            REQUIRE(u <= below[static_cast<std::size_t>(drawn[k]) + 1] + 1e-13L);
        }
    }
}

TEST_CASE("poisson has the mean, the variance and the shape of its distribution") {
    for (const double rate : {0.3, 4.0, 60.0}) {
        CAPTURE(rate);
        const int n = 30000;
        const Longs drawn = gpu::to_host(Generator(22).poisson({n}, rate));
        std::vector<double> counts(200, 0), expected;
        for (const std::int64_t each : drawn) ++counts.at(static_cast<std::size_t>(each));
        for (int k = 0; k < 200; ++k) expected.push_back(n * static_cast<double>(poisson_density(k, rate)));
        CHECK(std::fabs(chi_square(counts, expected)) < 5);
    }
    for (const double rate : {1e6, 0x1p30}) {
        CAPTURE(rate);
        const int n = 20000;
        const Longs drawn = gpu::to_host(Generator(23).poisson({n}, rate));
        double mean = 0, variance = 0;
        for (const std::int64_t each : drawn) mean += static_cast<double>(each) / n;
        for (const std::int64_t each : drawn)
            variance += (static_cast<double>(each) - mean) * (static_cast<double>(each) - mean) / n;
        CHECK(std::fabs(mean - rate) < 5 * std::sqrt(rate / n));
        CHECK(std::fabs(variance / rate - 1) < 5 * std::sqrt(2.0 / n));
    }
}

TEST_CASE("poisson's types, rates and shapes") {
    Generator a(24), b(24);
    const auto wide = gpu::to_host(a.poisson({3, 5}, 20));
    const auto bytes = gpu::to_host(b.poisson<std::uint8_t>({15}, 20));
    CHECK(std::equal(wide.begin(), wide.end(), bytes.begin(), bytes.end()));
    CHECK(a == b);
    Generator rest(24);
    rest.skip(13);
    CHECK(gpu::to_host(rest.poisson({2}, 20)) == Longs(wide.end() - 2, wide.end()));
    CHECK(gpu::to_host(a.poisson({4}, 0)) == Longs(4, 0));
    CHECK(gpu::to_host(a.poisson({4}, 1e-300)) == Longs(4, 0));
    CHECK(a.poisson({0, 2}, 3).size() == 0);
    CHECK(a.poisson({}, 3).shape() == gpu::Shape{});
    const std::uint64_t before = a.offset();
    CHECK_THROWS_WITH_AS((void)a.poisson({1}, -1), "poisson: a rate of -1; it must be between 0 and 2^30", gpu::Error);
    CHECK_THROWS_AS((void)a.poisson({1}, std::nan("")), gpu::Error);
    CHECK_THROWS_AS((void)a.poisson({1}, 0x1.0000001p30), gpu::Error);
    CHECK_THROWS_WITH_AS((void)a.poisson<std::int8_t>({1}, 60), doctest::Contains("occur, and not all are int8"),
                         gpu::Error);
    CHECK(a.offset() == before);
    gpu::random::seed(6);
    const Longs first = gpu::to_host(gpu::random::poisson({3}, 9));
    gpu::random::seed(6);
    CHECK(gpu::to_host(gpu::random::poisson({3}, 9)) == first);
}

// The same on the host and on a GPU: these are the host's.
TEST_CASE("choice and poisson give the same numbers on every device") {
    const gpu::Array<double> p = gpu::to_device({0.1, 0.25, 0.05, 0.35, 0.25});
    CHECK(gpu::to_host(Generator(31).choice(1000, {8})) == Longs{234, 269, 604, 209, 618, 493, 856, 716});
    CHECK(gpu::to_host(Generator(31).choice(1000, {8}, {.replace = false})) ==
          Longs{224, 105, 860, 319, 683, 925, 891, 428});
    CHECK(gpu::to_host(Generator(31).choice(5, {12}, {.p = p})) == Longs{3, 3, 3, 2, 4, 1, 3, 1, 3, 4, 3, 1});
    CHECK(gpu::to_host(Generator(31).choice(5, {5}, {.replace = false, .p = p})) == Longs{2, 3, 1, 4, 0});
    CHECK(gpu::to_host(Generator(31).poisson({12}, 4.5)) == Longs{2, 1, 6, 2, 1, 5, 3, 6, 5, 2, 2, 3});
    CHECK(gpu::to_host(Generator(31).poisson({6}, 1e9)) ==
          Longs{999970039, 999946753, 1000017350, 999963426, 999931502, 1000013528});
}
