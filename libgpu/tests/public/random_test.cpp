// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include <gpu/gpu.hpp>

#include "random_expected.hpp"

namespace {

constexpr std::uint64_t long_seed = 0x9876'5432'1234'5678u;

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
double mean_of(const std::vector<T>& values) {
    double sum = 0;
    for (const T value : values) sum += static_cast<double>(value);
    return sum / static_cast<double>(values.size());
}

// Pearson's statistic of counts that should be equal, in standard deviations from its mean.
double chi_square(const std::vector<double>& counts) {
    const double expected = mean_of(counts), freedom = static_cast<double>(counts.size() - 1);
    double sum = 0;
    for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
    return (sum - freedom) / std::sqrt(2 * freedom);
}

// The distance in numbers of type T.
template <class T>
long double ulps(T got, long double want) {
    const T near = std::max(static_cast<T>(std::fabs(want)), std::numeric_limits<T>::min());
    return std::fabs(static_cast<long double>(got) - want) / (std::nextafter(near, T{INFINITY}) - near);
}

}  // namespace

TEST_CASE("a generator is a seed and an offset") {
    //! [generator]
    gpu::random::Generator rng(42);
    gpu::random::Generator same = rng, later = rng;
    gpu::Array<float> u = rng.uniform<float>({2, 3});    // six numbers
    gpu::Array<float> again = same.uniform<float>({6});  // the same six: a shape changes none
    later.skip(4);
    gpu::Array<float> last = later.uniform<float>({2});  // the last two
    //! [generator]
    CHECK(u.shape() == gpu::Shape{2, 3});
    CHECK(same_bits(gpu::to_host(u), gpu::to_host(again)));
    CHECK(gpu::to_host(last) == std::vector<float>{gpu::to_host(u)[4], gpu::to_host(u)[5]});
    CHECK(rng.seed() == 42);
    CHECK(rng.offset() == 6);
    CHECK(rng == same);
    CHECK(rng == later);
    CHECK(rng.uniform<float>({0, 4}).size() == 0);
    CHECK(rng.offset() == 6);
    CHECK_FALSE(same_bits(gpu::to_host(gpu::random::Generator(43).uniform<float>({6})), gpu::to_host(again)));
}

TEST_CASE("bits are Philox' words, as Random123 computes them") {
    if (!expected::with_random123("random bits")) return;
    CHECK(gpu::to_host(gpu::random::Generator(0).bits<std::uint32_t>({4})) ==
          std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});  // the published answer
    for (const std::uint64_t seed : {std::uint64_t{0}, long_seed}) {
        for (const std::uint64_t offset : {0u, 1u, 2u, 3u, 4u, 1027u}) {
            const std::uint64_t start = offset + (seed == 0 ? 0 : std::uint64_t{1} << 40);
            const auto words = gpu::to_host(gpu::random::Generator(seed, start).bits<std::uint32_t>({1009}));
            const auto pairs = gpu::to_host(gpu::random::Generator(seed, start).bits<std::uint64_t>({1009}));
            for (std::size_t k = 0; k < 1009; ++k) {
                REQUIRE(words[k] == expected::word(seed, start + k, 0));
                REQUIRE(pairs[k] == expected::pair(seed, start + k, 1));
            }
        }
    }
    const auto bytes = gpu::to_host(gpu::random::Generator(7).bits<std::uint8_t>({41}));
    const auto shorts = gpu::to_host(gpu::random::Generator(7).bits<std::uint16_t>({41}));
    for (std::size_t k = 0; k < 41; ++k) {
        CHECK(bytes[k] == expected::word(7, k, 0) >> 24);
        CHECK(shorts[k] == expected::word(7, k, 0) >> 16);
    }
}

TEST_CASE("offsets wrap around at 2^64") {
    if (!expected::with_random123("offsets that wrap")) return;
    const std::uint64_t start = 0u - std::uint64_t{6};
    const auto words = gpu::to_host(gpu::random::Generator(5, start).bits<std::uint32_t>({12}));
    for (std::size_t k = 0; k < 12; ++k) CHECK(words[k] == expected::word(5, start + k, 0));
}

TEST_CASE("uniform numbers: the bits that are promised, in [low, high)") {
    //! [uniform]
    gpu::random::Generator rng(42);
    auto u = rng.uniform<float>({64, 64}, -1, 1);
    auto fractions = rng.uniform<double>({100});  // in [0, 1)
    //! [uniform]
    CHECK(u.shape() == gpu::Shape{64, 64});
    const auto h = gpu::to_host(u);
    CHECK(*std::min_element(h.begin(), h.end()) >= -1.f);
    CHECK(*std::max_element(h.begin(), h.end()) < 1.f);
    CHECK(std::fabs(mean_of(h)) < 0.03);
    if (!expected::with_random123("uniform numbers")) return;
    for (std::size_t k = 0; k < h.size(); ++k) {
        REQUIRE(h[k] == std::fma(static_cast<float>(expected::word(42, k, 4) >> 8) * 0x1p-24f, 2.f, -1.f));
    }
    const auto d = gpu::to_host(fractions);
    for (std::size_t k = 0; k < d.size(); ++k) {
        REQUIRE(d[k] == static_cast<double>(expected::pair(42, 4096 + k, 5) >> 11) * 0x1p-53);
    }
}

TEST_CASE("uniform numbers stay below high, however few numbers there are") {
    const auto next = std::nextafter(1.f, 2.f);
    for (const float x : gpu::to_host(gpu::random::Generator(1).uniform<float>({500}, 1, next))) REQUIRE(x == 1.f);
    for (const float x : gpu::to_host(gpu::random::Generator(1).uniform<float>({500}, 3, 3))) REQUIRE(x == 3.f);
    for (const float x : gpu::to_host(gpu::random::Generator(1).uniform<float>({5000}, 16777214, 16777216))) {
        REQUIRE(x >= 16777214.f);
        REQUIRE(x < 16777216.f);
    }
    const auto wide = gpu::to_host(gpu::random::Generator(1).uniform<float>({500}, -1.7e38, 1.7e38));
    CHECK(*std::max_element(wide.begin(), wide.end()) > 1.6e38f);
    CHECK(*std::min_element(wide.begin(), wide.end()) < -1.6e38f);
    int at_end = 0;
    for (const gpu::half x : gpu::to_host(gpu::random::Generator(1).uniform<gpu::half>({5000}, -2, -1))) {
        REQUIRE(static_cast<float>(x) >= -2.f);
        REQUIRE(static_cast<float>(x) < -1.f);
        at_end += static_cast<float>(x) == -1.0009765625f;
    }
    CHECK(at_end > 0);
    for (const gpu::half x : gpu::to_host(gpu::random::Generator(1).uniform<gpu::half>({5000}))) {
        REQUIRE(static_cast<float>(x) < 1.f);
    }
}

TEST_CASE("uniform numbers fill their range evenly") {
    std::vector<double> counts(100), pairs(256);
    const auto values = gpu::to_host(gpu::random::Generator(7).uniform<float>({200000}));
    for (const float x : values) counts[static_cast<std::size_t>(x * 100)] += 1;
    for (std::size_t k = 0; k + 1 < values.size(); k += 2) {  // neighbours don't depend on each other
        pairs[static_cast<std::size_t>(values[k] * 16) * 16 + static_cast<std::size_t>(values[k + 1] * 16)] += 1;
    }
    CHECK(std::fabs(chi_square(counts)) < 3);
    CHECK(std::fabs(chi_square(pairs)) < 3);
}

TEST_CASE("normal numbers: within 4 ulp of the exact formula") {
    //! [normal]
    gpu::random::Generator rng(42);
    auto g = rng.normal<double>({2001});
    auto heights = rng.normal<float>({50, 40}, 170, 10);  // mean and standard deviation
    //! [normal]
    CHECK(std::fabs(mean_of(gpu::to_host(heights)) - 170) < 1);
    if (!expected::with_random123("normal numbers")) return;
    long double worst = 0;
    const auto doubles = gpu::to_host(g);
    for (std::size_t k = 0; k < doubles.size(); ++k) {
        worst = std::max(worst, ulps(doubles[k], expected::normal_double(42, k)));
    }
    CHECK(worst < 4);
    const auto floats = gpu::to_host(gpu::random::Generator(long_seed, 3).normal<float>({20001}));
    worst = 0;
    for (std::size_t k = 0; k < floats.size(); ++k) {
        worst = std::max(worst, ulps(floats[k], expected::normal_float(long_seed, 3 + k)));
    }
    CHECK(worst < 4);
    const auto moved = gpu::to_host(gpu::random::Generator(long_seed, 3).normal<float>({20001}, 5, 3));
    for (std::size_t k = 0; k < floats.size(); ++k) REQUIRE(std::fabs(moved[k] - (5 + 3 * floats[k])) < 2e-6);
    const auto halves = gpu::to_host(gpu::random::Generator(long_seed, 3).normal<gpu::half>({20001}));
    for (std::size_t k = 0; k < floats.size(); ++k) {
        REQUIRE(static_cast<float>(halves[k]) == static_cast<float>(gpu::half(floats[k])));
    }
}

TEST_CASE("normal numbers have the right moments and distribution") {
    const auto values = gpu::to_host(gpu::random::Generator(3).normal<double>({200000}));
    double square = 0, cube = 0, fourth = 0, neighbours = 0;
    std::vector<double> counts(64);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double x = values[k];
        square += x * x;
        cube += x * x * x;
        fourth += x * x * x * x;
        if (k > 0) neighbours += x * values[k - 1];
        counts[static_cast<std::size_t>(std::erfc(-x / std::sqrt(2.0)) / 2 * 64)] += 1;
    }
    const auto n = static_cast<double>(values.size());
    CHECK(std::fabs(mean_of(values)) < 3 / std::sqrt(n));
    CHECK(std::fabs(square / n - 1) < 3 * std::sqrt(2 / n));
    CHECK(std::fabs(cube / n) < 3 * std::sqrt(15 / n));
    CHECK(std::fabs(fourth / n - 3) < 3 * std::sqrt(96 / n));
    CHECK(std::fabs(neighbours / n) < 3 / std::sqrt(n));
    CHECK(std::fabs(chi_square(counts)) < 3);
}

TEST_CASE("normal complex numbers have two independent normal parts") {
    const auto floats = gpu::to_host(gpu::random::Generator(3).normal<float>({2000}));
    const auto z = gpu::to_host(gpu::random::Generator(3).normal<gpu::complex<double>>({20001}, 2, 3));
    double real = 0, imaginary = 0, cross = 0, square = 0;
    for (const auto& value : z) {
        real += value.real() - 2;
        imaginary += value.imag();
        cross += (value.real() - 2) * value.imag();
        square += value.imag() * value.imag();
    }
    const auto n = static_cast<double>(z.size());
    CHECK(std::fabs(real / n) < 9 / std::sqrt(n));
    CHECK(std::fabs(imaginary / n) < 9 / std::sqrt(n));
    CHECK(std::fabs(cross / n) < 27 / std::sqrt(n));
    CHECK(std::fabs(square / n - 9) < 27 * std::sqrt(2 / n));
    gpu::random::Generator a(9), b(9);
    const auto whole = gpu::to_host(a.normal<gpu::complex<float>>({7}));
    b.skip(3);
    const auto part = gpu::to_host(b.normal<gpu::complex<float>>({4}));
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(whole[k + 3].real() == part[k].real());
        CHECK(whole[k + 3].imag() == part[k].imag());
    }
}

TEST_CASE_TEMPLATE("a draw can be cut anywhere", T, float, double, std::int32_t) {
    const auto draw = [](gpu::random::Generator& rng, std::int64_t n) {
        if constexpr (std::is_same_v<T, float>)
            return gpu::to_host(rng.normal<float>({n}));
        else if constexpr (std::is_same_v<T, double>)
            return gpu::to_host(rng.uniform<double>({n}, -3, 5));
        else
            return gpu::to_host(rng.integers<std::int32_t>({n}, -1000, 1000));
    };
    gpu::random::Generator all(long_seed), pieces(long_seed);
    const auto whole = draw(all, 1200);
    std::vector<T> joined;
    for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 0, 255, 256, 257, 1, 1, 1}) {
        const auto piece = draw(pieces, n);
        joined.insert(joined.end(), piece.begin(), piece.end());
    }
    CHECK(same_bits(joined, std::vector<T>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(joined.size()))));
}

TEST_CASE("every device draws the same bits") {
    std::vector<gpu::Device> devices{gpu::Device::host(0)};
    for (int k = 0; k < gpu::Device::count(); ++k) devices.emplace_back(k);
    const auto draw = [](gpu::Device device) {
        const gpu::DeviceGuard guard(device);
        gpu::random::Generator rng(long_seed, 5);
        std::vector<unsigned char> bytes;
        const auto add = [&](const auto& array) {
            CHECK(array.device() == device);
            const auto values = gpu::to_host(array);
            const auto* const data = reinterpret_cast<const unsigned char*>(values.data());
            bytes.insert(bytes.end(), data, data + values.size() * sizeof values[0]);
        };
        add(rng.uniform<float>({1001}, -2, 7));
        add(rng.uniform<double>({1001}, -2, 7));
        add(rng.uniform<gpu::half>({1001}, -2, 7));
        add(rng.normal<float>({100001}, 1, 3));
        add(rng.normal<double>({100001}, 1, 3));
        add(rng.normal<gpu::half>({1001}));
        add(rng.normal<gpu::complex<float>>({1001}));
        add(rng.normal<gpu::complex<double>>({1001}));
        add(rng.exponential<float>({100001}, 3));
        add(rng.exponential<double>({100001}, 3));
        add(rng.integers<std::int64_t>({1001}, -5, 1000));
        add(rng.integers<std::uint64_t>({1001}, 5, std::uint64_t{1} << 63));
        add(rng.bernoulli({1001}, 0.3));
        add(rng.permutation(1009));
        return bytes;
    };
    const auto first = draw(devices[0]);
    for (std::size_t k = 1; k < devices.size(); ++k) CHECK(same_bits(draw(devices[k]), first));
}
