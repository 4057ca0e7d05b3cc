// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include <doctest/doctest.h>

#include "judge/arrays.hpp"
#include "judge/values/compare.hpp"
#include "judge/values/random_inputs.hpp"

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

using namespace course;

namespace {

using Index = std::int64_t;

std::string places(Index size, const std::function<bool(Index)>& is_wrong) {
    std::vector<Index> wrong;
    for (Index i = 0; i < size; ++i)
        if (is_wrong(i)) wrong.push_back(i);
    return describe_places(wrong, {size});
}

std::string places(Index rows, Index columns, const std::function<bool(Index, Index)>& is_wrong) {
    std::vector<Index> wrong;
    for (Index i = 0; i < rows * columns; ++i)
        if (is_wrong(i / columns, i % columns)) wrong.push_back(i);
    return describe_places(wrong, {rows, columns});
}

// got[i] = change(i, want[i]) with want values that have no pattern of their own.
struct Example {
    std::vector<Index> shape;
    std::vector<double> got, want;
    std::vector<std::vector<double>> inputs;
    double tolerance = 1e-6;

    explicit Example(std::vector<Index> of_shape) : shape(std::move(of_shape)) {
        const Index size = std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
        for (Index i = 0; i < size; ++i)
            want.push_back(std::fmod(static_cast<double>(i * i * 7 + i * 13 + 5), 101) + 1);
        got = want;
    }

    std::string text() const {
        WrongResult result;
        result.shape = shape;
        result.got = got;
        result.want = want;
        const auto right = [this](double value, Index i) {
            return std::abs(value - want[static_cast<std::size_t>(i)]) <= tolerance;
        };
        std::vector<Index> wrong;
        for (std::size_t i = 0; i < want.size(); ++i)
            if (!right(got[i], static_cast<Index>(i))) wrong.push_back(static_cast<Index>(i));
        result.wrong = wrong;
        result.fits = right;
        result.unwritten = [this](Index i) { return got[static_cast<std::size_t>(i)] == -12345; };
        result.inputs.assign(inputs.begin(), inputs.end());
        return describe(result);
    }
};

Example line(Index size, const std::function<double(Index, double)>& change) {
    Example example({size});
    for (Index i = 0; i < size; ++i) {
        const auto k = static_cast<std::size_t>(i);
        example.got[k] = change(i, example.want[k]);
    }
    return example;
}

}  // namespace

TEST_CASE("no wrong elements, or only wrong ones, are in no particular place") {
    CHECK(places(100, [](Index) { return false; }) == "");
    CHECK(places(100, [](Index) { return true; }) == "");
}

TEST_CASE("all in the last block") {
    CHECK(places(1009, [](Index i) { return i >= 768; }) == "all in the last block of 256");
    CHECK(places(300, [](Index i) { return i >= 256; }) == "all in the last block of 256");
    CHECK(places(1009, [](Index i) { return i >= 896; }) == "all in the last block of 128");
    CHECK(places(1009, [](Index i) { return i >= 800 && i % 7 == 0; }) == "all in the last block of 256");
    CHECK(places(100'003, [](Index i) { return i >= 99'840; }) == "all in the last block of 256");
}

TEST_CASE("the last element alone") {
    CHECK(places(1009, [](Index i) { return i == 1008; }) == "the last element alone");
    CHECK(places(257, [](Index i) { return i == 256; }) ==
          "the last element alone, all there is in the last block of 256");
    CHECK(places(33, [](Index i) { return i == 32; }) ==
          "the last element alone, all there is in the last block of 32");
    CHECK(places(31, [](Index i) { return i == 30; }) == "the last element alone");
}

TEST_CASE("the first element alone") {
    CHECK(places(256, [](Index i) { return i == 0; }) == "the first element alone");
}

TEST_CASE("every 32nd element") {
    CHECK(places(1009, [](Index i) { return i % 32 == 0; }) == "every 32nd element");
    CHECK(places(1009, [](Index i) { return i % 32 == 31; }) == "every 32nd element, from index 31 on");
    CHECK(places(100, [](Index i) { return i % 2 == 1; }) == "every 2nd element, from index 1 on");
    CHECK(places(100, [](Index i) { return i % 3 == 0; }) == "every 3rd element");
    CHECK(places(100, [](Index i) { return i % 11 == 0; }) == "every 11th element");
    CHECK(places(100, [](Index i) { return i % 21 == 0; }) == "every 21st element");
}

TEST_CASE("all but every 32nd element") {
    CHECK(places(1009, [](Index i) { return i % 32 != 0; }) == "all but every 32nd element");
    CHECK(places(1009, [](Index i) { return i % 4 != 1; }) == "all but every 4th element, from index 1 on");
}

TEST_CASE("only the first element of each block") {
    CHECK(places(1009, [](Index i) { return i % 256 == 0; }) == "only the first element of each block of 256");
    CHECK(places(1009, [](Index i) { return i % 128 == 127; }) == "only the last element of each block of 128");
    CHECK(places(1009, [](Index i) { return i % 256 != 0; }) == "all but the first element of each block of 256");
}

TEST_CASE("all but the first block") {
    CHECK(places(1009, [](Index i) { return i >= 256; }) == "all but the first block of 256");
    CHECK(places(100'003, [](Index i) { return i >= 1024; }) == "all but the first block of 1024");
    CHECK(places(1009, [](Index i) { return i > 0; }) == "all but the first element");
}

TEST_CASE("one run of neighbours") {
    CHECK(places(1009, [](Index i) { return i >= 300; }) == "all from index 300 on");
    CHECK(places(1009, [](Index i) { return i < 10; }) == "the first 10 elements");
    CHECK(places(1009, [](Index i) { return i < 256; }) == "all in the first block of 256");
    CHECK(places(1009, [](Index i) { return i < 768; }) == "all but the last block of 256");
    CHECK(places(1009, [](Index i) { return i < 1008; }) == "all but the last element");
    CHECK(places(1009, [](Index i) { return i >= 512 && i < 768; }) == "all in block 2 of 256");
}

TEST_CASE("scattered elements have no pattern") {
    CHECK(places(1009, [](Index i) { return i == 17 || i == 500 || i == 501; }) == "");
    CHECK(places(1009, [](Index i) { return i == 17; }) == "");
    CHECK(places(1009, [](Index i) { return i * 7919 % 13 == 2 || i % 17 == 3; }) == "");
}

TEST_CASE("rows, columns, the border and the diagonal of a matrix") {
    CHECK(places(19, 67, [](Index, Index c) { return c == 66; }) == "all in the last column");
    CHECK(places(19, 67, [](Index r, Index) { return r == 18; }) == "all in the last row");
    CHECK(places(19, 67, [](Index, Index c) { return c == 3; }) == "all in column 3");
    CHECK(places(19, 67, [](Index r, Index c) { return r == 4 && c > 50; }) == "all in row 4");
    CHECK(places(19, 67, [](Index r, Index c) { return r == 0 || c == 0 || r == 18 || c == 66; }) ==
          "all on the border");
    CHECK(places(64, 64, [](Index r, Index c) { return r == c; }) == "all on the diagonal");
    CHECK(places(64, 64, [](Index r, Index c) { return r != c; }) == "all but the diagonal");
    CHECK(places(64, 64, [](Index r, Index c) { return r > c; }) == "all below the diagonal");
    CHECK(places(64, 64, [](Index r, Index c) { return r < c; }) == "all above the diagonal");
    CHECK(places(19, 67, [](Index, Index c) { return c >= 64; }) == "all columns from 64 on");
    CHECK(places(19, 67, [](Index r, Index) { return r >= 16; }) == "all rows from 16 on");
}

TEST_CASE("never written, and where") {
    CHECK(line(300, [](Index i, double w) { return i < 256 ? w : -12345; }).text() ==
          "never written, all in the last block of 256");
    CHECK(line(20, [](Index, double) { return -12345.0; }).text() == "never written");
}

TEST_CASE("NaN, infinite and zero") {
    CHECK(line(20, [](Index, double) { return std::nan(""); }).text() == "not a number (NaN)");
    CHECK(line(20, [](Index, double) { return INFINITY; }).text() == "infinite");
    CHECK(line(20, [](Index, double) { return 0.0; }).text() == "all zero");
    CHECK(line(20, [](Index i, double w) { return i == 19 ? 0 : w; }).text() == "zero, the last element alone");
}

TEST_CASE("an int that overflowed, and a variable that nothing has set") {
    const std::string overflow = "off by 2^32 or a multiple: it looks as if an int has overflowed";
    CHECK(line(20, [](Index i, double w) { return w - 4294967296.0 * static_cast<double>(1 + i % 3); }).text() ==
          overflow);
    CHECK(line(20, [](Index, double w) { return w - 4294967290.0; }).text() != overflow);
    Example large = line(20, [](Index, double w) { return w - 2 * 4294967296.0; });
    large.tolerance = 2147483648.0;
    CHECK(large.text() != overflow);
    Example sums = line(20, [](Index, double w) { return w; });
    for (std::size_t i = 1; i < 20; ++i) sums.got[i] = sums.got[i - 1] + sums.want[i];
    CHECK(sums.text() == "each has the result of the element before added: it looks as if a thread adds to a variable "
                         "that nothing has set");
}

TEST_CASE("an input returned unchanged") {
    Example example = line(20, [](Index i, double) { return 0.25 * static_cast<double>(i * i); });
    example.inputs = {std::vector<double>(20, 1.0), example.got};
    CHECK(example.text() == "argument 2 returned unchanged");
}

TEST_CASE("transposed") {
    Example square({8, 8}), wide({3, 5});
    for (std::size_t r = 0; r < 8; ++r)
        for (std::size_t c = 0; c < 8; ++c) square.got[r * 8 + c] = square.want[c * 8 + r];
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 5; ++c) wide.got[c * 3 + r] = wide.want[r * 5 + c];
    CHECK(square.text() == "transposed");
    CHECK(wide.text() == "transposed");
}

TEST_CASE("shifted by one and reversed") {
    Example left({20}), right({20}), reversed({20});
    for (std::size_t i = 0; i < 20; ++i) {
        left.got[i] = i + 1 < 20 ? left.want[i + 1] : 0;
        right.got[i] = i > 0 ? right.want[i - 1] : 0;
        reversed.got[i] = reversed.want[19 - i];
    }
    CHECK(left.text() == "shifted by one: element i has the value of element i + 1");
    CHECK(right.text() == "shifted by one: element i has the value of element i - 1");
    CHECK(reversed.text() == "in reverse order");
}

TEST_CASE("a constant offset") {
    CHECK(line(20, [](Index, double w) { return w + 1; }).text() == "constant offset +1");
    CHECK(line(20, [](Index, double w) { return w - 0.125; }).text() == "constant offset -0.125");
    CHECK(line(512, [](Index i, double w) { return i < 256 ? w : w + 2; }).text() ==
          "constant offset +2, all in the last block of 256");
}

TEST_CASE("a constant factor") {
    CHECK(line(20, [](Index, double w) { return 2 * w; }).text() == "off by a constant factor 2");
    CHECK(line(20, [](Index, double w) { return w / 32; }).text() == "off by a constant factor 1/32");
    CHECK(line(20, [](Index, double w) { return 1.5 * w; }).text() == "off by a constant factor 1.5");
    CHECK(line(20, [](Index, double w) { return -w; }).text() == "right except for the sign");
}

TEST_CASE("one value everywhere") {
    CHECK(line(20, [](Index, double) { return 77.5; }).text() == "all equal to 77.5");
}

TEST_CASE("a scalar is twice as much, one too much, or just wrong") {
    const auto scalar = [](double got, double want) {
        Example example((std::vector<Index>()));
        example.want = {want};
        example.got = {got};
        return example.text();
    };
    CHECK(scalar(10, 5) == "off by a constant factor 2");
    CHECK(scalar(8, 7) == "constant offset +1");
    CHECK(scalar(0, 7) == "zero");
    CHECK(scalar(11, 7) == "");
    CHECK(scalar(7.0003, 7) == "");
}

TEST_CASE("values without a pattern leave the places") {
    CHECK(line(300, [](Index i, double w) { return i < 256 ? w : w + static_cast<double>(i % 5) - 7; }).text() ==
          "all in the last block of 256");
    CHECK(line(1009, [](Index i, double w) { return i % 97 == 5 || i % 31 == 2 ? w + static_cast<double>(i) : w; })
              .text() == "");
}

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
