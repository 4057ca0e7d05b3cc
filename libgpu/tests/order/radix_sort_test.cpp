// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "launch/order/radix_sort.hpp"

// The radix sort of devices that share memory among threads, on every device: with small tiles, so that few elements
// have many of them.

namespace {

using gpu::detail::ArrayCore;
using gpu::detail::RadixChunks;
using gpu::detail::RadixTiles;
using gpu::detail::SortedLines;

constexpr int small_tile = 512;
constexpr RadixTiles small_tiles(bool wide) {
    return {.counts = {.threads = 256, .items = 1},
            .pass = {.threads = 256, .items = 2},
            .lines = {.threads = 256, .items = 2},
            .wide = wide};
}

// What a vector of a T's elements holds: std::vector<bool> has bits.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

template <class T>
inline constexpr bool is_real =
    std::is_floating_point_v<T> || std::is_same_v<T, gpu::half> || std::is_same_v<T, gpu::bfloat16>;

template <class T>
bool goes_before(T a, T b) {
    if constexpr (is_real<T>) {
        const auto x = static_cast<double>(a), y = static_cast<double>(b);
        return x < y || (std::isnan(y) && !std::isnan(x));
    } else {
        return a < b;
    }
}

enum class Kind { any_bits, few_values, equal, ascending, descending, not_numbers };

// Elements with any bits, or with many that are equal; of real numbers some are zeros and NaNs of either sign.
template <class T>
std::vector<Stored<T>> drawn(std::int64_t count, Kind kind, std::mt19937_64& random) {
    std::vector<Stored<T>> values;
    for (std::int64_t k = 0; k < count; ++k) {
        std::uint64_t bits = random();
        if (kind == Kind::few_values) bits = 40 + bits % 5;
        if (kind == Kind::equal) bits = 99;
        if constexpr (std::is_same_v<T, bool>) bits %= 2;
        Stored<T> value{};
        std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
        if constexpr (is_real<T>) {
            const std::uint64_t choice = kind == Kind::not_numbers ? 0 : random() % 8;
            if (choice < 2 && kind != Kind::equal) {
                const double special = choice == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.;
                value = static_cast<T>(static_cast<float>(random() % 2 == 0 ? special : -special));
            }
        }
        values.push_back(value);
    }
    if (kind == Kind::ascending || kind == Kind::descending)
        std::sort(values.begin(), values.end(), goes_before<Stored<T>>);
    if (kind == Kind::descending) std::reverse(values.begin(), values.end());
    return values;
}

template <class E>
std::vector<E> on_host(const ArrayCore& array) {
    std::vector<E> values(static_cast<std::size_t>(array.shape.size()));
    gpu::detail::copy_to_host(array, values.data(), array.shape.size());
    return values;
}

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

SortedLines sorted_with(const ArrayCore& x, bool keys, bool positions, const RadixTiles& tiles) {
    return gpu::detail::radix_sorted(x, keys, positions, tiles);
}
SortedLines sorted_with(const ArrayCore& x, bool keys, bool positions, const RadixChunks& chunks) {
    return gpu::detail::chunk_sorted(x, keys, positions, chunks);
}

template <class T, class How>
void check_sorted(const std::vector<Stored<T>>& values, std::int64_t lines, const How& how) {
    const std::int64_t n = static_cast<std::int64_t>(values.size()) / lines;
    CAPTURE(gpu::name(gpu::dtype_of<T>));
    CAPTURE(lines);
    CAPTURE(n);
    const ArrayCore x =
        gpu::detail::to_device(gpu::dtype_of<T>, {lines, n}, values.data(), values.size(), gpu::Layout::row_major);
    const SortedLines both = sorted_with(x, true, true, how), keys = sorted_with(x, true, false, how),
                      positions = sorted_with(x, false, true, how);
    CHECK(positions.keys.storage == nullptr);
    const auto sorted = on_host<Stored<T>>(both.keys), alone = on_host<Stored<T>>(keys.keys);
    const auto at = on_host<std::int64_t>(both.positions), at_alone = on_host<std::int64_t>(positions.positions);
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::int64_t wrong = 0;
    for (std::int64_t line = 0; line < lines; ++line) {
        const Stored<T>* const from = values.data() + line * n;
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t a, std::int64_t b) { return goes_before(from[a], from[b]); });
        for (std::int64_t k = 0; k < n; ++k) {
            const auto place = static_cast<std::size_t>(line * n + k);
            const std::int64_t want = order[static_cast<std::size_t>(k)];
            wrong += at[place] == want && at_alone[place] == want && same_bits(sorted[place], from[want]) &&
                             same_bits(alone[place], from[want])
                         ? 0
                         : 1;
        }
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("a radix sort is std::stable_sort on every type of elements", T, bool, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, gpu::half,
                   gpu::bfloat16, float, double) {
    std::mt19937_64 random(20220607);
    const RadixTiles tiles = small_tiles(false);
    for (const std::int64_t n : {2, 300, small_tile, small_tile + 1, 5 * small_tile + 77})
        check_sorted<T>(drawn<T>(n, Kind::any_bits, random), 1, tiles);
    for (const Kind kind : {Kind::few_values, Kind::equal, Kind::ascending, Kind::descending, Kind::not_numbers})
        check_sorted<T>(drawn<T>(3 * small_tile - 1, kind, random), 1, tiles);
    check_sorted<T>(drawn<T>(6 * 700, Kind::any_bits, random), 6, tiles);
    for (const int chunks : {1, 3, 7})
        check_sorted<T>(drawn<T>(6 * 33, Kind::any_bits, random), 6, RadixChunks{chunks});
    for (const std::int64_t n : {1, 2, 3, 17, 100, 256, 257})
        check_sorted<T>(drawn<T>(600 / n * n, Kind::few_values, random), 600 / n, tiles);
}

TEST_CASE("a radix sort counts in 64 bits where lines are long") {
    std::mt19937_64 random(7);
    check_sorted<float>(drawn<float>(3 * 1200, Kind::any_bits, random), 3, small_tiles(true));
    check_sorted<std::uint8_t>(drawn<std::uint8_t>(2000, Kind::any_bits, random), 1, small_tiles(true));
    check_sorted<float>(drawn<float>(2000, Kind::any_bits, random), 2, RadixChunks{.count = 3, .wide = true});
    check_sorted<double>(drawn<double>(2000, Kind::few_values, random), 1, small_tiles(true));
}

TEST_CASE("a radix sort sorts with the tiles that it has by default") {
    std::mt19937_64 random(8);
    const auto check = [&]<class T>(T, std::int64_t n, std::int64_t lines) {
        const gpu::detail::SortTypes types{.element = gpu::dtype_of<T>};
        check_sorted<T>(drawn<T>(n * lines, Kind::any_bits, random), lines, gpu::detail::radix_tiles(types, n, lines));
    };
    check(float{}, 20000, 2);
    check(float{}, 8192, 3);
    check(float{}, 4096, 2);
    check(float{}, 64, 100);
    check(float{}, 1000, 1);
    check(double{}, 10000, 2);
    check(double{}, 4000, 2);
    check(std::uint8_t{}, 20000, 1);
    CHECK(gpu::detail::radix_tiles({}, std::int64_t{1} << 30, 1).wide);
    CHECK_FALSE(gpu::detail::radix_tiles({}, (std::int64_t{1} << 30) - 1, 1).wide);
}

TEST_CASE("a radix sort's kernels have no races, and touch nothing outside their arrays") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) {
        std::puts("SKIP: check mode of a radix sort: it is the host backend's");
        return;
    }
    std::mt19937_64 random(9);
    const gpu::CheckReport report = gpu::check([&] {
        for (const bool wide : {false, true}) {
            check_sorted<float>(drawn<float>(2 * 1400, Kind::any_bits, random), 2, small_tiles(wide));
            check_sorted<float>(drawn<float>(5 * 100, Kind::any_bits, random), 5, small_tiles(wide));
        }
        check_sorted<float>(drawn<float>(1300, Kind::any_bits, random), 2, RadixChunks{.count = 3});
        check_sorted<std::int16_t>(drawn<std::int16_t>(1300, Kind::any_bits, random), 1, small_tiles(false));
        check_sorted<double>(drawn<double>(400, Kind::any_bits, random), 1, small_tiles(false));
    });
    for (const auto& finding : report.findings)
        FAIL_CHECK(finding.kernel << ": " << finding.what << " " << finding.who);
}
