// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>

#include "support.hpp"
#include "texts/simd.hpp"

namespace {

// Part by part in plain integers; `wrapped` to the part's width by the mask.
std::uint32_t parts(std::uint32_t a, std::uint32_t b, int bits, bool is_signed, const std::function<int(int, int)>& f) {
    const std::uint32_t ones = (1U << bits) - 1;
    const auto part = [&](std::uint32_t v, int at) {
        const int raw = static_cast<int>(v >> at & ones);
        return is_signed && raw >= 1 << (bits - 1) ? raw - (1 << bits) : raw;
    };
    std::uint32_t result = 0;
    for (int at = 0; at < 32; at += bits)
        result |= (static_cast<std::uint32_t>(f(part(a, at), part(b, at))) & ones) << at;
    return result;
}

}  // namespace

TEST_CASE("SIMD functions work on each part of a word") {
    std::vector<std::uint32_t> x{0, 0xffffffff, 0x80008000, 0x7fff7fff, 0x80807f01, 0x12345678, 0xdeadbeef, 0x00ff00ff},
        y;
    for (std::size_t k = 0; k < x.size(); ++k) y.push_back(x[(k * 3 + 1) % x.size()] ^ (k % 2 != 0 ? 0 : 0x01800040));
    const auto n = static_cast<int>(x.size());
    auto out = filled<std::uint32_t>(n * 64);
    kernel<void(const std::uint32_t*, const std::uint32_t*, std::uint32_t*, int)>(texts::simd, "words")(
        {.grid = 1, .block = 32}, gpu::to_device(x), gpu::to_device(y), out, n);
    const auto got = gpu::to_host(out);
    for (std::size_t i = 0; i < x.size(); ++i) {
        std::size_t at = i * 64;
        const auto check = [&](bool is_signed, auto f) {
            for (const int bits : {16, 8}) {
                const int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, least = is_signed ? -most - 1 : 0;
                CAPTURE(at % 64);
                CAPTURE(x[i]);
                CAPTURE(y[i]);
                const auto clamp = [&](int v) { return std::clamp(v, least, most); };
                REQUIRE(got[at] == parts(x[i], y[i], bits, is_signed, [&](int a, int b) { return f(a, b, clamp); }));
                ++at;
            }
        };
        using Clamp = const std::function<int(int)>&;
        check(false, [](int a, int b, Clamp) { return a + b; });
        check(true, [](int a, int b, Clamp clamp) { return clamp(a + b); });
        check(false, [](int a, int b, Clamp clamp) { return clamp(a + b); });
        check(false, [](int a, int b, Clamp) { return a - b; });
        check(true, [](int a, int b, Clamp clamp) { return clamp(a - b); });
        check(false, [](int a, int b, Clamp clamp) { return clamp(a - b); });
        check(true, [](int a, int b, Clamp) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; });
        check(false, [](int a, int b, Clamp) { return (a + b + 1) >> 1; });
        check(false, [](int a, int b, Clamp) { return (a + b) >> 1; });
        check(true, [](int a, int b, Clamp) { return std::abs(a - b); });
        check(false, [](int a, int b, Clamp) { return std::abs(a - b); });
        check(true, [](int a, int b, Clamp) { return std::max(a, b); });
        check(false, [](int a, int b, Clamp) { return std::max(a, b); });
        check(true, [](int a, int b, Clamp) { return std::min(a, b); });
        check(false, [](int a, int b, Clamp) { return std::min(a, b); });
        check(false, [](int a, int b, Clamp) { return a == b ? -1 : 0; });
        check(true, [](int a, int b, Clamp) { return a >= b ? -1 : 0; });
        check(false, [](int a, int b, Clamp) { return a < b ? -1 : 0; });
        check(false, [](int a, int b, Clamp) { return a != b ? 1 : 0; });
        check(true, [](int a, int b, Clamp) { return a > b ? 1 : 0; });
        check(false, [](int a, int b, Clamp) { return a <= b ? 1 : 0; });
        for (const bool is_signed : {true, false})
            for (const int bits : {16, 8}) {
                std::uint32_t sum = 0;
                (void)parts(x[i], y[i], bits, is_signed,
                            [&](int a, int b) { return sum += static_cast<std::uint32_t>(std::abs(a - b)), 0; });
                REQUIRE(got[at++] == sum);
            }
        check(true, [](int a, int, Clamp) { return std::abs(a); });
        check(true, [](int a, int, Clamp clamp) { return clamp(std::abs(a)); });
        check(true, [](int a, int, Clamp) { return -a; });
        check(true, [](int a, int, Clamp clamp) { return clamp(-a); });
    }
}

TEST_CASE("DPX functions") {
    const std::vector<int> x{5, -7, 100, 0x7fffffff, -1, 65536 * 3 + 2};
    auto out = filled<int>(48);
    kernel<void(const int*, int*, int)>(texts::simd, "dpx")({.grid = 1, .block = 32}, gpu::to_device(x), out, 6);
    const auto got = gpu::to_host(out);
    for (std::size_t i = 0; i < 6; ++i) {
        const int a = x[i], b = x[(i + 1) % 6], c = x[(i + 2) % 6];
        const int sum = static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
        const auto high = [](int v) { return static_cast<short>(v >> 16); };
        const auto low = [](int v) { return static_cast<short>(v); };
        const int halves = static_cast<int>(static_cast<unsigned>(std::max({high(a), high(b), high(c)})) << 16 |
                                            static_cast<std::uint16_t>(std::max({low(a), low(b), low(c)})));
        const std::vector<int> right{
            std::max({a, b, c}),           std::min({a, b, c}), std::max({a, b, 0}), std::max(sum, c),
            std::max(std::min(sum, c), 0), std::max(a, b),      a >= b ? 1 : 0,      halves};
        CHECK(std::vector<int>(got.begin() + static_cast<int>(i) * 8, got.begin() + static_cast<int>(i) * 8 + 8) ==
              right);
    }
}
