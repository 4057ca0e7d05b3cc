// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

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

// Random integers, permutations, the other draws, generators of generators, and what is refused.
namespace {

__extension__ typedef unsigned __int128 Wide;

// The high half of 128 bits times 64 bits.
std::uint64_t scaled(std::uint64_t high, std::uint64_t low, std::uint64_t range) {
    const Wide carried = (static_cast<Wide>(low) * range) >> 64;
    return static_cast<std::uint64_t>((static_cast<Wide>(high) * range + carried) >> 64);
}

template <class T>
void check_integers(gpu::detail::IntegerBound<T> low, gpu::detail::IntegerBound<T> high) {
    CAPTURE(low);
    CAPTURE(high);
    const auto values = gpu::to_host(gpu::random::Generator(11, 3).integers<T>({2, 101}, low, high));
    const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const bool wide = range > std::uint64_t{1} << 32;
    for (std::size_t k = 0; k < values.size(); ++k) {
        REQUIRE(static_cast<gpu::detail::IntegerBound<T>>(values[k]) >= low);
        REQUIRE(static_cast<gpu::detail::IntegerBound<T>>(values[k]) <= high - 1);
#ifdef GPU_TEST_WITH_RANDOM123
        const std::uint32_t stream = (wide ? 24 : 20) + (sizeof(T) == 8 ? 1 : 0);
        const auto w = expected::words(11, wide ? 3 + k : (3 + k) / 2, stream);
        const std::uint64_t part =
            wide ? scaled(w.pair(1), w.pair(0), range) : scaled(w.pair(static_cast<int>((3 + k) % 2)), 0, range);
        REQUIRE(values[k] == static_cast<T>(static_cast<std::uint64_t>(low) + part));
#endif
    }
    (void)wide;
}

}  // namespace

TEST_CASE("integers: the high half of random bits times the range") {
    (void)expected::with_random123("exact integers");
    //! [integers]
    gpu::random::Generator rng(42);
    auto dice = rng.integers<int>({1000}, 1, 7);  // 1, 2, ... 6
    auto bytes = rng.integers<std::uint8_t>({1000}, 0, 256);
    //! [integers]
    std::vector<double> faces(6);
    for (const int face : gpu::to_host(dice)) faces.at(static_cast<std::size_t>(face - 1)) += 1;
    CHECK(std::fabs(chi_square(faces)) < 3);
    const auto b = gpu::to_host(bytes);
    CHECK(*std::max_element(b.begin(), b.end()) > 250);
    CHECK(*std::min_element(b.begin(), b.end()) < 5);

    check_integers<std::int8_t>(-128, 128);
    check_integers<std::uint8_t>(3, 4);
    check_integers<std::int16_t>(-7, 20000);
    check_integers<std::uint16_t>(0, 65536);
    check_integers<std::int32_t>(std::numeric_limits<std::int32_t>::min(), std::int64_t{1} << 31);
    check_integers<std::uint32_t>(0, std::int64_t{1} << 32);
    check_integers<std::int64_t>(-5, (std::int64_t{1} << 32) - 5);
    check_integers<std::int64_t>(-5, (std::int64_t{1} << 32) - 4);
    check_integers<std::int64_t>(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    check_integers<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max());
    check_integers<std::uint64_t>(std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 10);
}

TEST_CASE("integers fall on each value as often") {
    std::vector<double> counts(1000);
    for (const int k : gpu::to_host(gpu::random::Generator(77).integers<int>({200000}, -500, 500))) {
        counts.at(static_cast<std::size_t>(k + 500)) += 1;
    }
    CHECK(std::fabs(chi_square(counts)) < 3);
    std::vector<double> sixteenths(16);
    for (const std::int64_t k : gpu::to_host(
             gpu::random::Generator(77).integers<std::int64_t>({50000}, 0, std::numeric_limits<std::int64_t>::max()))) {
        sixteenths.at(static_cast<std::size_t>(k >> 59)) += 1;
    }
    CHECK(std::fabs(chi_square(sixteenths)) < 3);
}

TEST_CASE("a permutation has every index once") {
    //! [permutation]
    gpu::random::Generator rng(42);
    gpu::Array<std::int64_t> order = rng.permutation(10);  // 0 ... 9, shuffled
    //! [permutation]
    CHECK(order.shape() == gpu::Shape{10});
    CHECK(rng.offset() == 1);
    std::set<std::vector<std::int64_t>> seen;
    for (const std::int64_t n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1009, 65536, 100003}) {
        CAPTURE(n);
        const auto drawn = gpu::to_host(rng.permutation(n));
        std::vector<bool> there(static_cast<std::size_t>(n));
        for (const std::int64_t k : drawn) {
            REQUIRE(k >= 0);
            REQUIRE(k < n);
            REQUIRE_FALSE(there[static_cast<std::size_t>(k)]);
            there[static_cast<std::size_t>(k)] = true;
        }
        CHECK(static_cast<std::int64_t>(drawn.size()) == n);
        if (n > 30) CHECK_FALSE(std::is_sorted(drawn.begin(), drawn.end()));
    }
    CHECK(rng.offset() == 14);
    for (int k = 0; k < 20; ++k) seen.insert(gpu::to_host(rng.permutation(100)));
    CHECK(seen.size() == 20);
    CHECK(gpu::to_host(gpu::random::Generator(42).permutation(10)) == gpu::to_host(order));
}

TEST_CASE("all orders of a permutation are as likely") {
    gpu::random::Generator rng(5);
    std::map<std::vector<std::int64_t>, int> orders;
    for (int k = 0; k < 2400; ++k) orders[gpu::to_host(rng.permutation(4))] += 1;
    std::vector<double> counts;
    for (const auto& [order, count] : orders) counts.push_back(count);
    CHECK(counts.size() == 24);
    CHECK(std::fabs(chi_square(counts)) < 3);
    // Where the elements of a longer one land, in 16 x 16 fields, and how many stay where they are: one on average.
    std::vector<double> fields(256);
    double fixed = 0;
    for (int k = 0; k < 50; ++k) {
        const auto order = gpu::to_host(rng.permutation(1000));
        for (std::size_t i = 0; i < 1000; ++i) {
            fields[i * 16 / 1000 * 16 + static_cast<std::size_t>(order[i] * 16 / 1000)] += 1;
            fixed += order[i] == static_cast<std::int64_t>(i);
        }
    }
    CHECK(std::fabs(chi_square(fields)) < 3);
    CHECK(std::fabs(fixed / 50 - 1) < 3 / std::sqrt(50.0));
}

TEST_CASE("the rows of an array in random order") {
    //! [shuffle]
    gpu::random::Generator rng(42);
    auto cards = gpu::arange<int>(52);
    auto hand = rng.permutation(cards);  // a shuffled copy
    rng.shuffle(cards);                  // in place
    //! [shuffle]
    gpu::random::Generator again(42);
    CHECK(gpu::to_host(hand.astype<std::int64_t>()) == gpu::to_host(again.permutation(52)));
    CHECK(gpu::to_host(cards.astype<std::int64_t>()) == gpu::to_host(again.permutation(52)));
    CHECK(rng == again);
    gpu::Array<float> table = gpu::arange<float>(12).reshape({4, 3});
    rng.shuffle(table);
    const auto order = gpu::to_host(again.permutation(4));
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK(gpu::to_host(table)[3 * row + k] == static_cast<float>(3 * order[row]) + static_cast<float>(k));
        }
    }
    gpu::Array<float> columns = gpu::arange<float>(12).reshape({3, 4});
    rng.shuffle(columns.transpose());  // a view: its array's columns change their places
    const auto places = gpu::to_host(again.permutation(4));
    for (std::size_t k = 0; k < 4; ++k) CHECK(gpu::to_host(columns)[k] == static_cast<float>(places[k]));
    CHECK(rng.permutation(gpu::zeros<float>({0, 3})).shape() == gpu::Shape{0, 3});
    CHECK(rng.permutation(gpu::zeros<float>({3, 0})).shape() == gpu::Shape{3, 0});
    CHECK_THROWS_WITH_AS(rng.permutation(gpu::zeros<float>({})), "permutation: an array without axes has no order",
                         gpu::ShapeError);
    gpu::random::seed(3);
    gpu::random::Generator three(3);
    gpu::Array<int> a = gpu::arange<int>(9), b = gpu::arange<int>(9);
    gpu::random::shuffle(a);
    three.shuffle(b);
    CHECK(gpu::to_host(a) == gpu::to_host(b));
    CHECK(gpu::to_host(gpu::random::permutation(a)) == gpu::to_host(three.permutation(b)));
}

TEST_CASE("bits, bernoulli, exponential") {
    //! [others]
    gpu::random::Generator rng(42);
    auto words = rng.bits<std::uint32_t>({1000});
    gpu::Array<bool> heads = rng.bernoulli({10000}, 0.25);
    auto waits = rng.exponential<float>({100000}, 2);  // their mean is 2
    //! [others]
    CHECK(words.size() == 1000);
    const auto h = gpu::to_host(heads);
    CHECK(std::fabs(std::accumulate(h.begin(), h.end(), 0.0) / 10000 - 0.25) < 3 * std::sqrt(0.25 * 0.75 / 10000));
    const auto w = gpu::to_host(waits);
    double sum = 0, tail = 0;
    for (const float wait : w) {
        REQUIRE(wait >= 0);
        REQUIRE_FALSE(std::signbit(wait));
        sum += wait;
        tail += wait > 6;
    }
    CHECK(std::fabs(sum / 1e5 - 2) < 3 * 2 / std::sqrt(1e5));
    CHECK(std::fabs(tail / 1e5 - std::exp(-3)) < 3 * std::sqrt(std::exp(-3) / 1e5));
    for (const auto never : gpu::to_host(rng.bernoulli({100}, 0))) CHECK(never == 0);
    for (const auto always : gpu::to_host(rng.bernoulli({100}, 1))) CHECK(always == 1);
}

TEST_CASE("generators of a generator differ, and are the same next time") {
    //! [spawn]
    gpu::random::Generator rng(42);
    std::vector<gpu::random::Generator> workers = rng.spawn(4);  // one for each thread, say
    gpu::random::Generator other = rng.split();
    //! [spawn]
    std::set<std::uint64_t> seeds{rng.seed(), other.seed()};
    for (const auto& worker : workers) {
        seeds.insert(worker.seed());
        CHECK(worker.offset() == 0);
    }
    CHECK(seeds.size() == 6);
    CHECK(rng.offset() == 5);
    gpu::random::Generator again(42);
    CHECK(again.spawn(4) == workers);
    CHECK(again.split() == other);
    CHECK_THROWS_WITH_AS(rng.spawn(-1), "spawn: a count of -1", gpu::Error);
}

TEST_CASE("each thread has a default generator of its own") {
    //! [default generator]
    gpu::random::seed(42);
    auto u = gpu::random::uniform<float>({5});
    auto n = gpu::random::normal<double>({5});
    gpu::random::seed(42);
    auto again = gpu::random::uniform<float>({5});  // the same as u
    gpu::random::Generator& own = gpu::random::default_generator();
    //! [default generator]
    CHECK(own.seed() == 42);
    CHECK(gpu::to_host(u) == gpu::to_host(again));
    gpu::random::Generator rng(42);
    CHECK(gpu::to_host(u) == gpu::to_host(rng.uniform<float>({5})));
    CHECK(gpu::to_host(n) == gpu::to_host(rng.normal<double>({5})));
    CHECK(gpu::random::default_generator().offset() == 5);
    std::uint64_t seeds[2] = {};
    for (std::uint64_t& seed : seeds) {
        std::thread([&seed] { seed = gpu::random::default_generator().seed(); }).join();
    }
    CHECK(seeds[0] != seeds[1]);
    CHECK(gpu::random::default_generator().seed() == 42);
    gpu::random::seed(1);
    gpu::random::Generator one(1);
    CHECK(gpu::to_host(gpu::random::integers<int>({9}, 0, 100)) == gpu::to_host(one.integers<int>({9}, 0, 100)));
    CHECK(gpu::to_host(gpu::random::exponential<double>({9}, 3)) == gpu::to_host(one.exponential<double>({9}, 3)));
    CHECK(gpu::to_host(gpu::random::bernoulli({9})) == gpu::to_host(one.bernoulli({9})));
    CHECK(gpu::to_host(gpu::random::permutation(9)) == gpu::to_host(one.permutation(9)));
}

TEST_CASE("draws that make no sense are refused, and leave the generator where it was") {
    gpu::random::Generator rng(1);
    CHECK_THROWS_WITH_AS(rng.uniform<float>({2}, 3, 1), "uniform: low 3 is above high 1", gpu::Error);
    CHECK_THROWS_WITH_AS(rng.uniform<float>({2}, 0, INFINITY), "uniform: high inf isn't a finite float32", gpu::Error);
    CHECK_THROWS_AS(rng.uniform<float>({2}, NAN, 1), gpu::Error);
    CHECK_THROWS_AS(rng.uniform<float>({2}, -3e38, 3e38), gpu::Error);
    CHECK_THROWS_WITH_AS(rng.uniform<gpu::half>({2}, 0, 70000), "uniform: high 70000 isn't a finite float16",
                         gpu::Error);
    CHECK_THROWS_WITH_AS(rng.normal<double>({2}, 0, -1), "normal: stddev -1 is negative", gpu::Error);
    CHECK_THROWS_AS(rng.normal<double>({2}, NAN, 1), gpu::Error);
    CHECK_THROWS_WITH_AS(rng.exponential<double>({2}, -0.5), "exponential: scale -0.5 is negative", gpu::Error);
    CHECK_THROWS_WITH_AS(rng.bernoulli({2}, 1.5), "bernoulli: the probability 1.5 isn't between 0 and 1", gpu::Error);
    CHECK_THROWS_AS(rng.bernoulli({2}, NAN), gpu::Error);
    CHECK_THROWS_WITH_AS(rng.integers<int>({2}, 5, 5), "integers: from 5 to below 5: there is none", gpu::Error);
    CHECK_THROWS_WITH_AS(rng.integers<std::int8_t>({2}, 0, 129), "integers: from 0 to below 129: not all are int8",
                         gpu::Error);
    CHECK_THROWS_AS(rng.integers<std::uint16_t>({2}, -1, 5), gpu::Error);
    CHECK_THROWS_AS(rng.integers<std::uint64_t>({2}, 5, 5), gpu::Error);
    CHECK_THROWS_WITH_AS(rng.permutation(-1), "permutation: a count of -1", gpu::Error);
    CHECK(rng == gpu::random::Generator(1));
}
