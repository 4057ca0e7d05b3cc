// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("cumsum adds up along an axis, or the flat array") {
    auto a = gpu::arange<float>(6).reshape({2, 3});
    //! [cumsum]
    auto flat = gpu::cumsum(a);                      // 0 1 3 6 10 15
    auto down = gpu::cumsum(a, {.axis = 0});         // 0 1 2 / 3 5 7
    auto exact = gpu::cumsum<double>(a * 0.1f, {.axis = -1});
    //! [cumsum]
    CHECK(gpu::to_host(flat) == std::vector<float>{0, 1, 3, 6, 10, 15});
    CHECK(flat.shape() == gpu::Shape{6});
    CHECK(gpu::to_host(down) == std::vector<float>{0, 1, 2, 3, 5, 7});
    CHECK(down.shape() == a.shape());
    const auto sums = gpu::to_host(exact);
    const double tenth = 0.1f, third = 3 * 0.1f;
    CHECK(sums[2] == tenth + static_cast<double>(0.1f * 2.f));
    CHECK(sums[3] == doctest::Approx(third));
    CHECK(gpu::to_host(gpu::cumsum(a.transpose(), {.axis = 1})) == std::vector<float>{0, 3, 1, 5, 2, 7});
    CHECK(gpu::to_host(gpu::cumsum(a(gpu::all, gpu::slice(2, -4, -1)))) == std::vector<float>{2, 3, 3, 8, 12, 15});
}

TEST_CASE("cumprod multiplies up") {
    //! [cumprod]
    auto factorials = gpu::cumprod(gpu::arange<int>(1, 8));   // 1 2 6 24 120 720 5040, in 64 bits
    //! [cumprod]
    static_assert(std::is_same_v<decltype(factorials), gpu::Array<std::int64_t>>);
    CHECK(gpu::to_host(factorials) == std::vector<std::int64_t>{1, 2, 6, 24, 120, 720, 5040});
    CHECK(gpu::to_host(gpu::cumprod<float>(gpu::to_device({2, 3}))) == std::vector<float>{2, 6});
}

TEST_CASE("cumsum: integers in 64 bits, unsigned ones unsigned, comparisons count") {
    static_assert(std::is_same_v<decltype(gpu::cumsum(gpu::zeros<std::uint8_t>({1}))), gpu::Array<std::uint64_t>>);
    CHECK(gpu::to_host(gpu::cumsum(gpu::full<std::uint8_t>({3}, 200))) == std::vector<std::uint64_t>{200, 400, 600});
    CHECK(gpu::to_host(gpu::cumsum(gpu::to_device({3.f, 1.f, 4.f}) > 2.f)) == std::vector<std::int64_t>{1, 1, 2});
}

TEST_CASE("cumsum of halves goes through float, of complex numbers through both parts") {
    const auto halves = gpu::to_host(gpu::cumsum(gpu::full<gpu::half>({4100}, gpu::half(0.5f))));
    CHECK(static_cast<float>(halves[4099]) == 2050.f);   // a running half would have stopped at 1024
    const auto turned = gpu::to_host(gpu::cumprod(gpu::full<gpu::complex<float>>({3}, gpu::complex<float>(0.f, 1.f))));
    CHECK(turned[1] == gpu::complex<float>(-1.f, 0.f));
    CHECK(turned[2] == gpu::complex<float>(0.f, -1.f));
}

TEST_CASE("cumsum of nothing, of one element, of a scalar") {
    CHECK(gpu::cumsum(gpu::zeros<float>({0})).shape() == gpu::Shape{0});
    CHECK(gpu::cumsum(gpu::zeros<float>({3, 0}), {.axis = 0}).shape() == gpu::Shape{3, 0});
    CHECK(gpu::cumsum(gpu::zeros<float>({0, 3}), {.axis = 0}).shape() == gpu::Shape{0, 3});
    CHECK(gpu::to_host(gpu::cumsum(gpu::full<float>({}, 4.f))) == std::vector<float>{4});
    CHECK_THROWS_WITH_AS((void)gpu::cumsum(gpu::zeros<float>({2, 3}), {.axis = 2}),
                         "axis 2 is out of bounds for an array of shape (2,3)", gpu::AxisError);
}

TEST_CASE("scans are right around the ends of their chunks") {
    for (int n : {127, 128, 129, 128 * 128, 128 * 128 + 1, 128 * 128 + 129}) {
        const auto sums = gpu::to_host(gpu::cumsum(gpu::arange<int>(n)));
        std::int64_t expected = 0;
        int wrong = 0;
        for (int k = 0; k < n; ++k) wrong += sums[static_cast<std::size_t>(k)] != (expected += k);
        CHECK_MESSAGE(wrong == 0, "of " << n);
    }
    auto cube = gpu::arange<int>(3 * 300 * 5).reshape({3, 300, 5});
    const auto sums = gpu::to_host(gpu::cumsum(cube, {.axis = 1}));
    int wrong = 0;
    for (int plane = 0; plane < 3; ++plane) {
        for (int column = 0; column < 5; ++column) {
            std::int64_t expected = 0;
            for (int row = 0; row < 300; ++row) {
                const int at = (plane * 300 + row) * 5 + column;
                wrong += sums[static_cast<std::size_t>(at)] != (expected += at);
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("long scans are accurate and the same on every run") {
    constexpr int n = (1 << 20) + 77;
    auto x = gpu::full<float>({n}, 0.1f);
    const auto first = gpu::to_host(gpu::cumsum(x)), second = gpu::to_host(gpu::cumsum(x));
    CHECK(first == second);
    double worst = 0;
    for (int k = 0; k < n; ++k) {
        const double exact = static_cast<double>(0.1f) * (k + 1);
        worst = std::fmax(worst, std::fabs(first[static_cast<std::size_t>(k)] - exact) / exact);
    }
    // At most 128 roundings at each of three levels and one to join them; a serial sum is far worse.
    CHECK(worst <= 3 * 129 * 0x1p-24);
}
