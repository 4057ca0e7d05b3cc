// SPDX-License-Identifier: MIT
// What NVIDIA's samples and tutorials write: it runs on both backends, and in check mode.
#include <bit>
#include <cmath>
#include <limits>

#include "support.hpp"
#include "texts/idioms.hpp"

namespace {

float bfloat16_of(float x) {
    auto bits = std::bit_cast<std::uint32_t>(x);
    bits = (bits + 0x7fffU + (bits >> 16 & 1U)) & 0xffff0000U;
    return std::bit_cast<float>(bits);
}

}  // namespace

TEST_CASE("dynamic shared memory in templates: a class's conversion, a kernel, a function") {
    for (const char* const name : {"reverse<double>", "rotate<double>"}) {
        auto x = gpu::arange<double>(64);
        kernel<void(double*)>(texts::shared_idioms, name)({.grid = 1, .block = 64, .shared = 64 * sizeof(double)}, x);
        const auto got = gpu::to_host(x);
        for (int t = 0; t < 64; ++t)
            REQUIRE(got[static_cast<std::size_t>(t)] == (name[1] == 'e' ? 63 - t : (t + 1) % 64));
    }
    auto x = gpu::arange<float>(32);
    kernel<void(float*)>(texts::shared_idioms, "rotate<float>")({.grid = 1, .block = 32, .shared = 128}, x);
    CHECK(gpu::to_host(x)[31] == 0.0F);
}

TEST_CASE("shared variables in all the ways that they are declared, and a local warpSize") {
    auto out = filled<int>(64);
    kernel<void(int*)>(texts::shared_idioms, "declarations")({.grid = 1, .block = 64, .shared = 256}, out);
    const auto got = gpu::to_host(out);
    for (int t = 0; t < 64; ++t) {
        const int u = (t + 7) % 64;
        REQUIRE(got[static_cast<std::size_t>(t)] == u * (1 + 2 + 3 + 4 + 4) + 5 + 5 + 3);
    }
}

TEST_CASE("virtual destructors, memcpy and memset, DPX with two predicates") {
    auto out = filled<int>(40);
    auto records = filled<std::int32_t>(40 * 4);
    kernel<void(int*, int*)>(texts::shared_idioms, "objects")({.grid = 1, .block = 40}, out, records);
    const auto got = gpu::to_host(out);
    for (int t = 0; t < 40; ++t) REQUIRE(got[static_cast<std::size_t>(t)] == (t % 2 != 0 ? 1 : 2) * t * t + 1);

    auto bits = filled<unsigned>(4);
    // No constants: of those, CUDA 13.0's compiler for sm_90 gives the two predicates the wrong way round.
    kernel<void(unsigned*, unsigned, unsigned)>(texts::shared_idioms, "predicates")({.grid = 1, .block = 1}, bits,
                                                                                    0x0005fffeU, 0xfff00003U);
    const unsigned expected[] = {0x00050003U, 1, 0x00050003U, 1};
    for (std::size_t k = 0; k < 4; ++k) {
        CAPTURE(k);
        CHECK(gpu::to_host(bits)[k] == expected[k]);
    }
}

TEST_CASE("scans of tiles and coalesced threads") {
    auto out = filled<int>(64 * 4);
    kernel<void(int*)>(texts::scans, "tile_scans")({.grid = 1, .block = 64}, out);
    const auto got = gpu::to_host(out);
    const auto value = [](int t) { return t * t % 11; };
    for (int t = 0; t < 64; ++t) {
        int sum = 0, most = 0, others = 0;
        for (int k = t / 16 * 16; k <= t; ++k) {
            sum += value(k);
            most = std::max(most, value(k));
        }
        for (int k = t / 32 * 32; k < t; ++k) others += k % 3 != 0 ? value(k) : 0;
        const auto* const mine = &got[static_cast<std::size_t>(t) * 4];
        REQUIRE(mine[0] == sum);
        REQUIRE(mine[1] == sum - value(t));
        REQUIRE(mine[2] == most);
        if (t % 3 != 0) REQUIRE(mine[3] == others);
    }
}

TEST_CASE("tiles of several warps wait, reduce, scan and move values") {
    auto out = filled<int>(256 * 8);
    kernel<void(int*)>(texts::scans, "large_tiles")({.grid = 1, .block = 256}, out);
    const auto got = gpu::to_host(out);
    for (int t = 0; t < 256; ++t) {
        const int first = t / 64 * 64, rank = t % 64;
        const std::vector<int> right{t ^ 63,
                                     64 * first + 63 * 32,
                                     rank + 1,
                                     first + 40,
                                     (first == 64 ? 1 : 0) + (first < 128 ? 2 : 0),
                                     rank + 1000 * (t / 64) + 400000,
                                     rank / 32 + 20,
                                     64};
        for (std::size_t k = 0; k < 8; ++k) {
            CAPTURE(t);
            CAPTURE(k);
            REQUIRE(got[static_cast<std::size_t>(t) * 8 + k] == right[k]);
        }
    }
}

TEST_CASE("cuda::std: limits, pairs, tuples, arrays, type traits") {
    auto out = filled<double>(11);
    const auto x = gpu::to_device(std::vector<float>{-3.5F, -1.25F, -2});
    kernel<void(double*, const float*, int)>(texts::cuda_std, "library")({.grid = 1, .block = 1}, out, x, 3);
    const double most = std::numeric_limits<float>::max();
    CHECK(gpu::to_host(out) ==
          std::vector<double>{-1.25, most, -32768.0 + 32, 46, 7 + 1 + 2.5 + 97 + 3, 5.25, 4910, 21, 13, 3, 1});
}

TEST_CASE("bfloat16: conversions with every rounding, arithmetic, pairs, shuffles, atomics") {
    std::vector<float> values{0,       -0.0F, 1,    1.5F,  3.14159F, -2.71828F, 1e-40F,
                              3.4e38F, 65504, 0.1F, -0.1F, 257,      258.99F};
    const int n = static_cast<int>(values.size());
    const auto x = gpu::to_device(values);
    auto y = filled<float>(n);
    auto bits = filled<std::uint16_t>(4 * n);
    kernel<void(const float*, float*, std::uint16_t*, int)>(texts::bfloat16, "round_trip")({.grid = 1, .block = 32}, x,
                                                                                           y, bits, n);
    const auto rounded = gpu::to_host(y);
    const auto got = gpu::to_host(bits);
    for (std::size_t k = 0; k < values.size(); ++k) {
        CAPTURE(values[k]);
        CHECK(rounded[k] == bfloat16_of(values[k]));
        const auto down = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(values[k]) >> 16);
        const bool exact = (std::bit_cast<std::uint32_t>(values[k]) & 0xffffU) == 0, negative = std::signbit(values[k]);
        CHECK(got[4 * k + 1] == down);
        CHECK(got[4 * k + 2] == down + (exact || negative ? 0 : 1));
        CHECK(got[4 * k + 3] == down + (exact || !negative ? 0 : 1));
    }
    auto results = filled<float>(8 * n);
    kernel<void(const float*, float*, int)>(texts::bfloat16, "arithmetic")({.grid = 1, .block = 32}, x, results, n);
    const auto all = gpu::to_host(results);
    for (int i = 0; i < n; ++i) {
        const float a = bfloat16_of(values[static_cast<std::size_t>(i)]),
                    b = bfloat16_of(values[static_cast<std::size_t>((i + 1) % n)]);
        if (std::fabs(a) > 1e30F || std::fabs(b) > 1e30F || std::fabs(a) < 1e-30F || std::fabs(b) < 1e-30F) continue;
        const float* const one = &all[static_cast<std::size_t>(i) * 8];
        CAPTURE(a);
        CAPTURE(b);
        CHECK(one[0] == bfloat16_of(a + b));
        CHECK(one[1] == bfloat16_of(a * b));
        CHECK(one[2] == bfloat16_of(std::fma(a, b, a)));
        CHECK(one[3] == std::max(a, b) + (a < b ? 1000.0F : 0.0F));
        CHECK(one[4] == bfloat16_of(bfloat16_of(a + a) * a));
        CHECK(one[5] == bfloat16_of(bfloat16_of(b + b) * b));
        CHECK(one[6] == std::nearbyint(a) + 100.0F);
        CHECK(std::fabs(one[7] - (bfloat16_of(std::sqrt(std::fabs(b))) - a)) <= 0.01F * std::sqrt(std::fabs(b)));
    }
}
