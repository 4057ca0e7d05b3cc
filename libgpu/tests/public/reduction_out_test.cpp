// SPDX-License-Identifier: MIT
// Reductions into arrays and views that exist.
#include <doctest/doctest.h>

#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("a reduction writes into an array that exists") {
    //! [out]
    auto a = gpu::arange<float>(6).reshape({2, 3});
    auto sums = gpu::zeros<float>({3});
    gpu::sum(a, {.axis = 0, .out = gpu::out(sums)});  // 3 5 7
    //! [out]
    CHECK(gpu::to_host(sums) == std::vector<float>{3, 5, 7});
    const auto before = gpu::counts();
    gpu::sum(a, {.axis = 0, .out = gpu::out(sums)});
    CHECK((gpu::counts() - before).allocations == 0);

    auto column = gpu::zeros<float>({2, 1});
    gpu::max(a, {.axis = 1, .keepdims = true, .out = gpu::out(column)});
    CHECK(gpu::to_host(column) == std::vector<float>{2, 5});
    auto one = gpu::zeros<std::int64_t>({});
    gpu::argmax(a, {.out = gpu::out(one)});
    CHECK(one.item() == 5);
    gpu::count_nonzero(a, {.out = gpu::out(one)});
    CHECK(one.item() == 5);
    auto flag = gpu::zeros<bool>({2});
    gpu::all(a, {.axis = 1, .out = gpu::out(flag)});
    CHECK(gpu::to_host(flag) == std::vector<std::uint8_t>{0, 1});
    gpu::any(a < 3.f, {.axis = 1, .out = gpu::out(flag)});
    CHECK(gpu::to_host(flag) == std::vector<std::uint8_t>{1, 0});
}

TEST_CASE("views take results, also strided and transposed ones, and nothing beside them is written") {
    const auto a = gpu::arange<float>(24).reshape({2, 3, 4});
    auto wide = gpu::full<float>({4, 6}, -1.f);
    gpu::sum(a, {.axis = 0, .out = gpu::out(wide(gpu::all, gpu::slice(0, 6, 2)).transpose())});
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 3; ++column) {
            CHECK(wide(row, 2 * column).item() == static_cast<float>(12 + 2 * (4 * column + row)));
            CHECK(wide(row, 2 * column + 1).item() == -1.f);
        }
    }
    auto backwards = gpu::zeros<double>({2, 1, 4});
    gpu::mean<double>(a, {.axis = 1, .keepdims = true, .out = gpu::out(backwards(gpu::slice(0, 2), gpu::all))});
    CHECK(gpu::to_host(backwards) == std::vector<double>{4, 5, 6, 7, 16, 17, 18, 19});
}

TEST_CASE("an output may overlap the input") {
    auto a = gpu::arange<float>(12).reshape({3, 4});
    gpu::sum(a, {.axis = 0, .out = gpu::out(a(1, gpu::all))});
    CHECK(gpu::to_host(a) == std::vector<float>{0, 1, 2, 3, 12, 15, 18, 21, 8, 9, 10, 11});
    auto b = gpu::arange<float>(4).reshape({2, 2});
    gpu::prod(b + 1.f, {.axis = 1, .keepdims = true, .out = gpu::out(b(gpu::all, gpu::slice(1, 2)))});
    CHECK(gpu::to_host(b) == std::vector<float>{0, 2, 2, 12});
}

TEST_CASE("what doesn't fit is refused: type, shape, stale expressions") {
    auto a = gpu::ones<float>({2, 3});
    auto y = gpu::zeros<float>({3});
    auto d = gpu::zeros<double>({3});
    CHECK_THROWS_WITH_AS(gpu::sum(a, {.axis = 0, .out = gpu::out(d)}),
                         "sum: the result has float32 elements, the array of gpu::out() has float64", gpu::DTypeError);
    CHECK_NOTHROW(gpu::sum<double>(a, {.axis = 0, .out = gpu::out(d)}));
    CHECK_THROWS_WITH_AS(gpu::min(a, {.axis = 1, .out = gpu::out(y)}),
                         "min: the result has shape (2,), the array of gpu::out() has (3,)", gpu::ShapeError);
    CHECK_THROWS_AS(gpu::min(a, {.axis = 0, .keepdims = true, .out = gpu::out(y)}), gpu::ShapeError);
    const auto twice = a * 2.f;
    gpu::sum(a, {.axis = 0, .out = gpu::out(a(0, gpu::all))});
    CHECK_THROWS_AS((void)gpu::sum(twice), gpu::ExpressionError);  // the result counts as a write
}
