// SPDX-License-Identifier: MIT
#include <algorithm>

#include "support.hpp"
#include "texts/groups.hpp"

TEST_CASE("a thread block knows its shape and waits") {
    for (const gpu::Dim3 block : {gpu::Dim3(1), {33}, {8, 4, 2}, {1024}}) {
        const int n = static_cast<int>(block.x * block.y * block.z);
        auto out = filled<int>(n * 2);
        kernel<void(int*)>(texts::groups, "block_facts")({.grid = 2, .block = block}, out);
        const auto got = gpu::to_host(out);
        for (int t = 0; t < 2 * n; ++t) REQUIRE(got[static_cast<std::size_t>(t)] == n - 1 - t % n + 10000 * 2 * n);
    }
}

TEST_CASE("tiles shuffle, vote, reduce and know their places") {
    auto out = filled<int>(64 * 16);
    kernel<void(int*)>(texts::groups, "tiles")({.grid = 1, .block = 64}, out);
    const auto got = gpu::to_host(out);
    for (int t = 0; t < 64; ++t) {
        const auto sum = [t](int n) {
            const int first = t / n * n;
            return n * first + n * (n - 1) / 2;
        };
        unsigned ballot = 0, match = 0;
        int most = 0;
        for (int k = 0; k < 8; ++k) {
            ballot |= (t / 8 * 8 + k) % 3 == 0 ? 1U << k : 0U;
            match |= k % 2 == t % 2 ? 1U << k : 0U;
        }
        for (int k = 0; k < 32; ++k) most = std::max(most, (t / 32 * 32 + k) % 7);
        const int four = t / 4 * 4, third = four + 2;
        const std::vector<int> right{sum(32),
                                     sum(8),
                                     sum(4),
                                     t / 32 * 100 + 2,
                                     t % 32 / 8 * 100 + 4,
                                     t % 8 + 800 + 40000,
                                     static_cast<int>(ballot),
                                     (four == 4 ? 1 : 0) + (four == 0 ? 2 : 0) + 4 * static_cast<int>(match),
                                     (t % 8 < 2 ? t : t - 2) * 1000 + (t ^ 3),
                                     t % 8 < 4 ? four + 3 : -1,
                                     t % 16 + 1600,
                                     sum(8),
                                     most * 100 + four,
                                     sum(8),
                                     15 + 16 * (four ^ (four + 1) ^ (four + 2) ^ (four + 3)),
                                     third + third * 1000 + third * 3 * 1000000};
        for (std::size_t k = 0; k < right.size(); ++k) {
            CAPTURE(t);
            CAPTURE(k);
            REQUIRE(got[static_cast<std::size_t>(t) * 16 + k] == right[k]);
        }
    }
}

TEST_CASE("coalesced threads share one atomic") {
    std::vector<int> x;
    for (int k = 0; k < 1000; ++k) x.push_back(k * 7 % 101);
    auto out = filled<int>(1000, -1), count = filled<int>(1);
    kernel<void(const int*, int*, int*, int)>(texts::groups, "filter")({.grid = 8, .block = 128}, gpu::to_device(x),
                                                                       out, count, 1000);
    std::vector<int> expected, got = gpu::to_host(out);
    std::copy_if(x.begin(), x.end(), std::back_inserter(expected), [](int v) { return v % 3 == 0; });
    REQUIRE(count.item() == static_cast<int>(expected.size()));
    got.resize(expected.size());
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    CHECK(got == expected);
}

TEST_CASE("a tile is cut by labels and in two") {
    auto out = filled<int>(96);
    kernel<void(int*)>(texts::groups, "parts")({.grid = 1, .block = 32}, out);
    const auto got = gpu::to_host(out);
    for (int t = 0; t < 32; ++t) {
        const std::size_t at = static_cast<std::size_t>(t) * 3;
        const int last = t < 10 ? 9 : 31;
        CHECK(got[at] == (t % 3 == 2 ? 10 : 11) * 100 + t / 3);
        CHECK(got[at + 1] == (t < 10 ? 1000 + t : 2200 + t - 10));
        CHECK(got[at + 2] == t % 3 + 3 + 100 * std::min(t + 1, last));
    }
}
