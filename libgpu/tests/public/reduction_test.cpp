// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("sum over all, one or several axes") {
    auto a = gpu::arange<float>(24).reshape({2, 3, 4});
    //! [sum]
    float total = gpu::sum(a).item();                                         // 276
    gpu::Array<float> columns = gpu::sum(a, {.axis = 0});                     // (3,4)
    gpu::Array<float> planes = gpu::sum(a, {.axis = {1, 2}, .keepdims = true});  // (2,1,1)
    //! [sum]
    CHECK(total == 276.f);
    CHECK(columns.shape() == gpu::Shape{3, 4});
    CHECK(gpu::to_host(columns) == std::vector<float>{12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34});
    CHECK(planes.shape() == gpu::Shape{2, 1, 1});
    CHECK(gpu::to_host(planes) == std::vector<float>{66, 210});
    CHECK(gpu::to_host(gpu::sum(a, {.axis = -1})) == std::vector<float>{6, 22, 38, 54, 70, 86});
    CHECK(gpu::to_host(gpu::sum(a, {.axis = {0, 2}})) == std::vector<float>{60, 92, 124});
    CHECK(gpu::to_host(gpu::sum(a.transpose(), {.axis = 2})) ==
          gpu::to_host(gpu::Array<float>(gpu::sum(a, {.axis = 0}).transpose())));
}

TEST_CASE("an expression is summed in one kernel with it") {
    auto x = gpu::arange<float>(5), y = gpu::full<float>({5}, 2.f);
    const auto before = gpu::counts();
    auto dot = gpu::sum(x * y);
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(dot.item() == 20.f);
    CHECK(dot.shape() == gpu::Shape{});
}

TEST_CASE("integers add up in 64 bits, another accumulator can be named") {
    auto i = gpu::full<int>({3}, 2'000'000'000);
    static_assert(std::is_same_v<decltype(gpu::sum(i)), gpu::Array<std::int64_t>>);
    CHECK(gpu::sum(i).item() == 6'000'000'000);
    CHECK(gpu::sum(gpu::to_device({1.f, 2.f}) > 1.f).item() == 1);
    CHECK(gpu::sum<double>(gpu::full<float>({10}, 0.1f)).item() == doctest::Approx(static_cast<double>(0.1f) * 10));
}

TEST_CASE("the sum of nothing is 0, of one element itself") {
    CHECK(gpu::sum(gpu::zeros<float>({0})).item() == 0.f);
    CHECK(gpu::to_host(gpu::sum(gpu::ones<float>({3, 0}), {.axis = 1})) == std::vector<float>{0, 0, 0});
    CHECK(gpu::sum(gpu::ones<float>({0, 3}), {.axis = 1}).size() == 0);
    CHECK(gpu::sum(gpu::full<float>({}, 7.f)).item() == 7.f);
}

TEST_CASE("a wrong axis is an AxisError") {
    auto a = gpu::zeros<float>({2, 3});
    CHECK_THROWS_WITH_AS((void)gpu::sum(a, {.axis = 2}), "axis 2 is out of bounds for an array of shape (2,3)",
                         gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::sum(a, {.axis = {0, -2}}), "axis -2 is named twice", gpu::AxisError);
}

TEST_CASE("long sums are accurate and the same on every run") {
    const int n = (1 << 22) + 5;
    auto x = gpu::full<float>({n}, 0.1f);
    const float first = gpu::sum(x).item();
    CHECK(first == doctest::Approx(0.1f * static_cast<double>(n)).epsilon(1e-6));
    CHECK(gpu::sum(x).item() == first);
    CHECK(gpu::sum(gpu::ones<float>({1 << 25})).item() == static_cast<float>(1 << 25));  // a serial sum stops at 2^24
}

TEST_CASE("NaN stays NaN") {
    CHECK(std::isnan(gpu::sum(gpu::to_device({1.f, NAN, 2.f})).item()));
}

TEST_CASE("norm is the square root of the sum of squares") {
    //! [norm]
    auto v = gpu::to_device({3.f, 4.f});
    float length = gpu::linalg::norm(v).item();
    //! [norm]
    CHECK(length == 5.f);
    CHECK(gpu::linalg::norm(gpu::to_device({3, 4})).item() == 5.0);
    auto a = gpu::arange<double>(6).reshape({2, 3});
    const auto rows = gpu::to_host(gpu::linalg::norm(a, {.axis = 1}));
    CHECK(rows[0] == doctest::Approx(std::sqrt(5.0)));
    CHECK(rows[1] == doctest::Approx(std::sqrt(50.0)));
}
