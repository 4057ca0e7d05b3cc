// SPDX-License-Identifier: MIT
#include "judge/values/compare.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "judge/arrays.hpp"

using namespace course;
using namespace course::testing;

namespace {

template <class T>
Comparison compared(const std::vector<T>& got, const Expected& want) {
    return compare("result", array(got), want, {});
}

}  // namespace

TEST_CASE("a NaN passes only where a NaN is expected") {
    CHECK_FALSE(is_right(not_a_number, 1, 1e300));
    CHECK_FALSE(is_right(1, not_a_number, infinity));
    CHECK(is_right(not_a_number, not_a_number, 0));
    CHECK_FALSE(is_right(1, 1, not_a_number));
    CHECK_FALSE(compared<float>({1, static_cast<float>(not_a_number)}, expected({1, 2}, 1e30)).passed);
    CHECK(compared<double>({1, not_a_number}, expected({1, not_a_number})).passed);
}

TEST_CASE("an infinity passes only where the same infinity is expected") {
    CHECK(is_right(infinity, infinity, 0));
    CHECK_FALSE(is_right(-infinity, infinity, infinity));
    CHECK_FALSE(is_right(infinity, 1e308, infinity));
    CHECK_FALSE(is_right(1e308, infinity, infinity));
    CHECK(compared<float>({-std::numeric_limits<float>::infinity()}, expected({-infinity})).passed);
}

TEST_CASE("an exact value beyond the largest float is an infinity in float, and a number in double") {
    CHECK(compared<float>({std::numeric_limits<float>::infinity()}, expected({1e39}, 0, 1e-6)).passed);
    CHECK_FALSE(compared<float>({std::numeric_limits<float>::max()}, expected({1e39}, 0, 1e-6)).passed);
    CHECK_FALSE(compared<double>({infinity}, expected({1e39}, 0, 1e-6)).passed);
}

TEST_CASE("minus zero is zero") { CHECK(compared<float>({-0.F}, expected({0})).passed); }

TEST_CASE("the tolerance is absolute plus relative plus the element's own") {
    CHECK(compared<double>({101.5}, expected({100}, 0.5, 0.01)).passed);
    CHECK_FALSE(compared<double>({101.6}, expected({100}, 0.5, 0.01)).passed);
    Expected want = expected({10, 10});
    want.bound = [](std::int64_t i) { return i == 0 ? 1.0 : 0.0; };
    CHECK(compared<double>({11, 10}, want).passed);
    CHECK_FALSE(compared<double>({10, 11}, want).passed);
}

TEST_CASE("a tolerance of zero takes equal values and no others") {
    CHECK(compared<float>({0.1F}, expected({static_cast<double>(0.1F)})).passed);
    CHECK_FALSE(compared<float>({std::nextafter(0.1F, 1.F)}, expected({static_cast<double>(0.1F)})).passed);
}

TEST_CASE("the worst error is in units of the allowed one and finite") {
    CHECK(compared<double>({1.5, 2}, expected({1, 2}, 2)).worst_error == doctest::Approx(0.25));
    CHECK(compared<double>({1}, expected({1})).worst_error == 0);
    const double without_tolerance = compared<double>({2}, expected({1})).worst_error;
    CHECK(without_tolerance > 1);
    CHECK(std::isfinite(without_tolerance));
    CHECK(std::isfinite(compared<double>({not_a_number}, expected({1}, 1)).worst_error));
}

TEST_CASE("64-bit integers are compared as integers") {
    const std::int64_t big = std::int64_t{1} << 53;
    CHECK(compared<std::int64_t>({big}, expected({static_cast<double>(big)})).passed);
    CHECK_FALSE(compared<std::int64_t>({big + 1}, expected({static_cast<double>(big)})).passed);
}

TEST_CASE("a boolean is 0 or 1, whatever byte came back") {
    Value got = array<std::uint8_t>({1, 2});
    got.type = protocol::Type::boolean;
    const Comparison comparison = compare("result", got, expected({1, 1}), {});
    CHECK_FALSE(comparison.passed);
    CHECK(comparison.difference->wrong == 1);
}

TEST_CASE("an empty result is right if an empty one is expected") {
    CHECK(compared<float>({}, expected({})).passed);
    CHECK_FALSE(compared<float>({}, expected({1})).passed);
    CHECK_FALSE(compared<float>({1}, expected({})).passed);
}

TEST_CASE("a wrong shape is named, with what it looks like") {
    const auto message = [](std::vector<std::int64_t> got, std::vector<std::int64_t> want) {
        const auto size = static_cast<std::size_t>(size_of(got));
        return compare("z", value_of(std::vector<float>(size), got),
                       expected(std::vector<double>(static_cast<std::size_t>(size_of(want))), want), {})
            .message;
    };
    CHECK(message({3, 4}, {4, 3}) == "z has shape (3,4), want (4,3): transposed?");
    CHECK(message({256}, {257}) == "z has shape (256), want (257): one element short");
    CHECK(message({258}, {257}) == "z has shape (258), want (257): one element too many");
    CHECK(message({1, 4}, {4}) == "z has shape (1,4), want (4): 2 dimensions, want 1");
    CHECK(message({1}, {}) == "z has shape (1), want (): 1 dimension, want 0");
    CHECK(message({5}, {9}) == "z has shape (5), want (9)");
}

TEST_CASE("fewer bytes than the shape needs are never read") {
    const Comparison comparison = compare("result", value_of<float>({1, 2}, {3}), expected({1, 2, 3}), {});
    CHECK_FALSE(comparison.passed);
    CHECK(comparison.message == "result has 8 bytes, which is not what its shape (3) needs");
}

TEST_CASE("the difference holds the first wrong element, the counts and its neighbours") {
    const Comparison comparison =
        compared<float>({1, 2, 3, 4, 50, 6, 7, 8, 90, 10}, expected({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    REQUIRE(comparison.difference);
    const Difference& difference = *comparison.difference;
    CHECK(difference.where == "result[4]");
    CHECK(difference.got == "50");
    CHECK(difference.want == "5");
    CHECK(difference.wrong == 2);
    CHECK(difference.total == 10);
    CHECK(difference.window.got == std::vector<std::string>{"2", "3", "4", "50", "6", "7", "8"});
    CHECK(difference.window.want == std::vector<std::string>{"2", "3", "4", "5", "6", "7", "8"});
    CHECK(difference.window.first_wrong == 3);
    CHECK(difference.window.more_before);
    CHECK(difference.window.more_after);
}

TEST_CASE("the window stays in the row of a matrix, and has no dots where the row ends") {
    const Comparison comparison =
        compare("result 2", value_of<float>({1, 2, 3, 4, 9, 6}, {2, 3}), expected({1, 2, 3, 4, 5, 6}, {2, 3}), {});
    REQUIRE(comparison.difference);
    CHECK(comparison.difference->where == "result 2 [1,1]");
    CHECK(comparison.difference->window.got == std::vector<std::string>{"4", "9", "6"});
    CHECK_FALSE(comparison.difference->window.more_before);
    CHECK_FALSE(comparison.difference->window.more_after);
}

TEST_CASE("what was never written says so") {
    const Comparison floats = compared<float>({1, unwritten_float()}, expected({1, 3.5}));
    REQUIRE(floats.difference);
    CHECK(floats.difference->got == "NaN (never written)");
    CHECK(floats.difference->want == "3.5");
    CHECK(compared<float>({static_cast<float>(not_a_number)}, expected({1})).difference->got == "NaN");
    CHECK(compared<std::int32_t>({7, -1}, expected({7, 3})).difference->got == "-1 (never written?)");
    CHECK(compared<float>({static_cast<float>(not_a_number)}, expected({1})).difference->window.got.empty());
}

TEST_CASE("what comes of a value that was read before anything was written there isn't called unwritten") {
    const auto read = [](const Value& got, const Expected& want) {
        return compare("result", got, want, {}, {}, FreshMemory::was_read).difference.value();
    };
    const Difference floats = read(array<float>({1, unwritten_float(), unwritten_float()}), expected({1, 3.5, 4}));
    CHECK(floats.got == "NaN (from an unset value)");
    CHECK(floats.pattern.starts_with("from a value that was read before anything was written there"));
    CHECK(read(array<float>({1, 2}), expected({1, 3})).got == "2");
    CHECK(read(array<std::int32_t>({7, -1}), expected({7, 3})).got == "-1 (from an unset value?)");
}

TEST_CASE("two numbers that look the same in short are written out") {
    const Comparison comparison =
        compared<float>({std::nextafter(0.1F, 1.F)}, expected({static_cast<double>(0.1F)}, 0, 1e-9));
    REQUIRE(comparison.difference);
    CHECK(comparison.difference->got == "0.100000009");
    CHECK(comparison.difference->want == "0.10000000149011612");
}

TEST_CASE("integers are written as such") {
    const Comparison comparison = compared<std::int32_t>({123456789}, expected({123456788}));
    CHECK(comparison.difference->got == "123456789");
    CHECK(comparison.difference->want == "123456788");
}

TEST_CASE("secret positions find what is wrong there, and then the first wrong element of all") {
    const Value got = array<float>({9, 1, 2, 9});
    const Expected want = expected({0, 1, 2, 3});
    const std::int64_t right[] = {1, 2}, wrong[] = {2, 3};
    CHECK(compare("result", got, want, {}, right).passed);
    const Comparison comparison = compare("result", got, want, {}, wrong);
    REQUIRE(comparison.difference);
    CHECK(comparison.difference->where == "result[0]");
    CHECK(comparison.difference->wrong == 2);
}

TEST_CASE("of a result so large that several threads compare it all wrong elements are found, the first one first") {
    std::vector<float> got(3'000'017, 1);
    for (const std::size_t i : {2'999'999UL, 524'288UL, 524'287UL, 3'000'016UL, 77'777UL}) got[i] = 2;
    got[1'500'000] = 3.5F;
    const Expected want{
        .shape = {3'000'017}, .at = [](std::int64_t) { return 1; }, .bound = {}, .absolute = 0.5, .relative = 0};
    const Comparison comparison = compared(got, want);
    CHECK_FALSE(comparison.passed);
    CHECK(comparison.worst_error == 5);
    REQUIRE(comparison.difference);
    CHECK(comparison.difference->where == "result[77777]");
    CHECK(comparison.difference->wrong == 6);
    CHECK(compared(std::vector<float>(3'000'017, 1.25F), want).worst_error == 0.5);
}

TEST_CASE("a changed input is named with its first changed element") {
    const Value before = array<float>({1, 2, 3});
    CHECK(describe_change(0, before, before).empty());
    CHECK(describe_change(1, before, array<float>({1, 5, 7})) ==
          "the function changed its input: argument 2, 2 of 3 elements; [1] was 2, now 5");
    CHECK(describe_change(0, before, array<float>({1, 2})) ==
          "the function changed its input: argument 1 had shape (3), now (2)");
}
