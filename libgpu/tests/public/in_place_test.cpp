// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("operators in place are one kernel and allocate nothing") {
    auto x = gpu::to_device({1.f, 2.f, 3.f});
    const float* const address = std::as_const(x).data();
    const auto before = gpu::counts();
    x += 1.f;
    x *= gpu::to_device({2.f, 3.f, 4.f}) - 1.f;
    const auto work = gpu::counts() - before;
    CHECK(work.launches == 2);
    CHECK(work.allocations == 1);   // the temporary array's
    CHECK(std::as_const(x).data() == address);
    CHECK(gpu::to_host(x) == std::vector<float>{2, 6, 12});
    x -= x;
    CHECK(gpu::to_host(x) == std::vector<float>{0, 0, 0});
}

TEST_CASE("each operator in place, on arrays and windows") {
    auto i = gpu::to_device({13, 14, 15, 16});
    i -= 1;
    i /= 2;
    i %= 4;
    i <<= 3;
    i |= 1;
    i ^= 3;
    i >>= 1;
    i &= 13;
    std::vector<int> want;
    for (int v : {13, 14, 15, 16}) want.push_back((((((((v - 1) / 2) % 4) << 3) | 1) ^ 3) >> 1) & 13);
    CHECK(gpu::to_host(i) == want);
    auto a = gpu::arange<float>(6).reshape({2, 3});
    a(1, gpu::all) += 10;
    a(gpu::all, gpu::slice(0, 3, 2)) *= -1.f;
    auto column = a(gpu::all, 1);
    column -= 1.f;
    CHECK(gpu::to_host(a) == std::vector<float>{-0.f, 0, -2, -13, 13, -15});
    auto mask = gpu::to_device({1, 0}) > 0;
    gpu::Array<bool> m = mask;
    m |= gpu::to_device({0, 0}) == 0;
    CHECK(gpu::to_host(m) == std::vector<std::uint8_t>{1, 1});
    a += gpu::to_device({1.f, 2.f, 3.f});   // broadcasts to the left side's shape
    CHECK(gpu::to_host(a) == std::vector<float>{1, 2, 1, -12, 15, -12});
    auto row = gpu::to_device({1.f, 2.f, 3.f});
    CHECK_THROWS_AS((void)(row += a), gpu::ShapeError);
}

TEST_CASE("what a target shares with its inputs is read before it is written") {
    auto a = gpu::arange<float>(9).reshape({3, 3});
    gpu::Array<float> b = a;
    b += b.transpose();
    CHECK(gpu::to_host(b) == std::vector<float>{0, 4, 8, 4, 8, 12, 8, 12, 16});
    auto line = gpu::arange<float>(6);
    line(gpu::slice(1, 6)) += line(gpu::slice(0, 5));
    CHECK(gpu::to_host(line) == std::vector<float>{0, 1, 3, 5, 7, 9});
    auto reversed = gpu::arange<float>(5);
    reversed += reversed(gpu::slice(4, -6, -1));
    CHECK(gpu::to_host(reversed) == std::vector<float>{4, 4, 4, 4, 4});
    auto c = gpu::arange<float>(9).reshape({3, 3});
    gpu::Array<float> d = c;
    d = d - d(0, gpu::all);   // a row of itself, broadcast
    CHECK(gpu::to_host(d) == std::vector<float>{0, 0, 0, 3, 3, 3, 6, 6, 6});
    gpu::Array<float> e = c;
    e(gpu::slice(0, 2), gpu::all) = e(gpu::slice(1, 3), gpu::all) * 2.f + e(gpu::slice(0, 2), gpu::all);
    CHECK(gpu::to_host(e) == std::vector<float>{6, 9, 12, 15, 18, 21, 6, 7, 8});
}

TEST_CASE("half and complex arrays change in place") {
    auto h = gpu::to_device({gpu::half(1), gpu::half(2)});
    h *= 1.5;
    CHECK(gpu::to_host(h) == std::vector<gpu::half>{gpu::half(1.5), gpu::half(3)});
    using Z = gpu::complex<float>;
    auto z = gpu::to_device({Z(1, 1), Z(2, 0)});
    z *= Z(0, 1);
    z += 1;
    CHECK(gpu::to_host(z) == std::vector<Z>{{0, 1}, {1, 2}});
}
