// SPDX-License-Identifier: MIT
#include <algorithm>

#include "support.hpp"
#include "texts/atomics.hpp"

namespace {

constexpr int n = 900;
// Some of the atomics have block scope: more blocks would race with them.
const gpu::LaunchConfig one_block{.grid = 1, .block = 1024};

template <class T>
gpu::Array<T> cells() {
    std::vector<T> start(16);
    start[0] = 5000, start[2] = static_cast<T>((1 << 20) - 1), start[5] = 5000;
    return gpu::to_device(start);
}

template <class T>
void check_integers(const gpu::Array<T>& cell) {
    const auto got = gpu::to_host(cell);
    T odd = 0, either = 0;
    for (int i = 0; i < n; ++i) odd ^= static_cast<T>(i), either |= static_cast<T>(i);
    CHECK(got[0] == static_cast<T>(1000 - (n - 1)));
    CHECK(got[1] == static_cast<T>(n - 1));
    CHECK(got[2] == 0);
    CHECK(got[3] == static_cast<T>((1 << 20) - 1));
    CHECK(got[4] == odd);
    CHECK(got[5] == static_cast<T>(1000 - (n - 1)));
    CHECK(got[6] == either);
    CHECK(got[7] == 0);
}

template <class T>
void check_words(const gpu::Array<T>& cell) {
    const auto got = gpu::to_host(cell);
    CHECK(got[0] == static_cast<T>(n * (n - 1) / 2));
    CHECK(got[1] == static_cast<T>(3 * n));
    CHECK(got[2] == static_cast<T>(3 * n));
    CHECK(got[3] == 1);
    CHECK(got[4] == 1);
    CHECK(got[5] >= 1);
    CHECK(got[5] <= static_cast<T>(n));
    CHECK(got[6] == 9);
}

}  // namespace

TEST_CASE("atomic minimum, maximum and bit operations of 32 and 64 bits") {
    auto a = cells<int>();
    auto b = cells<std::uint32_t>();
    auto c = cells<std::int64_t>();
    auto d = cells<std::uint64_t>();
    kernel<void(int*, std::uint32_t*, std::int64_t*, std::uint64_t*, int)>(texts::atomics, "integers_of")(
        one_block, a, b, c, d, n);
    check_integers(a);
    check_integers(b);
    check_integers(c);
    check_integers(d);
}

TEST_CASE("atomic addition, exchange, comparison, and counters that wrap") {
    auto a = filled<int>(16);
    auto b = filled<std::uint32_t>(16);
    auto c = filled<std::uint64_t>(16);
    kernel<void(int*, std::uint32_t*, std::uint64_t*, int)>(texts::atomics, "words_of")(one_block, a, b, c, n);
    check_words(a);
    check_words(b);
    check_words(c);
    CHECK(gpu::to_host(a)[7] == -(n * (n - 1) / 2));
    std::uint32_t up = 0, down = 0, ups = 0, downs = 0;
    for (int i = 0; i < n; ++i) {
        ups += up, downs += down;
        up = up >= 6 ? 0 : up + 1;
        down = down == 0 || down > 4 ? 4 : down - 1;
    }
    const auto got = gpu::to_host(b);
    CHECK(std::vector<std::uint32_t>(got.begin() + 7, got.begin() + 12) ==
          std::vector<std::uint32_t>{0U - 2U * n, up, down, ups, downs});
}

TEST_CASE("atomics of float and double") {
    auto f = filled<float>(3);
    auto d = filled<double>(3);
    kernel<void(float*, double*, int)>(texts::atomics, "reals")(one_block, f, d, n);
    const auto floats = gpu::to_host(f);
    const auto doubles = gpu::to_host(d);
    CHECK(floats[0] == n * 0.5F);
    CHECK(floats[1] == n);
    CHECK(doubles[0] == n * 0.25);
    CHECK(doubles[1] == n * (n - 1) / 2.0);
    CHECK(doubles[2] + static_cast<double>(floats[2]) == n * (n - 1) / 2.0);
}

TEST_CASE("atomicCAS of 16 bits leaves its neighbour alone") {
    auto x = filled<std::uint16_t>(2);
    kernel<void(std::uint16_t*, int)>(texts::atomics, "halves")({.grid = 4, .block = 256}, x, n);
    CHECK(gpu::to_host(x) == std::vector<std::uint16_t>{n / 2, n / 2});
}

TEST_CASE("atomics on shared memory, and fences") {
    auto out = filled<int>(17);
    kernel<void(int*, int)>(texts::atomics, "in_shared")({.grid = 4, .block = 256}, out, n);
    std::vector<int> expected(17);
    for (int i = 0; i < n; ++i) ++expected[static_cast<std::size_t>(i * 7 % 16)];
    expected[16] = n;
    CHECK(gpu::to_host(out) == expected);
    auto seen = filled<int>(64);
    kernel<void(int*)>(texts::atomics, "fences")({.grid = 1, .block = 64}, seen);
    CHECK(gpu::to_host(seen) == std::vector<int>(64, 17));
}
