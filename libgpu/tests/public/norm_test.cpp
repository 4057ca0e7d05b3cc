// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("norm is the square root of the sum of squares") {
    //! [norm]
    auto v = gpu::to_device({3.f, -4.f});
    float length = gpu::linalg::norm(v).item();                      // 5
    float taxi = gpu::linalg::norm(v, {.ord = 1}).item();            // 7
    float largest = gpu::linalg::norm(v, {.ord = INFINITY}).item();  // 4
    //! [norm]
    CHECK(length == 5.f);
    CHECK(taxi == 7.f);
    CHECK(largest == 4.f);
    CHECK(gpu::linalg::norm(gpu::to_device({3, 4})).item() == 5.0);
    auto a = gpu::arange<double>(6).reshape({2, 3});
    const auto rows = gpu::to_host(gpu::linalg::norm(a, {.axis = 1}));
    CHECK(rows[0] == doctest::Approx(std::sqrt(5.0)));
    CHECK(rows[1] == doctest::Approx(std::sqrt(50.0)));
    CHECK(gpu::linalg::norm(a).item() == doctest::Approx(std::sqrt(55.0)));
    auto y = gpu::zeros<double>({3, 1});
    gpu::linalg::norm(a.transpose(), {.axis = 1, .keepdims = true, .ord = 1, .out = gpu::out(y)});
    CHECK(gpu::to_host(y) == std::vector<double>{3, 5, 7});
}

TEST_CASE("norms of every order, of rows and of expressions") {
    const auto a = gpu::to_device({1., -2., 0., 0., -3., 4.}).reshape({2, 3});
    const auto of_rows = [&](double ord) { return gpu::to_host(gpu::linalg::norm(a, {.axis = 1, .ord = ord})); };
    CHECK(of_rows(0) == std::vector<double>{2, 2});
    CHECK(of_rows(1) == std::vector<double>{3, 7});
    CHECK(of_rows(INFINITY) == std::vector<double>{2, 4});
    CHECK(of_rows(-INFINITY) == std::vector<double>{0, 0});
    CHECK(of_rows(3)[1] == doctest::Approx(std::cbrt(27. + 64.)));
    CHECK(of_rows(0.5)[0] == doctest::Approx(std::pow(1 + std::sqrt(2.), 2)));
    CHECK(gpu::linalg::norm(gpu::to_device({1, -2, 3}) * 2, {.ord = 1}).item() == 12.0);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::norm(a, {.ord = 1}),
                         "linalg::norm: an order other than 2 is for vectors, over one axis, not over 2 of shape "
                         "(2,3): name an axis, or reshape",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::linalg::norm(a, {.axis = 0, .ord = NAN}), gpu::Error);
}

TEST_CASE("NaN and nothing") {
    const auto x = gpu::to_device({1.f, NAN, 5.f});
    for (const double ord : {1., 2., 3., static_cast<double>(INFINITY), static_cast<double>(-INFINITY)}) {
        CAPTURE(ord);
        CHECK(std::isnan(gpu::linalg::norm(x, {.ord = ord}).item()));
    }
    CHECK(gpu::linalg::norm(x, {.ord = 0}).item() == 3.f);
    const auto nothing = gpu::zeros<float>({0});
    CHECK(gpu::linalg::norm(nothing).item() == 0.f);
    CHECK(gpu::linalg::norm(nothing, {.ord = INFINITY}).item() == 0.f);
    CHECK_THROWS_AS((void)gpu::linalg::norm(nothing, {.ord = -INFINITY}), gpu::ShapeError);
}
