// SPDX-License-Identifier: MIT
// Arrays that are made on the device.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Ints = std::vector<int>;
using Doubles = std::vector<double>;

}  // namespace

TEST_CASE("zeros, ones, full and empty, in both layouts") {
    //! [full]
    auto zeros = gpu::zeros<float>({2, 5});
    auto ones = gpu::ones<double>({3}, gpu::Layout::row_major);
    auto threes = gpu::full<int>({2, 3}, 3, gpu::Layout::column_major);
    auto room = gpu::empty<float>({4, 4});  // not filled
    //! [full]
    CHECK(gpu::to_host(zeros) == std::vector<float>(10, 0.f));
    CHECK(gpu::to_host(ones) == Doubles(3, 1));
    CHECK(gpu::to_host(threes) == Ints(6, 3));
    CHECK(threes.strides() == gpu::Strides{1, 2});
    CHECK(room.size() == 16);
    CHECK(gpu::zeros<int>({2, 3, 4}, gpu::Layout::column_major).strides() == gpu::Strides{1, 2, 6});
    CHECK(gpu::empty<int>({2, 3}, gpu::Layout::column_major).is_contiguous(gpu::Layout::column_major));
    CHECK(gpu::zeros<int>({3, 0, 2}).size() == 0);
    CHECK(gpu::ones<bool>({}).item());
    CHECK(gpu::full<std::uint64_t>({1}, ~std::uint64_t{0}).item() == ~std::uint64_t{0});
    CHECK(gpu::full<std::int64_t>({1}, (std::int64_t{1} << 53) + 1).item() == (std::int64_t{1} << 53) + 1);
    CHECK_THROWS_AS((void)gpu::zeros<int>({-1}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::empty<double>({std::int64_t{1} << 61}), gpu::ShapeError);  // 2^64 bytes
}

TEST_CASE("..._like keeps shape, layout and device; another element type is named") {
    const auto model = gpu::full<float>({2, 3}, 1.5f, gpu::Layout::column_major);
    //! [like]
    auto zeros = gpu::zeros_like(model);
    auto ones = gpu::ones_like<int>(model);  // other elements
    auto sevens = gpu::full_like(model, 7);
    auto room = gpu::empty_like(model);
    //! [like]
    static_assert(std::is_same_v<decltype(zeros), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype(ones), gpu::Array<int>>);
    CHECK(zeros.strides() == gpu::Strides{1, 2});
    CHECK(gpu::to_host(zeros) == std::vector<float>(6, 0.f));
    CHECK(gpu::to_host(ones) == Ints(6, 1));
    CHECK(gpu::to_host(sevens) == std::vector<float>(6, 7.f));
    CHECK(room.shape() == model.shape());
    CHECK(gpu::zeros_like(model(1)).shape() == gpu::Shape{3});
    if (gpu::Device::count() > 1) {
        const auto other = [] {
            const gpu::DeviceGuard guard(gpu::Device(1));
            return gpu::ones<int>({2});
        }();
        CHECK(gpu::zeros_like(other).device() == gpu::Device(1));
        CHECK(gpu::to_host(gpu::full_like(other, 4)) == Ints{4, 4});
        CHECK(gpu::ones_like(other).device() == other.device());
    }
}

TEST_CASE("arange") {
    //! [arange]
    auto five = gpu::arange<int>(5);         // 0 1 2 3 4
    auto down = gpu::arange<int>(5, 0, -2);  // 5 3 1
    auto tenths = gpu::arange<double>(0, 0.5, 0.1);
    //! [arange]
    CHECK(gpu::to_host(five) == Ints{0, 1, 2, 3, 4});
    CHECK(gpu::to_host(down) == Ints{5, 3, 1});
    CHECK(gpu::to_host(tenths) == Doubles{0, 0.1, 0.2, 3 * 0.1, 0.4});
    CHECK(gpu::arange<int>(3, 3).size() == 0);
    CHECK(gpu::arange<int>(-5).size() == 0);
    CHECK(gpu::to_host(gpu::arange<float>(2.5)) == std::vector<float>{0, 1, 2});
    const std::int64_t large = (std::int64_t{1} << 60) + 1;  // not a double
    CHECK(gpu::to_host(gpu::arange<std::int64_t>(large, large + 5, 2)) ==
          std::vector<std::int64_t>{large, large + 2, large + 4});
    constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    CHECK(gpu::to_host(gpu::arange<std::int64_t>(least, most, most)) == std::vector<std::int64_t>{least, -1, most - 1});
    CHECK(gpu::to_host(gpu::arange<std::int64_t>(0, -1, least)) == std::vector<std::int64_t>{0});
    CHECK(gpu::to_host(gpu::arange<double>(0.1, 1, 0.2))[3] == std::fma(3., 0.2, 0.1));
    CHECK_THROWS_AS((void)gpu::arange<int>(0, 5, 0), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::arange<double>(0, INFINITY), gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::arange<float>(0, 1e30),
                         "arange(0, 1e+30, 1): the step can't be 0, both ends must be finite, and the array's size "
                         "must fit 63 bits",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::arange<double>(0, NAN), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::arange<std::int8_t>(least, most), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::arange<double>(0, 1e300), gpu::ShapeError);
}

TEST_CASE("linspace and logspace") {
    //! [linspace]
    auto closed = gpu::linspace<double>(0, 1, 5);                          // 0 0.25 0.5 0.75 1
    auto half_open = gpu::linspace<double>(0, 1, 4, {.endpoint = false});  // 0 0.25 0.5 0.75
    auto decades = gpu::logspace<double>(0, 3, 4);                         // 1 10 100 1000
    auto octaves = gpu::logspace<float>(0, 3, 4, {.base = 2});             // 1 2 4 8
    //! [linspace]
    CHECK(gpu::to_host(closed) == Doubles{0, 0.25, 0.5, 0.75, 1});
    CHECK(gpu::to_host(half_open) == Doubles{0, 0.25, 0.5, 0.75});
    const auto powers = gpu::to_host(decades);
    for (std::size_t k = 0; k < powers.size(); ++k)
        CHECK(powers[k] == doctest::Approx(std::pow(10., double(k))).epsilon(1e-14));
    CHECK(gpu::to_host(octaves) == std::vector<float>{1, 2, 4, 8});
    CHECK(gpu::to_host(gpu::linspace<int>(0, 10, 4)) == Ints{0, 3, 6, 10});  // computed in double, then cut
    CHECK(gpu::to_host(gpu::linspace<float>(2, 7, 1)) == std::vector<float>{2});
    CHECK(gpu::to_host(gpu::linspace<float>(2, 7, 1, {.endpoint = false})) == std::vector<float>{2});
    CHECK(gpu::linspace<float>(2, 7, 0).size() == 0);
    CHECK(gpu::to_host(gpu::linspace<double>(3, 3, 3)) == Doubles(3, 3));
    const auto sevenths = gpu::to_host(gpu::linspace<double>(-1, 0.7, 8));
    CHECK(sevenths.back() == 0.7);
    const double step = (0.7 + 1) / 7;
    for (int k = 0; k < 7; ++k) CHECK(sevenths[std::size_t(k)] == std::fma(double(k), step, -1.));
    CHECK(gpu::to_host(gpu::linspace<float>(0, 1, 11))[3] == float(3 * (1. / 10)));
    CHECK_THROWS_AS((void)gpu::linspace<double>(0, 1, -1), gpu::ShapeError);
}

TEST_CASE("eye and identity") {
    //! [eye]
    auto unit = gpu::eye<float>(2);       // 1 0 / 0 1
    auto above = gpu::eye<int>(2, 3, 1);  // 0 1 0 / 0 0 1
    auto same = gpu::identity<float>(2);
    //! [eye]
    CHECK(gpu::to_host(unit) == std::vector<float>{1, 0, 0, 1});
    CHECK(gpu::to_host(above) == Ints{0, 1, 0, 0, 0, 1});
    CHECK(gpu::to_host(same) == gpu::to_host(unit));
    CHECK(gpu::to_host(gpu::eye<int>(3, 2, -1)) == Ints{0, 0, 1, 0, 0, 1});
    CHECK(gpu::to_host(gpu::eye<int>(2, 2, 5)) == Ints(4, 0));
    CHECK(gpu::eye<int>(0).shape() == gpu::Shape{0, 0});
}

TEST_CASE("triangles") {
    //! [triangles]
    auto a = gpu::arange<int>(1, 10).reshape({3, 3});
    gpu::Array<int> lower = gpu::tril(a);     // 1 0 0 / 4 5 0 / 7 8 9
    gpu::Array<int> upper = gpu::triu(a, 1);  // 0 2 3 / 0 0 6 / 0 0 0
    auto pattern = gpu::tri<int>(2, 3);       // 1 0 0 / 1 1 0
    //! [triangles]
    CHECK(gpu::to_host(lower) == Ints{1, 0, 0, 4, 5, 0, 7, 8, 9});
    CHECK(gpu::to_host(upper) == Ints{0, 2, 3, 0, 0, 6, 0, 0, 0});
    CHECK(gpu::to_host(pattern) == Ints{1, 0, 0, 1, 1, 0});
    CHECK(gpu::to_host(gpu::tril(a, -3)) == Ints(9, 0));
    CHECK(gpu::to_host(gpu::triu(a, -99)) == gpu::to_host(a));
    CHECK(gpu::to_host(gpu::tril(a + a, std::numeric_limits<std::int64_t>::max())) ==
          Ints{2, 4, 6, 8, 10, 12, 14, 16, 18});
    CHECK(gpu::to_host(gpu::triu(gpu::ones<int>({2, 2, 2}))) == Ints{1, 1, 0, 1, 1, 1, 0, 1});
    CHECK(gpu::tril(gpu::zeros<int>({0, 3})).size() == 0);
    CHECK_THROWS_AS((void)gpu::tril(gpu::arange<int>(3)), gpu::ShapeError);
}

TEST_CASE("meshgrid, in both orders") {
    //! [meshgrid]
    auto x = gpu::arange<int>(3), y = gpu::arange<int>(10, 12);
    auto [gx, gy] = gpu::meshgrid(x, y);                     // (2,3): x runs along rows
    auto [ix, iy] = gpu::meshgrid(x, y, gpu::Indexing::ij);  // (3,2): x is the row
    //! [meshgrid]
    CHECK(gx.shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(gx) == Ints{0, 1, 2, 0, 1, 2});
    CHECK(gpu::to_host(gy) == Ints{10, 10, 10, 11, 11, 11});
    CHECK(ix.shape() == gpu::Shape{3, 2});
    CHECK(gpu::to_host(ix) == Ints{0, 0, 1, 1, 2, 2});
    CHECK(gpu::to_host(iy) == Ints{10, 11, 10, 11, 10, 11});
    const auto z = gpu::arange<int>(4);
    const auto [a, b, c] = gpu::meshgrid(x, y, z);
    CHECK(a.shape() == gpu::Shape{2, 3, 4});
    CHECK(a(1, 2, 3).item() == 2);
    CHECK(b(1, 2, 3).item() == 11);
    CHECK(c(1, 2, 3).item() == 3);
    const auto grids = gpu::meshgrid(std::vector{x, y, z, z}, gpu::Indexing::ij);
    CHECK(grids.size() == 4);
    CHECK(grids[3].shape() == gpu::Shape{3, 2, 4, 4});
    CHECK(grids[3](2, 1, 3, 2).item() == 2);
    CHECK(gpu::meshgrid(std::vector{x})[0].shape() == gpu::Shape{3});
    CHECK(gpu::meshgrid(x, gpu::zeros<int>({0}))[0].shape() == gpu::Shape{0, 3});
    gx = gx + 1;  // a copy: x keeps its values
    CHECK(gpu::to_host(x) == Ints{0, 1, 2});
    CHECK_THROWS_AS((void)gpu::meshgrid(gpu::zeros<int>({2, 2}), x), gpu::ShapeError);
}

TEST_CASE("diag makes a matrix of a vector and a vector of a matrix; trace adds up a diagonal") {
    //! [diag]
    auto v = gpu::to_device({1, 2});
    auto matrix = gpu::diag(v);         // 1 0 / 0 2
    auto above = gpu::diag(v, 1);       // 0 1 0 / 0 0 2 / 0 0 0
    auto line = gpu::diag(above, 1);    // 1 2, a copy
    auto sum = gpu::trace(matrix);      // 3
    //! [diag]
    CHECK(gpu::to_host(matrix) == Ints{1, 0, 0, 2});
    CHECK(gpu::to_host(above) == Ints{0, 1, 0, 0, 0, 2, 0, 0, 0});
    CHECK(gpu::to_host(gpu::diag(v, -1)) == Ints{0, 0, 0, 1, 0, 0, 0, 2, 0});
    CHECK(gpu::to_host(line) == Ints{1, 2});
    CHECK(sum.item() == 3);
    static_assert(std::is_same_v<decltype(sum), gpu::Array<std::int64_t>>);
    above(0, 1) = 9;
    CHECK(gpu::to_host(line) == Ints{1, 2});
    CHECK(gpu::to_host(gpu::diag(v * v)) == Ints{1, 0, 0, 4});
    CHECK(gpu::diag(gpu::zeros<int>({0})).shape() == gpu::Shape{0, 0});
    CHECK(gpu::diag(gpu::zeros<int>({2, 3}), 5).shape() == gpu::Shape{0});
    CHECK_THROWS_AS((void)gpu::diag(gpu::zeros<int>({2, 2, 2})), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::diag(gpu::sum(v)), gpu::ShapeError);

    const auto cube = gpu::arange<int>(12).reshape({2, 2, 3});
    CHECK(gpu::to_host(gpu::trace(cube)) == std::vector<std::int64_t>{9, 11, 13});  // 0 + 9, 1 + 10, 2 + 11
    CHECK(gpu::to_host(gpu::trace(cube, 1, 1, 2)) == std::vector<std::int64_t>{6, 18});
    CHECK(gpu::trace<double>(matrix + 1, -1).item() == 1.);
    CHECK(gpu::trace(gpu::zeros<float>({0, 3})).item() == 0.f);
    CHECK_THROWS_AS((void)gpu::trace(v), gpu::ShapeError);
}
