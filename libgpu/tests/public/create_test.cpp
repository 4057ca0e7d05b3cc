// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

// Arrays that are made on the device.
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

TEST_CASE("a number out of an integer type's range is refused, a fraction is cut off") {
    using Bytes = std::vector<std::uint8_t>;
    auto bytes = gpu::zeros<std::uint8_t>({3});
    auto ints = gpu::zeros<int>({3});
    auto naturals = gpu::zeros<std::uint64_t>({3});
    const auto at = gpu::to_device({0, 2});
    const auto refused = [](const auto& write, const std::string& said) {
        CHECK_THROWS_WITH_AS(write(), said.c_str(), gpu::DTypeError);
    };
    const std::string byte = " doesn't fit uint8 (0 to 255), the type of the array's elements";
    refused([&] { bytes = 300; }, "assignment: the number 300" + byte);
    refused([&] { bytes(0) = -1; }, "assignment: the number -1" + byte);
    refused([&] { bytes[bytes == 0] = 256; }, "assignment: the number 256" + byte);
    refused([&] { bytes[at] = 1e10; }, "assignment: the number 1e+10" + byte);
    refused([&] { bytes[{1, 2}] = 300u; }, "assignment: the number 300" + byte);
    refused([&] { bytes.put(at, NAN); }, "put: the number nan" + byte);
    refused([&] { (void)gpu::full<std::uint8_t>({3}, 300); }, "full: the number 300" + byte);
    refused([&] { (void)gpu::full_like(bytes, -0x1p63); }, "full_like: the number -9.22337e+18" + byte);
    refused([&] { (void)gpu::exclusive_scan<std::uint8_t>(bytes, "a + b", 300); },
            "exclusive_scan: the number 300" + byte);
    refused([&] { (void)gpu::arange<std::uint8_t>(257); }, "arange: the number 256" + byte);
    refused([&] { (void)gpu::arange<std::uint8_t>(3, -2, -1); }, "arange: the number -1" + byte);
    refused([&] { (void)gpu::arange<std::uint8_t>(0, 300., 0.5); }, "arange: the number 299.5" + byte);
    refused([&] { (void)gpu::linspace<std::uint8_t>(-1, 9, 3); }, "linspace: the number -1" + byte);
    refused([&] { (void)gpu::linspace<std::uint8_t>(0, INFINITY, 3); }, "linspace: the number inf" + byte);
    refused([&] { ints = 1LL << 31; },
            "assignment: the number 2147483648 doesn't fit int32 (-2147483648 to 2147483647), the type of the array's "
            "elements");
    refused([&] { ints.add_at(at, 0xffffffffu); },
            "add_at: the number 4294967295 doesn't fit int32 (-2147483648 to 2147483647), the type of the array's "
            "elements");
    refused([&] { naturals = -1; },
            "assignment: the number -1 doesn't fit uint64 (0 to 18446744073709551615), the type of the array's "
            "elements");
    auto longs = gpu::zeros<std::int64_t>({1});
    refused([&] { longs = 0x1p63; },
            "assignment: the number 9.22337e+18 doesn't fit int64 (-9223372036854775808 to 9223372036854775807), the "
            "type of the array's elements");
    CHECK_THROWS_AS((void)(bytes += 300), gpu::DTypeError);
    CHECK_THROWS_AS((void)(bytes(0) -= 300), gpu::DTypeError);
    CHECK_THROWS_AS((void)(bytes[at] += 300), gpu::DTypeError);
    CHECK_THROWS_AS((void)(bytes[bytes == 0] += 300), gpu::DTypeError);
    CHECK(gpu::to_host(bytes) == Bytes{0, 0, 0});  // nothing was written

    bytes = 255;
    bytes(0) = 2.75;
    bytes[{1}] = -0.5;
    CHECK(gpu::to_host(bytes) == Bytes{2, 0, 255});
    bytes[bytes == 0] = true;
    bytes.put(gpu::to_device({2}), 254.9f);
    CHECK(gpu::to_host(bytes) == Bytes{2, 1, 254});
    ints = -2.75f;
    ints(2) = std::int64_t{-1} << 31;
    CHECK(gpu::to_host(ints) == Ints{-2, -2, std::numeric_limits<int>::min()});
    naturals = ~std::uint64_t{0};
    CHECK(gpu::to_host(naturals)[2] == ~std::uint64_t{0});
    CHECK(gpu::to_host(gpu::arange<std::uint8_t>(254, 256)) == Bytes{254, 255});
    CHECK(gpu::to_host(gpu::full<std::int8_t>({1}, -128)) == std::vector<std::int8_t>{-128});
    auto truths = gpu::zeros<bool>({2});  // every number is true or false
    truths = 300;
    truths(0) = NAN;
    CHECK(gpu::to_host(truths) == std::vector<std::uint8_t>{1, 1});
    auto halves = gpu::full<gpu::half>({3}, 1.5);
    halves(0) = 0.25f;
    CHECK(gpu::to_host(halves.astype<float>()) == std::vector<float>{0.25f, 1.5f, 1.5f});
    halves = 2;
    CHECK(gpu::to_host(halves.astype<float>()) == std::vector<float>(3, 2));
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
    auto [jx, jy] = gpu::meshgrid(x, y, {.indexing = gpu::Indexing::ij});
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
    CHECK(gpu::to_host(jx) == gpu::to_host(ix));
    CHECK(gpu::to_host(jy) == gpu::to_host(iy));
    CHECK(gpu::meshgrid(x, y, z, {.indexing = gpu::Indexing::ij})[2].shape() ==
          gpu::meshgrid(x, y, z, gpu::Indexing::ij)[2].shape());
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

// Arrays put together and taken apart.
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

namespace {

using Floats = std::vector<float>;

}  // namespace

TEST_CASE("take gives the elements that an index array names") {
    auto x = gpu::arange<float>(12).reshape({3, 4});
    //! [take]
    auto index = gpu::to_device({3, 0, -1});
    auto flat = x.take(index);                                            // 3 0 11: counted in row-major order
    auto columns = x.take(index, {.axis = 1});                            // (3,3)
    auto around = x.take(index + 3, {.axis = 0, .mode = gpu::IndexMode::wrap});  // rows 0, 0 and 2
    //! [take]
    CHECK(gpu::to_host(flat) == Floats{3, 0, 11});
    CHECK(gpu::to_host(columns) == Floats{3, 0, 3, 7, 4, 7, 11, 8, 11});
    CHECK(gpu::to_host(around) == Floats{0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11});
    CHECK(gpu::to_host(x.take(gpu::to_device({-7, 1, 9}), {.axis = -1, .mode = gpu::IndexMode::clip})) ==
          Floats{0, 1, 3, 4, 5, 7, 8, 9, 11});
    CHECK(gpu::to_host(gpu::take(x * 2.f, index)) == Floats{6, 0, 22});
}

TEST_CASE("positions in a list") {
    //! [lists]
    auto x = gpu::arange<int>(6).reshape({2, 3});
    auto some = x.take({0, -1});                       // 0 5
    auto columns = x.take({2, 0}, {.axis = 1});        // 2 0 / 5 3
    x.put({1, 0}, 7, {.axis = 0});                     // 7 everywhere
    auto places = gpu::unravel_index({4, 2}, {2, 3});  // 1 0 and 1 2
    //! [lists]
    CHECK(gpu::to_host(some) == Ints{0, 5});
    CHECK(gpu::to_host(columns) == Ints{2, 0, 5, 3});
    CHECK(gpu::to_host(x) == Ints{7, 7, 7, 7, 7, 7});
    CHECK(gpu::to_host(places[0]) == std::vector<std::int64_t>{1, 0});
    CHECK(gpu::to_host(places[1]) == std::vector<std::int64_t>{1, 2});
    CHECK(gpu::to_host(gpu::take(x + 1, {0}, {.axis = 0})) == Ints{8, 8, 8});
    x(1).put({0}, 3);
    x(0).add_at({2, 2}, 1);
    x.add_at({1, 1}, gpu::to_device({10, 20, 30}), {.axis = 0});
    CHECK(gpu::to_host(x) == Ints{7, 7, 9, 23, 47, 67});
    CHECK_THROWS_AS((void)gpu::to_host(x.take({6})), gpu::IndexError);
    CHECK(gpu::to_host(gpu::diff(gpu::to_device({1, 4, 9, 16}), 2)) == Ints{2, 2});
    CHECK(gpu::to_host(gpu::linspace<double>(0, 1, 4, false)) == Doubles{0, 0.25, 0.5, 0.75});
    const auto one = gpu::ones<double>({2});
    CHECK(gpu::allclose(one, one + 1e-4, 1e-3).item());
    CHECK_FALSE(gpu::allclose(one, one + 1e-4, 1e-6).item());
    CHECK(gpu::allclose(one, one + 1e-4, 0, 1e-3).item());
    CHECK(gpu::all(gpu::isclose(one, 1.01, 0.1)).item());
}

TEST_CASE("the index' shape takes the axis' place") {
    auto x = gpu::arange<int>(24).reshape({2, 3, 4});
    auto index = gpu::to_device({0, 2, 1, 0}).reshape({2, 2});
    auto taken = x.take(index, {.axis = 1});
    CHECK(taken.shape() == gpu::Shape{2, 2, 2, 4});
    std::vector<int> expected;
    for (int plane = 0; plane < 2; ++plane) {
        for (int row : {0, 2, 1, 0}) {
            for (int column = 0; column < 4; ++column) expected.push_back(12 * plane + 4 * row + column);
        }
    }
    CHECK(gpu::to_host(taken) == expected);
    CHECK(x.take(gpu::zeros<int>({}), {.axis = 0}).shape() == gpu::Shape{3, 4});
    CHECK(x.take(gpu::zeros<int>({0, 5})).shape() == gpu::Shape{0, 5});
    CHECK(gpu::full<int>({}, 7).take(gpu::zeros<int>({2})).shape() == gpu::Shape{2});
    CHECK_THROWS_AS((void)x.take(gpu::zeros<int>({1, 1, 1, 1, 1, 1, 1}), {.axis = 0}), gpu::ShapeError);  // 9 axes
}

TEST_CASE("views are indexed as they are") {
    auto x = gpu::arange<double>(12).reshape({3, 4});
    auto index = gpu::to_device({std::int64_t{2}, std::int64_t{0}});
    auto turned = x.transpose();   // (4,3)
    CHECK(gpu::to_host(turned.take(gpu::to_device({1, 5}))) == std::vector<double>{4, 9});
    CHECK(gpu::to_host(turned.take(index, {.axis = 0})) == std::vector<double>{2, 6, 10, 0, 4, 8});
    CHECK(gpu::to_host(x(gpu::all, gpu::slice(3, -5, -2)).take(gpu::to_device({1, 0}), {.axis = 1})) ==
          std::vector<double>{1, 3, 5, 7, 9, 11});
    auto strided = gpu::to_device({0, 9, 1, 9});
    CHECK(gpu::to_host(turned.take(strided(gpu::slice(0, 4, 2)))) == std::vector<double>{0, 4});
    turned.put(gpu::to_device({1, 5}), -1.0, {.axis = gpu::none});
    CHECK(gpu::to_host(x) == std::vector<double>{0, 1, 2, 3, -1, 5, 6, 7, 8, -1, 10, 11});
}

TEST_CASE("indices of every integer type, elements of every size") {
    auto x = gpu::arange<float>(300);
    const Floats expected{7, 250};
    CHECK(gpu::to_host(x.take(gpu::to_device({std::uint8_t{7}, std::uint8_t{250}}))) == expected);
    CHECK(gpu::to_host(x.take(gpu::to_device({std::uint64_t{7}, std::uint64_t{250}}))) == expected);
    CHECK(gpu::to_host(x.take(gpu::to_device({std::int16_t{7}, std::int16_t{-50}}))) == expected);
    CHECK(gpu::to_host(gpu::arange<std::int8_t>(5).take(gpu::to_device({4, 1}))) == std::vector<std::int8_t>{4, 1});
    CHECK(gpu::to_host(gpu::arange<std::int16_t>(5).take(gpu::to_device({4, 1}))) == std::vector<std::int16_t>{4, 1});
    CHECK(gpu::to_host(gpu::Array<bool>(x > 8.f).take(gpu::to_device({4, 9}))) == std::vector<std::uint8_t>{0, 1});
    auto c = gpu::full<gpu::complex<double>>({3}, gpu::complex<double>(1, 2));
    c[gpu::to_device({1})] = gpu::complex<double>(3, 4);
    CHECK(gpu::to_host(c.take(gpu::to_device({1, 0})))[0] == gpu::complex<double>(3, 4));
    auto h = gpu::arange<float>(3).astype<gpu::half>();
    CHECK(static_cast<float>(gpu::to_host(h.take(gpu::to_device({2})))[0]) == 2.f);
}

TEST_CASE("put writes to the places that an index array names") {
    auto x = gpu::zeros<float>({2, 3});
    auto index = gpu::to_device({0, -1});
    //! [put]
    x.put(index, gpu::to_device({1.f, 2.f}), {.axis = gpu::none});  // x(0, 0) and x(1, 2)
    x.put(index, 5.f, {.axis = 1});                                 // two whole columns
    //! [put]
    CHECK(gpu::to_host(x) == Floats{5, 0, 5, 5, 0, 5});
    x.put(gpu::to_device({7, 4}), gpu::to_device({1.f, 2.f}) * 3.f, {.axis = gpu::none, .mode = gpu::IndexMode::wrap});
    CHECK(gpu::to_host(x) == Floats{5, 3, 5, 5, 6, 5});
    x.put(gpu::to_device({1}), gpu::to_device({8.f, 9.f}).reshape({2, 1}), {.axis = 1});
    CHECK(gpu::to_host(x) == Floats{5, 8, 5, 5, 9, 5});
    x.put(gpu::to_device({1, 1, 1}), 4.f, {.axis = gpu::none});  // one place, one value
    CHECK(gpu::to_host(x) == Floats{5, 4, 5, 5, 9, 5});
    x.put(gpu::to_device({5, 4, 3}), x(0, gpu::all), {.axis = gpu::none});  // values from the array itself
    CHECK(gpu::to_host(x) == Floats{5, 4, 5, 5, 4, 5});
    CHECK_THROWS_WITH_AS(x.put(index, gpu::ones<float>({3}), {.axis = gpu::none}), doctest::Contains("put: "),
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS(x.put(index, 1.f),
                         "put: an array of shape (2,3) has several axes: name one, {.axis = 0} for rows, or write "
                         "{.axis = gpu::none} for positions in the flat array",
                         gpu::AxisError);
    x.put(index, gpu::to_device({1.f, 2.f, 3.f}), {.axis = 0});
    CHECK(gpu::to_host(x) == Floats{1, 2, 3, 1, 2, 3});
}

TEST_CASE("x[index] reads and writes along the first axis") {
    auto x = gpu::arange<float>(6);
    auto index = gpu::to_device({1, 3});
    //! [index_array]
    gpu::Array<float> picked = x[index];   // 1 3
    x[index] = 10.f;
    x[{0, -1}] += 0.5f;
    //! [index_array]
    CHECK(gpu::to_host(picked) == Floats{1, 3});
    CHECK(gpu::to_host(x) == Floats{0.5f, 10, 2, 10, 4, 5.5f});
    x[index] = x[index + 1] * 2.f;
    CHECK(gpu::to_host(x) == Floats{0.5f, 4, 2, 8, 4, 5.5f});
    x[index] = x[gpu::to_device({3, 1})];
    CHECK(gpu::to_host(x) == Floats{0.5f, 8, 2, 4, 4, 5.5f});
    auto a = gpu::arange<float>(6).reshape({3, 2});
    a[gpu::to_device({2, 0})] = gpu::to_device({7.f, 8.f});
    CHECK(gpu::to_host(a) == Floats{7, 8, 2, 3, 7, 8});
    auto self = gpu::to_device({2, 0, 1});
    self[self] = gpu::to_device({10, 20, 30});
    CHECK(gpu::to_host(self) == std::vector<int>{20, 30, 10});
}

TEST_CASE("add_at adds all values that go to one place") {
    //! [add_at]
    auto counts = gpu::zeros<int>({4});
    counts.add_at(gpu::to_device({1, 3, 1, 1}), 1);   // 0 3 0 1: a histogram
    //! [add_at]
    CHECK(gpu::to_host(counts) == std::vector<int>{0, 3, 0, 1});
    auto sums = gpu::ones<double>({2});
    sums.add_at(gpu::to_device({0, 0}), gpu::to_device({0.5, 0.25}));
    CHECK(gpu::to_host(sums) == std::vector<double>{1.75, 1});
    // Rows of a matrix, as np.add.at does.
    auto rows = gpu::zeros<float>({3, 2});
    rows.add_at(gpu::to_device({0, 0, 2}), 1.f);
    CHECK(gpu::to_host(rows) == Floats{2, 2, 0, 0, 1, 1});
    rows.add_at(gpu::to_device({1, 1}), gpu::to_device({1.f, 2.f, 3.f, 4.f}).reshape({2, 2}));
    CHECK(gpu::to_host(rows) == Floats{2, 2, 4, 6, 1, 1});
    rows.add_at(gpu::to_device({1}), 5.f, {.axis = 1});
    rows.add_at(gpu::to_device({0, 0}), 10.f, {.axis = gpu::none});
    CHECK(gpu::to_host(rows) == Floats{22, 7, 4, 11, 1, 6});
    rows[gpu::to_device({0, 2})] += 1.f;
    CHECK(gpu::to_host(rows) == Floats{23, 8, 4, 11, 2, 7});
    CHECK_THROWS_WITH_AS(rows.add_at(gpu::to_device({0, 1}), gpu::ones<float>({2, 3})),
                         doctest::Contains("add_at: values of shape (2,3) can't be broadcast to the indexed places, of "
                                           "shape (2,2), along .axis = 0"),
                         gpu::ShapeError);
    auto large = gpu::full<std::int64_t>({1}, std::int64_t{1} << 40);
    large.add_at(gpu::zeros<int>({3}), std::int64_t{-1});
    CHECK(large.item() == (std::int64_t{1} << 40) - 3);
    auto small = gpu::zeros<std::int8_t>({2});
    CHECK_THROWS_AS(small.add_at(gpu::zeros<int>({3}), std::int8_t{1}), gpu::DTypeError);
}

TEST_CASE("an index out of bounds is reported by the next call that waits, once") {
    auto x = gpu::arange<float>(5);
    auto bad = gpu::to_device({1, 2, 7});
    auto taken = x.take(bad);
    CHECK_THROWS_WITH_AS(gpu::synchronize(),
                         "index 7 is out of bounds for axis 0 with size 5: element 2 of the index array "
                         "(IndexMode::wrap and clip take any index)",
                         gpu::IndexError);
    CHECK(gpu::to_host(taken) == Floats{1, 2, 0});
    x[bad] = 9.f;
    CHECK_THROWS_AS((void)gpu::to_host(x), gpu::IndexError);
    CHECK(gpu::to_host(x) == Floats{0, 9, 9, 3, 4});   // the others were written
    auto a = gpu::zeros<float>({2, 3});
    auto below = a.take(gpu::to_device({-4}), {.axis = 1});
    CHECK_THROWS_WITH_AS((void)gpu::sum(a).item(),
                         doctest::Contains("index -4 is out of bounds for axis 1 with size 3"), gpu::IndexError);
    auto huge = x.take(gpu::full<std::uint64_t>({1}, std::numeric_limits<std::uint64_t>::max()));
    gpu::Event done;
    done.record();
    CHECK_THROWS_WITH_AS(done.synchronize(), doctest::Contains("index 18446744073709551615 is out of bounds"),
                         gpu::IndexError);
    const auto stream_error = [&] {
        gpu::Stream stream;
        const gpu::StreamGuard guard(stream);
        x.put(bad, 1.f);
        stream.synchronize();
    };
    CHECK_THROWS_AS(stream_error(), gpu::IndexError);
    gpu::synchronize();
}

// CTest runs it with LIBGPU_LAUNCH_BLOCKING=1: gpu.index_blocking.
TEST_CASE("a launch that waits reports an index out of bounds itself" *
          doctest::skip(std::getenv("LIBGPU_LAUNCH_BLOCKING") == nullptr)) {
    auto x = gpu::arange<float>(5);
    auto bad = gpu::to_device({5});
    CHECK_THROWS_AS((void)x.take(bad), gpu::IndexError);
    CHECK_THROWS_AS(x.put(bad, 1.f), gpu::IndexError);
    gpu::synchronize();
}

TEST_CASE("arrays of two devices don't index each other") {
    if (gpu::Device::count() < 2) {
        std::puts("SKIP: arrays of two devices in an index: there is one device");
        return;
    }
    auto x = gpu::arange<float>(5);
    const gpu::DeviceGuard guard(gpu::Device(1));
    auto index = gpu::to_device({1});
    auto mask = gpu::ones<bool>({5});
    CHECK_THROWS_WITH_AS((void)x.take(index), doctest::Contains("take: one array is on "), gpu::DeviceError);
    CHECK_THROWS_AS(x.put(index, 1.f), gpu::DeviceError);
    CHECK_THROWS_AS((void)(x[mask] = 1.f), gpu::DeviceError);
    CHECK_THROWS_AS((void)x[mask].compress(), gpu::DeviceError);
    CHECK(x[{1, -1}].eval().device() == x.device());
    CHECK(gpu::cumsum(x).device() == x.device());
}

TEST_CASE("an axis without elements takes no index") {
    auto none = gpu::zeros<float>({0, 3});
    CHECK_THROWS_AS((void)none.take(gpu::zeros<int>({1}), {.axis = 0}), gpu::IndexError);
    CHECK_THROWS_AS((void)none.take(gpu::zeros<int>({1}), {.axis = 0, .mode = gpu::IndexMode::wrap}), gpu::IndexError);
    CHECK(none.take(gpu::zeros<int>({0}), {.axis = 0}).shape() == gpu::Shape{0, 3});
    CHECK(none.take(gpu::zeros<int>({2}), {.axis = 1}).shape() == gpu::Shape{0, 2});
    CHECK_THROWS_WITH_AS((void)none.take(gpu::zeros<int>({1}), {.axis = 2}),
                         "axis 2 is out of bounds for an array of shape (0,3)", gpu::AxisError);
}

TEST_CASE("an array that was moved from can't be indexed") {
    auto x = gpu::arange<float>(3);
    const auto mask = gpu::ones<bool>({3});
    const auto index = gpu::zeros<int>({1});
    auto y = std::move(x);
    // NOLINTBEGIN(bugprone-use-after-move)
    CHECK_THROWS_WITH_AS(x.put(index, 1.f), "put: this array was moved from; assign to it first", gpu::Error);
    CHECK_THROWS_AS((void)x.take(index), gpu::Error);
    CHECK_THROWS_AS((void)(x[mask] = 1.f), gpu::Error);
    // NOLINTEND(bugprone-use-after-move)
    CHECK(y.size() == 3);
}

TEST_CASE("an index out of bounds of a(...) is reported at once") {
    auto x = gpu::zeros<float>({5});
    CHECK_THROWS_WITH_AS((void)x(7), "index 7 is out of bounds for axis 0 with size 5", gpu::IndexError);
}

TEST_CASE("check mode finds nothing in indexing, masks and scans") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) {
        std::puts("SKIP: check mode of indexing: it is the host backend's");
        return;
    }
    const gpu::CheckReport report = gpu::check([] {
        auto x = gpu::arange<float>(300);
        x.put(x.take(gpu::to_device({0, 299, -1, 77})).astype<int>(), 1.f);
        x[x > 200.f] = x[x > 200.f] * 2.f;
        auto kept = gpu::cumsum(x[x > 150.f].compress());
        x[x > 150.f] = kept;
    });
    for (const auto& finding : report.findings)
        FAIL_CHECK(finding.kernel << ": " << finding.what << " " << finding.who);
}

TEST_CASE("unravel_index: positions in the flat array become indices along each axis") {
    //! [unravel_index]
    auto x = gpu::arange<int>(6).reshape({2, 3});
    auto indices = gpu::unravel_index(gpu::argmax(x), x.shape());  // 1 and 2
    //! [unravel_index]
    REQUIRE(indices.size() == 2);
    CHECK(indices[0].item() == 1);
    CHECK(indices[1].item() == 2);
    const auto many = gpu::unravel_index(gpu::to_device({{0, 23}, {-1, 5}}), {2, 3, 4});
    REQUIRE(many.size() == 3);
    CHECK(many[0].shape() == gpu::Shape{2, 2});
    CHECK(gpu::to_host(many[0]) == std::vector<std::int64_t>{0, 1, 1, 0});
    CHECK(gpu::to_host(many[1]) == std::vector<std::int64_t>{0, 2, 2, 1});
    CHECK(gpu::to_host(many[2]) == std::vector<std::int64_t>{0, 3, 3, 1});
    CHECK(gpu::to_host(gpu::unravel_index(gpu::to_device<std::uint8_t>({200}), {300})[0]) ==
          std::vector<std::int64_t>{200});
    CHECK(gpu::unravel_index(gpu::zeros<int>({0}), {2, 3})[1].shape() == gpu::Shape{0});
    CHECK(gpu::unravel_index(gpu::zeros<int>({2}), {}).empty());
    (void)gpu::unravel_index(gpu::to_device({6}), {2, 3});
    CHECK_THROWS_AS(gpu::synchronize(), gpu::IndexError);
}

// Random shapes, windows, axes and modes of indexing, masks and scans against loops over host memory.
namespace {

using Values = std::vector<int>;

class Draw {
public:
    explicit Draw(unsigned seed) : engine_(seed) {}
    int number(int least, int most) {
        return least + static_cast<int>(engine_() % static_cast<unsigned>(most - least + 1));
    }
    Values numbers(std::int64_t count, int least, int most) {
        Values values;
        for (std::int64_t k = 0; k < count; ++k) values.push_back(number(least, most));
        return values;
    }

private:
    std::mt19937 engine_;
};

// A 2-D window of `base`: whole, turned, backwards, or every second column.
gpu::View<int> window(gpu::Array<int>& base, int kind) {
    switch (kind) {
        case 0: return base(gpu::all, gpu::all);
        case 1: return base.transpose();
        case 2: return base(gpu::slice(gpu::none, gpu::none, -1), gpu::all);
        default: return base(gpu::all, gpu::slice(gpu::none, gpu::none, 2));
    }
}

std::int64_t resolved(std::int64_t index, std::int64_t length, gpu::IndexMode mode) {
    if (mode == gpu::IndexMode::clip) return index < 0 ? 0 : index >= length ? length - 1 : index;
    const std::int64_t rest = index % length;
    return rest < 0 ? rest + length : rest;   // raise: the indices are drawn inside
}

}  // namespace

TEST_CASE("random takes and puts agree with loops") {
    for (unsigned seed = 1; seed <= 150; ++seed) {
        Draw draw(seed);
        const int rows = draw.number(1, 5), columns = draw.number(1, 6);
        auto base = gpu::to_device(draw.numbers(rows * columns, 0, 99)).reshape({rows, columns});
        auto x = window(base, draw.number(0, 3));
        const Values before = gpu::to_host(x);
        const std::int64_t height = x.shape()[0], width = x.shape()[1];
        const auto mode = static_cast<gpu::IndexMode>(draw.number(0, 2));
        const int axis = draw.number(-1, 1);   // -1: flat
        const std::int64_t length = axis < 0 ? height * width : x.shape()[axis];
        const int reach = mode == gpu::IndexMode::raise ? static_cast<int>(length) : 40;
        const Values index = draw.numbers(draw.number(0, 4), -reach, reach - 1);
        const auto count = static_cast<std::int64_t>(index.size());
        const gpu::IndexOptions options{axis < 0 ? gpu::OptionalAxis{} : gpu::OptionalAxis(axis), mode};

        // Where each element of the result is, in the window's row-major order.
        std::vector<std::size_t> places;
        const std::int64_t lines = axis == 1 ? height : 1, inner = axis == 0 ? width : 1;
        for (std::int64_t line = 0; line < lines; ++line) {
            for (const int at : index) {
                for (std::int64_t k = 0; k < inner; ++k) {
                    const std::int64_t place = resolved(at, length, mode);
                    places.push_back(static_cast<std::size_t>(axis == 1 ? line * width + place : place * inner + k));
                }
            }
        }
        Values taken, after = before;
        for (const std::size_t place : places) {
            taken.push_back(before[place]);
            after[place] = 100 + before[place];   // the same for every index of a place
        }
        CAPTURE(seed);
        const auto device_index = gpu::to_device(index);
        const auto result = x.take(device_index, options);
        CHECK(gpu::to_host(result) == taken);
        x.put(device_index, result + 100, {axis < 0 ? gpu::OptionalAxis(gpu::none) : gpu::OptionalAxis(axis), mode});
        CHECK(gpu::to_host(x) == after);
        if (axis == 0) CHECK(result.shape() == gpu::Shape{count, width});
    }
}

TEST_CASE("random masks choose what a loop chooses") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Draw draw(seed);
        const int n = draw.number(0, 3) == 0 ? draw.number(0, 3) : draw.number(100, 700), bound = draw.number(0, 10);
        const Values values = draw.numbers(n, 0, 9);
        auto x = gpu::to_device(values);
        const gpu::Array<bool> mask = x < bound;
        Values kept, negated = values;
        for (int& value : negated) {
            if (value >= bound) continue;
            kept.push_back(value);
            value = -value;
        }
        CAPTURE(seed);
        const auto found = x[mask].compress();
        CHECK(gpu::to_host(found) == kept);
        auto y = x, z = x;
        y[mask] = -y[mask];
        z[mask] = -found;
        CHECK(gpu::to_host(y) == negated);
        CHECK(gpu::to_host(z) == negated);
    }
}

TEST_CASE("arange of uint64 refuses what would wrap around") {
    using U = std::uint64_t;
    CHECK_THROWS_WITH_AS((void)gpu::arange<U>(-1, 3),
                         "arange: -1 would be an element, and uint64 holds no negative numbers", gpu::DTypeError);
    CHECK_THROWS_WITH_AS((void)gpu::arange<U>(3, -3, -1),
                         "arange: -2 would be an element, and uint64 holds no negative numbers", gpu::DTypeError);
    CHECK(gpu::to_host(gpu::arange<U>(3, -1, -1)) == std::vector<U>{3, 2, 1, 0});
    CHECK(gpu::to_host(gpu::arange<U>(-1, -1)).empty());
    const U high = U{1} << 63;
    CHECK(gpu::to_host(gpu::arange<U>(high, high + 2)) == std::vector<U>{high, high + 1});
}

TEST_CASE("random scans agree with a serial sum") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Draw draw(seed);
        const int lines = draw.number(1, 3), n = draw.number(1, 400), inner = draw.number(1, 3);
        const Values values = draw.numbers(static_cast<std::int64_t>(lines) * n * inner, -1000, 1000);
        std::vector<std::int64_t> sums(values.begin(), values.end());
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const std::size_t step = static_cast<std::size_t>(inner);
            if (k / step % static_cast<std::size_t>(n) != 0) sums[k] += sums[k - step];
        }
        const auto x = gpu::to_device(values).reshape({lines, n, inner});
        CAPTURE(seed);
        CHECK(gpu::to_host(gpu::cumsum(x, {.axis = 1})) == sums);
    }
}
