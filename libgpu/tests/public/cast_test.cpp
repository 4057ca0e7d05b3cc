// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("a cast cuts off, and what doesn't fit becomes the nearest that does") {
    //! [astype]
    auto x = gpu::to_device({2.9f, -2.9f, 300.f, -1e20f, NAN});
    gpu::Array<int> whole = x.astype<int>();               // 2 -2 300 INT_MIN 0
    gpu::Array<std::uint8_t> bytes = x.astype<std::uint8_t>();   // 2 0 255 0 0
    //! [astype]
    CHECK(gpu::to_host(whole) == std::vector<int>{2, -2, 300, INT_MIN, 0});
    CHECK(gpu::to_host(bytes) == std::vector<std::uint8_t>{2, 0, 255, 0, 0});
    CHECK(gpu::to_host(x(gpu::slice(2, gpu::none, -1)).astype<int>()) == std::vector<int>{300, -2, 2});
    const auto& only_read = x;
    CHECK(gpu::to_host(only_read(gpu::slice(0, 2)).astype<int>()) == std::vector<int>{2, -2});
}

TEST_CASE_TEMPLATE("floating numbers saturate to every integer type, NaN is 0", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
    constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    const std::vector<double> host{1e300, -1e300, INFINITY, -INFINITY, NAN, 1.999, -0.999, 100.5};
    const std::vector<T> want{most, least, most, least, 0, 1, 0, 100};
    auto x = gpu::to_device(host);
    CHECK(gpu::to_host(x.astype<T>()) == want);
    CHECK(gpu::to_host(x.astype<float>().template astype<T>()) == want);
    CHECK(gpu::to_host(gpu::full<double>({1}, 1e300).template astype<T>())[0] == most);
    // The last numbers that fit, and the first that don't.
    const double end = static_cast<double>(most) + 1;
    auto edges = gpu::to_device({end, std::nextafter(end, 0.), static_cast<double>(least)});
    const auto got = gpu::to_host(edges.template astype<T>());
    CHECK(got[0] == most);
    CHECK(got[1] == static_cast<T>(std::nextafter(end, 0.)));
    CHECK(got[2] == least);
}

TEST_CASE("other casts: integers wrap, only 0 is false, halves overflow to infinity") {
    auto i = gpu::to_device({300, -1, 0, 65536});
    CHECK(gpu::to_host(i.astype<std::uint8_t>()) == std::vector<std::uint8_t>{44, 255, 0, 0});
    CHECK(gpu::to_host(i.astype<std::int16_t>()) == std::vector<std::int16_t>{300, -1, 0, 0});
    CHECK(gpu::to_host(i.astype<bool>()) == std::vector<std::uint8_t>{1, 1, 0, 1});
    CHECK(gpu::to_host(gpu::to_device({0.25f, -0.f, NAN}).astype<bool>()) == std::vector<std::uint8_t>{1, 0, 1});
    CHECK(std::isinf(static_cast<float>(gpu::to_host(i.astype<gpu::half>())[3])));
    using Z = gpu::complex<float>;
    CHECK(gpu::to_host(i.astype<Z>()) == std::vector<Z>{{300, 0}, {-1, 0}, {0, 0}, {65536, 0}});
    auto z = gpu::to_device({Z(0, 0), Z(0, 1)});
    CHECK(gpu::to_host(z.astype<bool>()) == std::vector<std::uint8_t>{0, 1});
    CHECK((gpu::to_host(z.astype<gpu::complex<double>>())[1] == gpu::complex<double>(0, 1)));
    CHECK(gpu::to_host(gpu::astype<int>(i(gpu::slice(0, 2)) * 1.5).eval()) == std::vector<int>{450, -1});
}
