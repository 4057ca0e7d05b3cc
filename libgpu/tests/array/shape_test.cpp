// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>

#include <gpu/error.hpp>
#include <gpu/shape.hpp>

using gpu::Shape;
using gpu::Strides;

TEST_CASE("a shape is written as NumPy writes it") {
    CHECK(to_string(Shape{}) == "()");
    CHECK(to_string(Shape{5}) == "(5,)");
    CHECK(to_string(Shape{2, 3}) == "(2,3)");
}

TEST_CASE("a shape takes any integers and counts its elements") {
    const std::size_t n = 4;
    CHECK(Shape{2, 3L, n}.size() == 24);
    CHECK(Shape{}.size() == 1);
    CHECK(Shape{3, 0, 5}.size() == 0);
    CHECK(Shape{std::int64_t{1} << 31, 4}.size() == std::int64_t{1} << 33);
}

TEST_CASE("a shape refuses negative lengths, nine axes, and more elements than can be counted") {
    CHECK_THROWS_WITH_AS((void)Shape{-1}, "a shape can't have the negative length -1", gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)(Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), "an array has at most 8 axes", gpu::ShapeError);
    const std::int64_t large = std::int64_t{1} << 32;
    CHECK_THROWS_AS((void)(Shape{large, large}.size()), gpu::ShapeError);
}

TEST_CASE("dense strides follow the layout") {
    CHECK(gpu::dense_strides(Shape{2, 3, 4}) == Strides{12, 4, 1});
    CHECK(gpu::dense_strides(Shape{2, 3, 4}, gpu::Layout::column_major) == Strides{1, 2, 6});
    CHECK(gpu::dense_strides(Shape{}).rank() == 0);
}

TEST_CASE("broadcasting aligns at the last axis and stretches ones") {
    CHECK(gpu::broadcast({2, 3}, {3}) == Shape{2, 3});
    CHECK(gpu::broadcast({4, 1}, {3}) == Shape{4, 3});
    CHECK(gpu::broadcast({}, {2, 2}) == Shape{2, 2});
    CHECK(gpu::broadcast({0, 3}, {1, 3}) == Shape{0, 3});
}

TEST_CASE("broadcasting refuses lengths that differ, and names both shapes") {
    CHECK_THROWS_WITH_AS((void)gpu::broadcast({2, 3}, {2}),
                         "operands could not be broadcast together with shapes (2,3) (2,)",
                         gpu::ShapeError);
}
