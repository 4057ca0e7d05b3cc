// SPDX-License-Identifier: MIT
// Arrays put together and taken apart.
#include <doctest/doctest.h>

#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("concatenate, stack, hstack, vstack") {
    const auto a = gpu::arange<int>(6).reshape({2, 3});
    const auto b = gpu::arange<int>(6, 12).reshape({2, 3});
    //! [concatenate]
    gpu::Array<int> below = gpu::concatenate<int>({a, b});                        // (4,3)
    gpu::Array<int> beside = gpu::concatenate<int>({a, b}, {.axis = 1});          // (2,6)
    gpu::Array<int> layers = gpu::stack<int>({a, b});                             // (2,2,3)
    gpu::Array<int> mixed = gpu::vstack<int>({a, b(0), a(1) + b(1)});             // (4,3): views and expressions, too
    gpu::Array<int> wide = gpu::hstack<int>({a, b(gpu::all, gpu::slice(0, 1))});  // (2,4)
    gpu::Array<double> promoted = gpu::concatenate({a, gpu::ones<double>({1, 3})});
    //! [concatenate]
    CHECK(below.shape() == gpu::Shape{4, 3});
    CHECK(gpu::to_host(below) == Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    CHECK(gpu::to_host(beside) == Ints{0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11});
    CHECK(layers.shape() == gpu::Shape{2, 2, 3});
    CHECK(gpu::to_host(layers) == gpu::to_host(below));
    CHECK(gpu::to_host(mixed) == Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 14, 16});
    CHECK(gpu::to_host(wide) == Ints{0, 1, 2, 6, 3, 4, 5, 9});
    CHECK(gpu::to_host(promoted) == std::vector<double>{0, 1, 2, 3, 4, 5, 1, 1, 1});
    CHECK(gpu::stack<int>({a, b}, {.axis = -1}).shape() == gpu::Shape{2, 3, 2});
    CHECK(gpu::to_host(gpu::stack<int>({a(0), b(0)}, {.axis = 1})) == Ints{0, 6, 1, 7, 2, 8});
    CHECK(gpu::to_host(gpu::hstack<int>({a(0), b(1)})) == Ints{0, 1, 2, 9, 10, 11});
    CHECK(gpu::concatenate<int>({a, gpu::zeros<int>({0, 3})}).shape() == gpu::Shape{2, 3});
    std::vector<gpu::View<const int>> rows;
    for (int k = 0; k < 5; ++k) rows.push_back(a(k % 2));
    CHECK(gpu::to_host(gpu::stack(rows)(4)) == Ints{0, 1, 2});
    CHECK(gpu::concatenate(rows).shape() == gpu::Shape{15});
    CHECK(gpu::concatenate({a, gpu::ones<float>({2, 3})}).dtype() == gpu::DType::float64);
    CHECK(gpu::stack({a, b}).shape() == gpu::Shape{2, 2, 3});
}

TEST_CASE("what doesn't fit together is refused") {
    const auto a = gpu::zeros<int>({2, 3}), b = gpu::zeros<int>({2, 4});
    CHECK_THROWS_WITH_AS((void)gpu::concatenate<int>({a, b}),
                         "concatenate: shapes (2,3) and (2,4) differ in another axis than 0", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::concatenate<int>({a, a(0)}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::concatenate<int>({a, a}, {.axis = 2}), gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::stack<int>({a, b}), "stack: shapes (2,3) and (2,4) differ", gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::concatenate<int>({}), "concatenate: there is no array", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::concatenate<int>({a(0, 0)}), gpu::ShapeError);
}

TEST_CASE("split gives views") {
    //! [split]
    auto a = gpu::arange<int>(10);
    auto halves = gpu::split(a, 2);        // 0 1 2 3 4 | 5 6 7 8 9
    auto parts = gpu::split(a, {2, 5});    // 0 1 | 2 3 4 | 5 6 7 8 9
    auto thirds = gpu::array_split(a, 3);  // 0 1 2 3 | 4 5 6 | 7 8 9
    halves[1] = 0;                         // writes to a
    //! [split]
    CHECK(gpu::to_host(a) == Ints{0, 1, 2, 3, 4, 0, 0, 0, 0, 0});
    REQUIRE(parts.size() == 3);
    CHECK(gpu::to_host(parts[1]) == Ints{2, 3, 4});
    REQUIRE(thirds.size() == 3);
    CHECK(gpu::to_host(thirds[0]) == Ints{0, 1, 2, 3});
    CHECK(thirds[2].size() == 3);
    const auto m = gpu::arange<int>(12).reshape({3, 4});
    const auto columns = gpu::split(m, 4, {.axis = 1});
    static_assert(std::is_same_v<decltype(columns), const std::vector<gpu::View<const int>>>);
    CHECK(gpu::to_host(columns[3]) == Ints{3, 7, 11});
    CHECK(columns[3].shape() == gpu::Shape{3, 1});
    CHECK(gpu::split(m, {-1, 99})[1].shape() == gpu::Shape{1, 4});
    CHECK(gpu::split(m, {-1, 99})[2].shape() == gpu::Shape{0, 4});
    CHECK(gpu::split(m(0), {3, 1})[1].size() == 0);
    CHECK(gpu::array_split(gpu::arange<int>(2), 3)[2].size() == 0);
    CHECK_THROWS_WITH_AS((void)gpu::split(a, 3),
                         "split: axis 0 of an array of shape (10,) can't be cut into 3 equal parts", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::split(a, 0), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::split(a, 2, {.axis = 1}), gpu::AxisError);
}

TEST_CASE("repeat and tile") {
    //! [repeat]
    auto a = gpu::arange<int>(4).reshape({2, 2});   // 0 1 / 2 3
    auto rows = gpu::repeat(a, 2);                  // 0 1 / 0 1 / 2 3 / 2 3
    auto columns = gpu::repeat(a, 2, {.axis = 1});  // 0 0 1 1 / 2 2 3 3
    auto tiles = gpu::tile(a, {1, 2});              // 0 1 0 1 / 2 3 2 3
    //! [repeat]
    CHECK(gpu::to_host(rows) == Ints{0, 1, 0, 1, 2, 3, 2, 3});
    CHECK(gpu::to_host(columns) == Ints{0, 0, 1, 1, 2, 2, 3, 3});
    CHECK(gpu::to_host(tiles) == Ints{0, 1, 0, 1, 2, 3, 2, 3});
    CHECK(tiles.shape() == gpu::Shape{2, 4});
    CHECK(gpu::tile(a, {2}).shape() == gpu::Shape{2, 4});
    CHECK(gpu::tile(a(0), {3, 1}).shape() == gpu::Shape{3, 2});
    CHECK(gpu::to_host(gpu::tile(a(0), {2, 2})) == Ints{0, 1, 0, 1, 0, 1, 0, 1});
    CHECK(gpu::tile(a, {0, 1}).shape() == gpu::Shape{0, 2});
    CHECK(gpu::to_host(gpu::repeat(a.transpose(), 2, {.axis = -1})) == Ints{0, 0, 2, 2, 1, 1, 3, 3});
    CHECK(gpu::repeat(a, 0).size() == 0);
    const auto eight = gpu::ones<int>({1, 1, 1, 1, 1, 1, 1, 2});
    CHECK(gpu::repeat(eight, 3, {.axis = 7}).size() == 6);
    CHECK(gpu::tile(eight, {1, 1, 1, 1, 1, 1, 2, 2}).size() == 8);
    auto same = gpu::tile(a, {1});
    same = same + 1;  // a copy
    CHECK(gpu::to_host(a) == Ints{0, 1, 2, 3});
    CHECK_THROWS_AS((void)gpu::repeat(a, -1), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::repeat(a, 2, {.axis = 2}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::repeat(a, std::int64_t{1} << 62, {.axis = 0}), gpu::ShapeError);
}
