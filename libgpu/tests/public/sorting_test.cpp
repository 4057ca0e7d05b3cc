// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

// NaN is larger than anything; of two NaNs none comes first.
template <class T>
bool goes_before(T a, T b) {
    if constexpr (std::is_same_v<T, gpu::half>) {
        return goes_before(static_cast<float>(a), static_cast<float>(b));
    } else {
        return a < b || (b != b && a == a);
    }
}

// The same bits: -0.0 isn't 0.0 here, and a NaN is itself.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// Sorts along the last axis and compares with a stable sort on the host.
template <class T>
void check_lines(const std::vector<T>& host, std::int64_t lines, std::int64_t n) {
    CAPTURE(lines);
    CAPTURE(n);
    const auto x = gpu::to_device({lines, n}, host);
    std::vector<T> sorted = host;
    std::vector<std::int64_t> places(host.size());
    for (std::int64_t line = 0; line < lines; ++line) {
        const T* const from = host.data() + line * n;
        std::int64_t* const place = places.data() + line * n;
        std::iota(place, place + n, 0);
        const auto first = [&](std::int64_t a, std::int64_t b) { return goes_before(from[a], from[b]); };
        std::stable_sort(place, place + n, first);
        for (std::int64_t k = 0; k < n; ++k) sorted[static_cast<std::size_t>(line * n + k)] = from[place[k]];
    }
    CHECK(same_bits(gpu::to_host(gpu::sort(x)), sorted));
    CHECK(gpu::to_host(gpu::argsort(x)) == places);
    if (lines > 1) {  // the same lines as columns
        const gpu::Array<T> columns = x.transpose();
        CHECK(same_bits(gpu::to_host(gpu::sort(columns, {.axis = 0}).transpose()), sorted));
        CHECK(gpu::to_host(gpu::argsort(columns, {.axis = 0}).transpose()) == places);
        CHECK(same_bits(gpu::to_host(gpu::sort(columns.transpose())), sorted));  // a window
    }
}

template <class T>
std::vector<T> drawn(std::int64_t count, int different, std::mt19937& random) {
    std::uniform_int_distribution<int> numbers(0, different - 1);
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& value : values) {
        const int k = numbers(random);
        if constexpr (std::is_same_v<T, gpu::half> || std::is_floating_point_v<T>) {
            const float special[] = {-0.f, std::numeric_limits<float>::quiet_NaN(),
                                     -std::numeric_limits<float>::infinity()};
            value = k % 11 < 3 ? T(special[k % 11]) : T(static_cast<float>(k - different / 2) / 4);
        } else if constexpr (std::is_signed_v<T>) {
            value = static_cast<T>(k - different / 2);
        } else {
            value = static_cast<T>(static_cast<T>(-1) - static_cast<T>(k));
        }
    }
    return values;
}

}  // namespace

TEST_CASE("sort and argsort along an axis") {
    //! [sort]
    auto x = gpu::to_device({3.f, 1.f, 2.f, 1.f});
    gpu::Array<float> sorted = gpu::sort(x);                 // 1 1 2 3
    gpu::Array<std::int64_t> order = gpu::argsort(x);        // 1 3 2 0: equal elements keep their order
    auto rows = gpu::to_device({{3, 1}, {2, 4}});
    gpu::Array<int> columns = gpu::sort(rows, {.axis = 0});  // 2 1 / 3 4
    //! [sort]
    CHECK(gpu::to_host(sorted) == std::vector<float>{1, 1, 2, 3});
    CHECK(gpu::to_host(order) == std::vector<std::int64_t>{1, 3, 2, 0});
    CHECK(gpu::to_host(columns) == std::vector<int>{2, 1, 3, 4});
    CHECK(gpu::to_host(gpu::sort(rows)) == std::vector<int>{1, 3, 2, 4});
    CHECK(gpu::to_host(x.take(order)) == gpu::to_host(sorted));
    CHECK(gpu::to_host(gpu::sort(-x)) == std::vector<float>{-3, -2, -1, -1});  // an expression
    CHECK(gpu::to_host(x) == std::vector<float>{3, 1, 2, 1});
    CHECK_THROWS_AS((void)gpu::sort(x, {.axis = 1}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::sort(gpu::sum(x)), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::argsort(x, {.axis = -2}), gpu::AxisError);
}

TEST_CASE_TEMPLATE("sort: any length, any real type, with NaN, -0.0 and many equal elements", T, bool, std::int8_t,
                   std::int16_t, int, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                   gpu::half, float, double) {
    if constexpr (std::is_same_v<T, bool>) {
        const auto x = gpu::to_device<bool>({true, false, true, false, false});
        CHECK(gpu::to_host(gpu::sort(x)) == std::vector<std::uint8_t>{0, 0, 0, 1, 1});
        CHECK(gpu::to_host(gpu::argsort(x)) == std::vector<std::int64_t>{1, 3, 4, 0, 2});
    } else {
        std::mt19937 random(7);
        for (const std::int64_t n : {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 257, 1000})
            check_lines(drawn<T>(n, 40, random), 1, n);
        for (const std::int64_t n : {1, 5, 16, 33, 130}) check_lines(drawn<T>(7 * n, 12, random), 7, n);
        check_lines(drawn<T>(20011, 100, random), 1, 20011);
        check_lines(std::vector<T>(), 0, 3);
        check_lines(std::vector<T>(), 3, 0);
    }
}

TEST_CASE("sort along the middle axis, of sorted, reversed and constant lines; nothing waits") {
    const auto x = gpu::Array<int>(gpu::arange<int>(5 * 70 * 3).reshape({5, 70, 3}));
    CHECK(gpu::array_equal(gpu::sort(x(gpu::all, gpu::slice(gpu::none, gpu::none, -1)), {.axis = 1}), x).item());
    CHECK(gpu::array_equal(gpu::sort(x, {.axis = 1}), x).item());
    const auto place = gpu::argsort(gpu::ones<float>({2, 300}));
    CHECK(gpu::array_equal(place, gpu::arange<std::int64_t>(300).broadcast_to({2, 300})).item());
    const auto big = gpu::random::Generator(3).permutation(100003);
    CHECK(gpu::array_equal(gpu::sort(big), gpu::arange<std::int64_t>(100003)).item());
    const auto before = gpu::counts();
    (void)gpu::sort(big);
    CHECK((gpu::counts() - before).synchronizations == 0);
}
