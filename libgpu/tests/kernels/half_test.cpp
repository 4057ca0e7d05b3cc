// SPDX-License-Identifier: MIT
// Half precision against its definition, computed in double: every half, and every float that lies on an edge.
#include <bit>
#include <cmath>
#include <limits>

#include "support.hpp"
#include "texts/half.hpp"

namespace {

using Word = std::uint16_t;

double value_of(Word half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == 31) return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

enum class Mode { nearest, down, up, zero };

// The half for a number: by its place between two neighbours.
Word half_of(long double x, Mode mode = Mode::nearest) {
    if (std::isnan(x)) return 0x7e00;
    const Word sign = std::signbit(x) ? 0x8000 : 0;
    const long double size = std::fabs(x);
    if (std::isinf(x)) return static_cast<Word>(sign | 0x7c00);
    Word low = 0, high = 0x7c00;  // value(low) <= size < value(high), for the largest such low
    while (high - low > 1) {
        const Word middle = static_cast<Word>((low + high) / 2);
        (value_of(middle) <= size ? low : high) = middle;
    }
    const double below = value_of(low), above = high == 0x7c00 ? 65536.0 : value_of(high);
    if (below == size) return static_cast<Word>(sign | low);
    bool up = mode == Mode::up ? sign == 0 : mode == Mode::down && sign != 0;
    if (mode == Mode::nearest) up = size - below > above - size || (size - below == above - size && low % 2 != 0);
    return static_cast<Word>(sign | (up ? high : low));
}

bool same(Word a, Word b) { return a == b || (std::isnan(value_of(a)) && std::isnan(value_of(b))); }

// Every half, the middle between it and the next, and the floats beside that.
std::vector<float> edges() {
    std::vector<float> x;
    for (int h = 0; h < 0x7c00; h += 1) {
        const float low = static_cast<float>(value_of(static_cast<Word>(h)));
        const double next = h == 0x7bff ? 65536.0 : value_of(static_cast<Word>(h + 1));
        const float middle = static_cast<float>((static_cast<double>(low) + next) / 2);
        for (const float v : {low, middle, std::nextafter(middle, 0.0F), std::nextafter(middle, 1e9F)}) {
            x.push_back(v);
            x.push_back(-v);
        }
    }
    for (const float v :
         {1e-10F, 1e-45F, 65520.0F, 7e4F, 1e30F, std::numeric_limits<float>::infinity(), std::nanf("")}) {
        x.push_back(v);
        x.push_back(-v);
    }
    return x;
}

}  // namespace

TEST_CASE("all halves become floats, and floats halves, in every rounding mode") {
    auto floats = filled<float>(65536);
    kernel<void(float*)>(texts::half, "to_float")({.grid = 256, .block = 256}, floats);
    const auto got = gpu::to_host(floats);
    for (std::size_t h = 0; h < 65536; ++h) {
        const double right = value_of(static_cast<Word>(h));
        if (std::isnan(right))
            REQUIRE(std::isnan(got[h]));
        else
            REQUIRE(std::bit_cast<std::uint32_t>(got[h]) == std::bit_cast<std::uint32_t>(static_cast<float>(right)));
    }
    const auto x = edges();
    const auto n = static_cast<int>(x.size());
    auto halves = filled<Word>(std::int64_t{n} * 4);
    kernel<void(const float*, Word*, int)>(texts::half, "from_float")({.grid = (n + 255) / 256, .block = 256},
                                                                      gpu::to_device(x), halves, n);
    const auto words = gpu::to_host(halves);
    for (std::size_t i = 0; i < x.size(); ++i) {
        CAPTURE(x[i]);
        const Mode modes[] = {Mode::nearest, Mode::down, Mode::up, Mode::zero};
        for (std::size_t k = 0; k < 4; ++k) {
            CAPTURE(k);
            REQUIRE(same(words[i * 4 + k], half_of(static_cast<long double>(x[i]), modes[k])));
        }
    }
}

TEST_CASE("a double becomes the nearest half in one step") {
    std::vector<double> x;
    for (int h = 1; h < 0x7c00; h += 37) {
        const double middle = (value_of(static_cast<Word>(h)) + value_of(static_cast<Word>(h - 1))) / 2;
        for (const double v : {middle, middle * (1 + 1e-15), middle * (1 - 1e-15), middle * 1.0000001})
            x.push_back(v), x.push_back(-v);
    }
    for (const double v : {65519.99999999999, 65520.0, 1e300, 1e-300, 0.0}) x.push_back(v);
    const auto n = static_cast<int>(x.size());
    auto out = filled<Word>(n);
    kernel<void(const double*, Word*, int)>(texts::half, "from_double")({.grid = (n + 255) / 256, .block = 256},
                                                                        gpu::to_device(x), out, n);
    const auto words = gpu::to_host(out);
    for (std::size_t i = 0; i < x.size(); ++i) {
        CAPTURE(x[i]);
        REQUIRE(words[i] == half_of(x[i]));
    }
}

TEST_CASE("arithmetic of halves is correctly rounded") {
    std::vector<Word> a, b, c;
    std::uint32_t state = 12345;
    for (int k = 0; k < 20000; ++k) {
        for (auto* const list : {&a, &b, &c}) {
            state = state * 1664525U + 1013904223U;
            // All of them at times; mostly of near exponents, where rounding is hard.
            const auto word = static_cast<Word>(state >> 16);
            list->push_back(k % 4 == 0 ? word : static_cast<Word>((word & 0x83ff) | (13 + (word >> 10) % 5) << 10));
        }
    }
    const auto n = static_cast<int>(a.size());
    auto out = filled<Word>(std::int64_t{n} * 16);
    kernel<void(const Word*, const Word*, const Word*, Word*, int)>(texts::half, "arithmetic")(
        {.grid = (n + 255) / 256, .block = 256}, gpu::to_device(a), gpu::to_device(b), gpu::to_device(c), out, n);
    const auto got = gpu::to_host(out);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = value_of(a[i]), y = value_of(b[i]), z = value_of(c[i]);
        // A product of two halves and a third need at most 64 bits from first to last: those of long double.
        const auto fused = [](double p, double q, double r) { return static_cast<long double>(p) * q + r; };
        const Word sum = half_of(x + y), product = half_of(value_of(sum) * z);
        const double clamped = x + y > 0 ? std::min(x + y, 1.0) : 0.0;
        const std::pair<std::size_t, Word> right[] = {{0, sum},
                                                      {1, half_of(x - y)},
                                                      {2, half_of(x * y)},
                                                      {3, half_of(x / y)},
                                                      {4, half_of(fused(x, y, z))},
                                                      {5, half_of(std::sqrt(std::fabs(x)))},
                                                      {6, sum},
                                                      {7, half_of(x * y)},
                                                      {8, half_of(x / y)},
                                                      {9, static_cast<Word>(a[i] ^ 0x8000)},
                                                      {10, half_of(clamped)},
                                                      {13, product},
                                                      {14, half_of(fused(x, z, y))},
                                                      {15, half_of(fused(y, z, x))}};
        for (const auto& [k, word] : right) {
            CAPTURE(x);
            CAPTURE(y);
            CAPTURE(z);
            CAPTURE(k);
            REQUIRE(same(got[i * 16 + k], word));
        }
        if (std::isnan(x) || std::isnan(y)) continue;
        REQUIRE(value_of(got[i * 16 + 11]) == std::max(x, y));
        REQUIRE(value_of(got[i * 16 + 12]) == std::min(x, y));
    }
}

TEST_CASE("mathematics of halves") {
    std::vector<float> x;
    for (int k = 1; k <= 32; ++k) x.push_back(static_cast<float>(k) * 0.125F);
    auto out = filled<float>(32 * 16);
    kernel<void(const float*, float*, int)>(texts::half, "functions")({.grid = 1, .block = 32}, gpu::to_device(x), out,
                                                                      32);
    const auto got = gpu::to_host(out);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double v = static_cast<double>(x[i]);
        const double right[] = {std::exp(v),   std::exp2(v),  std::log(v),       std::log2(v),
                                std::log10(v), std::sin(v),   std::cos(v),       1 / std::sqrt(v),
                                1 / v,         std::floor(v), std::ceil(v),      std::rint(v),
                                std::trunc(v), std::exp(v),   std::pow(10.0, v), std::sqrt(v)};
        for (std::size_t k = 0; k < 16; ++k) {
            CAPTURE(v);
            CAPTURE(k);
            REQUIRE(!(std::fabs(static_cast<double>(got[i * 16 + k]) - right[k]) >
                      0.002 * std::max(std::fabs(right[k]), 0.05)));
        }
    }
}

TEST_CASE("comparisons, conversions and pairs of halves") {
    auto out = filled<int>(16, -1);
    kernel<void(int*)>(texts::half, "comparisons")({.grid = 1, .block = 1}, out);
    const int words_2049 = 0x6800 | 0x6801 << 16, words_70000 = 0x7bff | static_cast<int>(0xfc00U << 16);
    const std::vector<int> right{1 + 4 + 8 + 16,
                                 1 + 4 + 8 + 16,
                                 2 + 8,
                                 1 + 2 + 4,
                                 1 + 8 + 16,
                                 static_cast<int>(0xffff0000U),
                                 2 - 20 + 300 - 3000,
                                 1,
                                 words_2049,
                                 words_70000,
                                 2 + 20 + 100 + 1000,
                                 1 + 10 + 100,
                                 300 + 34,
                                 50 + 500 + 5,
                                 2 + 40 + 400 + 2000,
                                 4 + 10 - 1000};
    const auto got = gpu::to_host(out);
    for (std::size_t k = 0; k < right.size(); ++k) {
        CAPTURE(k);
        CHECK(got[k] == right[k]);
    }
}

TEST_CASE("halves are shuffled and added atomically") {
    auto sums = filled<Word>(2), pairs = filled<Word>(2);
    kernel<void(Word*, Word*)>(texts::half, "in_warps")({.grid = 1, .block = 64}, sums, pairs);
    CHECK(value_of(gpu::to_host(sums)[0]) == 2 * 496);
    CHECK(value_of(gpu::to_host(pairs)[0]) == 64);
    CHECK(value_of(gpu::to_host(pairs)[1]) == 2 * 496);
}
