// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

TEST_CASE("a fused function takes arrays, Eigen's arrays and numbers") {
    //! [fuse]
    auto square_sum = gpu::fuse([](auto x, auto y) { return gpu::sum(x * y, {.axis = -1}); });
    auto x = gpu::arange<float>(6).reshape({2, 3}), y = gpu::ones<float>({2, 3});
    gpu::Array<float> rows = square_sum(x, y);           // one kernel
    Eigen::ArrayXXf u{{0, 1, 2}, {3, 4, 5}}, v = Eigen::ArrayXXf::Ones(2, 3);
    Eigen::ArrayXf host = square_sum(u, v);              // Eigen
    float one = square_sum(3.f, 4.f);                    // a number
    //! [fuse]
    CHECK(gpu::to_host(rows) == std::vector<float>{3, 12});
    CHECK(host.size() == 2);
    CHECK(host(1) == 12);
    CHECK(one == 12);
    const auto before = gpu::counts();
    rows = square_sum(x, y);
    const auto work = gpu::counts() - before;
    CHECK(work.launches == 1);
    CHECK(work.copies_on_device == 0);
    CHECK(gpu::to_host(square_sum(x + 1.f, y(gpu::slice(0, 2), gpu::all))) == std::vector<float>{6, 15});
}

TEST_CASE("a fused expression is evaluated where it is called") {
    auto difference = gpu::fuse([](auto a, auto b) { return (a - b) * (a - b); });
    auto x = gpu::to_device({1.f, 2.f}), y = gpu::to_device({4.f, 4.f});
    auto z = difference(x, y);
    static_assert(std::is_same_v<decltype(z), gpu::Array<float>>);
    x = x * 0.f;
    CHECK(gpu::to_host(z) == std::vector<float>{9, 4});
    Eigen::ArrayXd a{{1, 2}}, b{{4, 4}};
    auto w = difference(a, b);
    static_assert(std::is_same_v<decltype(w), Eigen::ArrayXd>);
    a.setZero();
    CHECK(w(0) == 9);
    CHECK(difference(5, 2) == 9);
    auto same = gpu::fuse([](auto same_one) { return same_one; });
    static_assert(std::is_same_v<decltype(same(y)), gpu::Array<float>>);
    CHECK(gpu::to_host(same(y)) == std::vector<float>{4, 4});
}
