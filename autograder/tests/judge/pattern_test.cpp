// SPDX-License-Identifier: MIT
#include "judge/values/pattern.hpp"

#include <cmath>
#include <functional>
#include <numeric>

#include <doctest/doctest.h>

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
