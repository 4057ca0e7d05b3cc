// SPDX-License-Identifier: MIT
#include "judge/values/random_inputs.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <doctest/doctest.h>

#include "judge/arrays.hpp"

using namespace course;

namespace {

using Shape = std::vector<std::int64_t>;

template <class T>
std::vector<T> uniform(RandomInputs& inputs, const Shape& shape, double low, double high) {
    std::vector<T> values(static_cast<std::size_t>(size_of(shape)));
    inputs.uniform(static_cast<ElementType>(testing::type_of<T>()), shape, low, high,
                   std::as_writable_bytes(std::span(values)));
    return values;
}

std::vector<int> integers(RandomInputs& inputs, const Shape& shape, int low, int high) {
    std::vector<int> values(static_cast<std::size_t>(size_of(shape)));
    inputs.integers(ElementType::int32, shape, low, high, std::as_writable_bytes(std::span(values)));
    return values;
}

bool hides(const std::vector<int>& values, const Shape& shape) { return hides_mistakes(std::span(values), shape); }

}  // namespace

TEST_CASE("inputs that would hide mistakes are recognised") {
    CHECK(hides({4, 4, 4}, {3}));
    CHECK(hides({1, 2, 1}, {3}));
    CHECK(hides({1, 2, 2, 1}, {4}));
    CHECK(hides({1, 2, 2, 3}, {2, 2}));
    CHECK_FALSE(hides({1, 2, 2, 3}, {4}));
    CHECK_FALSE(hides({1, 2, 3, 4}, {2, 2}));
    CHECK_FALSE(hides({5}, {1}));
    CHECK_FALSE(hides({}, {0}));
}

TEST_CASE("drawn inputs hide nothing, even where chance would let them") {
    RandomInputs inputs(7, 0);
    for (int round = 0; round < 500; ++round) {
        CHECK_FALSE(hides(integers(inputs, {2}, 0, 1), {2}));
        CHECK_FALSE(hides(integers(inputs, {3}, 0, 1), {3}));
        CHECK_FALSE(hides(integers(inputs, {2, 2}, 0, 1), {2, 2}));
    }
    CHECK(integers(inputs, {3}, 5, 5) == std::vector<int>{5, 5, 5});   // the check asked for a constant
}

TEST_CASE("uniform values fill their range evenly") {
    RandomInputs inputs(7, 0);
    const std::vector<float> floats = uniform<float>(inputs, {100'001}, -1, 3);
    const std::vector<double> doubles = uniform<double>(inputs, {100'001}, -1, 3);
    const auto check = [](const auto& values) {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        CHECK(*low >= -1);
        CHECK(*low < -0.99);
        CHECK(*high <= 3);
        CHECK(*high > 2.99);
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 100'001;
        CHECK(std::abs(mean - 1) < 0.03);   // 8 standard errors
    };
    check(floats);
    check(doubles);
}

TEST_CASE("whole numbers include both ends") {
    RandomInputs inputs(7, 0);
    const std::vector<int> values = integers(inputs, {1000}, -2, 2);
    CHECK(std::set<int>(values.begin(), values.end()) == std::set<int>{-2, -1, 0, 1, 2});
    const auto [low, high] = std::pair{std::numeric_limits<int>::min(), std::numeric_limits<int>::max()};
    const std::vector<int> wide = integers(inputs, {1000}, low, high);
    CHECK(*std::min_element(wide.begin(), wide.end()) < low / 2);
    CHECK(*std::max_element(wide.begin(), wide.end()) > high / 2);
}

TEST_CASE("the same seed and task give the same inputs") {
    RandomInputs a(1, 0), b(1, 0), other_task(1, 1), other_seed(2, 0);
    const std::vector<float> values = uniform<float>(a, {100}, 0, 1);
    CHECK(values == uniform<float>(b, {100}, 0, 1));
    CHECK(values != uniform<float>(other_task, {100}, 0, 1));
    CHECK(values != uniform<float>(other_seed, {100}, 0, 1));
    CHECK(values != uniform<float>(a, {100}, 0, 1));
}

TEST_CASE("any number of threads draws the same") {
    std::vector<float> floats;
    std::vector<int> integers_drawn;
    for (const int threads : {1, 2, 7}) {
        CAPTURE(threads);
        RandomInputs inputs(7, 0, threads);
        const std::vector<float> drawn = uniform<float>(inputs, {1'000'003}, -1, 1);
        const std::vector<int> whole = integers(inputs, {700'001}, -1'000'000, 1'000'000);
        if (threads == 1) floats = drawn, integers_drawn = whole;
        CHECK(drawn == floats);
        CHECK(whole == integers_drawn);
        CHECK(uniform<float>(inputs, {3}, 0, 1).size() == 3);
    }
    // Pieces with equal seeds would repeat one another.
    const std::set<float> values(floats.begin(), floats.end());
    CHECK(values.size() > 950'000);
    RandomInputs other(8, 0, 2);
    CHECK(uniform<float>(other, {1'000'003}, -1, 1) != floats);
}

TEST_CASE("seeds of the system differ") { CHECK(random_seed() != random_seed()); }

TEST_CASE("positions lie inside, in increasing order, and cover the array") {
    RandomBits bits(5);
    const std::vector<std::int64_t> positions = random_positions(bits, 1'000'000, 65'536);
    CHECK(positions.size() == 65'536);
    CHECK(std::is_sorted(positions.begin(), positions.end()));
    CHECK(positions.front() >= 0);
    CHECK(positions.front() < 1000);
    CHECK(positions.back() < 1'000'000);
    CHECK(positions.back() > 999'000);
}
