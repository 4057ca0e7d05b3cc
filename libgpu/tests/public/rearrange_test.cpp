// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("roll moves elements on, and those beyond the end to the start") {
    //! [roll]
    auto v = gpu::arange<int>(5);
    auto moved = gpu::roll(v, 2);                        // 3 4 0 1 2
    auto x = gpu::arange<int>(6).reshape({2, 3});
    auto rows = gpu::roll(x, 1, {.axis = 0});            // 3 4 5 / 0 1 2
    auto flat = gpu::roll(x, 1);                         // 5 0 1 / 2 3 4
    //! [roll]
    CHECK(gpu::to_host(moved) == Ints{3, 4, 0, 1, 2});
    CHECK(gpu::to_host(rows) == Ints{3, 4, 5, 0, 1, 2});
    CHECK(gpu::to_host(flat) == Ints{5, 0, 1, 2, 3, 4});
    CHECK(flat.shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(gpu::roll(x, -1, {.axis = -1})) == Ints{1, 2, 0, 4, 5, 3});
    CHECK(gpu::to_host(gpu::roll(v, 0)) == Ints{0, 1, 2, 3, 4});
    CHECK(gpu::to_host(gpu::roll(v, 12)) == Ints{3, 4, 0, 1, 2});
    CHECK(gpu::to_host(gpu::roll(v, std::numeric_limits<std::int64_t>::min())) == Ints{3, 4, 0, 1, 2});
    CHECK(gpu::to_host(gpu::roll(v * 2, -1)) == Ints{2, 4, 6, 8, 0});
    CHECK(gpu::to_host(gpu::roll(x.transpose(), 1)) == Ints{5, 0, 3, 1, 4, 2});
    CHECK(gpu::roll(gpu::zeros<float>({0, 3}), 1).shape() == gpu::Shape{0, 3});
    CHECK(gpu::roll(gpu::sum(v), 1).item() == 10);
    CHECK_THROWS_AS((void)gpu::roll(x, 1, {.axis = 2}), gpu::AxisError);
}

TEST_CASE("diff: what neighbours differ by") {
    //! [diff]
    auto x = gpu::to_device({1, 2, 4, 7, 0});
    auto steps = gpu::diff(x);              // 1 2 3 -7
    auto second = gpu::diff(x, {.n = 2});   // 1 1 -10
    //! [diff]
    CHECK(gpu::to_host(steps) == Ints{1, 2, 3, -7});
    CHECK(gpu::to_host(second) == Ints{1, 1, -10});
    const auto m = gpu::to_device({{1, 3, 6}, {0, 5, 7}});
    CHECK(gpu::to_host(gpu::diff(m)) == Ints{2, 3, 5, 2});
    CHECK(gpu::to_host(gpu::diff(m, {.axis = 0})) == Ints{-1, 2, 1});
    CHECK(gpu::to_host(gpu::diff(m, {.n = 0})) == gpu::to_host(m));
    CHECK(gpu::diff(m, {.n = 7}).shape() == gpu::Shape{2, 0});
    CHECK(gpu::diff(gpu::zeros<int>({0})).shape() == gpu::Shape{0});
    CHECK(gpu::to_host(gpu::diff(gpu::to_device<bool>({true, false, false}))) == std::vector<std::uint8_t>{1, 0});
    CHECK(gpu::to_host(gpu::diff(gpu::to_device<std::uint8_t>({3, 1}))) == std::vector<std::uint8_t>{254});
    CHECK(gpu::to_host(gpu::diff(x * x)) == Ints{3, 12, 33, -49});
    CHECK_THROWS_AS((void)gpu::diff(x, {.n = -1}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::diff(x, {.axis = 1}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::diff(gpu::sum(x)), gpu::AxisError);
}
