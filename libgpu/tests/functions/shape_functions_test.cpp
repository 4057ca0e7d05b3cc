// SPDX-License-Identifier: MIT
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

// NumPy's functions of an array's shape: each is the member of its name.
namespace {

using Ints = std::vector<int>;

gpu::Array<int> small() { return gpu::arange<int>(6).reshape({2, 3}); }

}  // namespace

TEST_CASE("an array's shape by NumPy's functions") {
    gpu::Array<int> x = small();
    //! [functions]
    gpu::Array<int> descending = gpu::flip(gpu::sort(gpu::to_device({2, 7, 1})));  // 7 2 1
    gpu::Array<int> mirrored = gpu::flip(x, {1});                                  // 2 1 0, 5 4 3
    auto turned = gpu::rot90(x);                                                   // (3,2)
    auto flat = gpu::ravel(x);                                                     // 0 1 2 3 4 5
    auto three = gpu::reshape(x, {3, -1});                                         // (3,2)
    auto column = gpu::expand_dims(flat, 1);                                       // (6,1)
    auto line = gpu::squeeze(column);                                              // (6,)
    auto repeated = gpu::broadcast_to(column, {6, 4});
    auto last_first = gpu::moveaxis(x, 1, 0), exchanged = gpu::swapaxes(x, 0, 1);  // (3,2)
    //! [functions]
    CHECK(gpu::to_host(descending) == Ints{7, 2, 1});
    CHECK(gpu::to_host(mirrored) == Ints{2, 1, 0, 5, 4, 3});
    CHECK(gpu::to_host(gpu::flip(x)) == Ints{5, 4, 3, 2, 1, 0});
    CHECK(gpu::to_host(turned) == Ints{2, 5, 1, 4, 0, 3});
    CHECK(gpu::to_host(gpu::rot90(x, -1)) == Ints{3, 0, 4, 1, 5, 2});
    CHECK(gpu::to_host(flat) == Ints{0, 1, 2, 3, 4, 5});
    CHECK(gpu::to_host(gpu::transpose(x)) == Ints{0, 3, 1, 4, 2, 5});
    CHECK(three.shape() == gpu::Shape{3, 2});
    CHECK(column.shape() == gpu::Shape{6, 1});
    CHECK(line.shape() == gpu::Shape{6});
    CHECK(repeated.shape() == gpu::Shape{6, 4});
    CHECK(gpu::to_host(repeated(3)) == Ints{3, 3, 3, 3});
    CHECK(gpu::to_host(last_first) == Ints{0, 3, 1, 4, 2, 5});
    CHECK(gpu::to_host(exchanged) == Ints{0, 3, 1, 4, 2, 5});
    CHECK(gpu::transpose(gpu::zeros<int>({2, 3, 4}), {2, 0, 1}).shape() == gpu::Shape{4, 2, 3});
    CHECK(gpu::squeeze(gpu::zeros<int>({1, 3, 1}), {2}).shape() == gpu::Shape{1, 3});
    CHECK_THROWS_AS((void)gpu::flip(x, {2}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::reshape(x, {4, 2}), gpu::ShapeError);
}

TEST_CASE("a window by a function shares the elements, and keeps them") {
    gpu::Array<int> x = small();
    gpu::transpose(x)(0) = 9;
    gpu::flip(x)(0, 0) = 7;
    CHECK(gpu::to_host(x) == Ints{9, 1, 2, 9, 4, 7});
    const gpu::Array<int> fixed = small();
    CHECK((std::is_same_v<decltype(gpu::flip(fixed)), gpu::View<const int>>));
    const auto kept = gpu::flip(small());  // the array itself is gone
    CHECK(gpu::to_host(kept) == Ints{5, 4, 3, 2, 1, 0});
}

TEST_CASE("of an expression, a mask's elements and rows, the functions give arrays") {
    const gpu::Array<int> x = small();
    CHECK(gpu::to_host(gpu::flip(x + 1)) == Ints{6, 5, 4, 3, 2, 1});
    CHECK(gpu::to_host(gpu::transpose(x * 2)) == Ints{0, 6, 2, 8, 4, 10});
    CHECK(gpu::to_host(gpu::rot90(x + 0)) == Ints{2, 5, 1, 4, 0, 3});
    CHECK(gpu::to_host((x + 0).rot90(2)) == Ints{5, 4, 3, 2, 1, 0});
    CHECK(gpu::to_host(gpu::flip(x[x > 3])) == Ints{5, 4});
    CHECK(gpu::to_host(gpu::reshape(x + 1, {3, 2})(2)) == Ints{5, 6});
    CHECK((std::is_same_v<decltype(gpu::flip(x + 1)), gpu::Array<int>>));
}
