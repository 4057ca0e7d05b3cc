// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "support.hpp"
#include "texts/warp.hpp"

TEST_CASE("shuffles move every type that CUDA has them for") {
    auto out = filled<int>(64);
    kernel<void(int*)>(texts::warp, "all_types")({.grid = 1, .block = 64}, out);
    CHECK(gpu::to_host(out) == std::vector<int>(64, 0x3ff));
    auto results = filled<int>(32);
    kernel<void(int*)>(texts::warp, "types_of_results")({.grid = 1, .block = 32}, results);
    for (const int result : gpu::to_host(results)) REQUIRE(result == 1 - 3 + 1);
}

TEST_CASE("votes and matches, with full and with partial masks") {
    auto out = filled<std::uint32_t>(64 * 12);
    kernel<void(std::uint32_t*)>(texts::warp, "votes")({.grid = 1, .block = 64}, out);
    const auto got = gpu::to_host(out);
    for (unsigned t = 0; t < 64; ++t) {
        const unsigned lane = t % 32;
        const auto where = [](auto condition) {
            unsigned mask = 0;
            for (unsigned l = 0; l < 32; ++l) mask |= condition(l) ? 1U << l : 0U;
            return mask;
        };
        const unsigned* const mine = got.data() + static_cast<std::size_t>(t) * 12;
        CAPTURE(t);
        REQUIRE(mine[0] == where([](unsigned l) { return l % 3 == 0; }));
        REQUIRE(mine[1] == (t >= 32));
        REQUIRE(mine[2] == (t < 32));
        REQUIRE(mine[3] == where([&](unsigned l) { return l % 5 == lane % 5; }));
        REQUIRE(mine[4] == where([&](unsigned l) { return l / 8 == lane / 8; }));
        REQUIRE(mine[5] == where([&](unsigned l) { return l % 2 == lane % 2; }));
        REQUIRE(mine[6] == 0xffffffffU + 1);
        REQUIRE(mine[7] == 0);
        REQUIRE(mine[8] == 0);
        REQUIRE(mine[9] == (lane % 2 != 0 ? where([](unsigned l) { return l % 2 != 0 && l > 20; })
                                          : where([](unsigned l) { return l % 2 == 0 && l < 5; })));
        REQUIRE(mine[10] ==
                (lane % 2 != 0 ? 0xaaaaaaaaU : where([&](unsigned l) { return l % 2 == 0 && l / 16 == lane / 16; })));
        REQUIRE(mine[11] == (lane % 2 != 0 ? 1U : 0U));
    }
}

TEST_CASE("__activemask names the caller, and lanes of one branch find each other") {
    auto out = filled<std::uint32_t>(64);
    kernel<void(std::uint32_t*)>(texts::warp, "predicates")({.grid = 1, .block = 32}, out);
    const auto got = gpu::to_host(out);
    for (unsigned t = 0; t < 32; ++t) {
        CHECK((got[t] >> t & 1) == 1);
        if (t % 4 != 1) continue;
        const unsigned count = got[32 + t] / 1000, leader = got[32 + t] % 1000;
        CHECK(count >= 1);
        CHECK(count <= 8);
        CHECK(leader % 4 == 1);
        if (!on_host()) continue;
        CHECK(got[t] == 0xffffffffU);  // here all that can run together do
        CHECK(count == 8);
        CHECK(leader == 1);
    }
}

TEST_CASE("__reduce_*_sync combine the lanes of a mask") {
    auto out = filled<int>(64 * 12);
    kernel<void(int*)>(texts::warp_reductions, "reductions")({.grid = 1, .block = 64}, out);
    std::vector<int> expected(10);
    unsigned add = 0, least = ~0U, most = 0, both = ~0U, either = 0, odd = 0;
    int sum = 0, low = 1 << 30, high = -(1 << 30);
    for (int lane = 0; lane < 32; ++lane) {
        const int v = (lane * 37 % 32 - 16) * 1000;
        const unsigned u = static_cast<unsigned>(lane) * 2654435761U;
        sum += v, low = std::min(low, v), high = std::max(high, v);
        add += u, least = std::min(least, u | 1U), most = std::max(most, u);
        both &= u | 0xf0f0U, either |= u & 0xffff00U, odd ^= u;
    }
    const int first[] = {sum, low, high};
    const unsigned second[] = {add, least, most, both, either, odd};
    const auto got = gpu::to_host(out);
    for (std::size_t t = 0; t < 64; ++t) {
        for (std::size_t k = 0; k < 3; ++k) REQUIRE(got[t * 12 + k] == first[k]);
        for (std::size_t k = 0; k < 6; ++k) REQUIRE(std::bit_cast<unsigned>(got[t * 12 + 3 + k]) == second[k]);
        REQUIRE(got[t * 12 + 9] == (t % 32 < 10 ? 45 : -10));
    }
}
