// SPDX-License-Identifier: MIT
#include <cmath>

#include "support.hpp"
#include "texts/names.hpp"
#include "texts/spaces.hpp"

TEST_CASE("every thread of a grid runs once, in one, two and three dimensions") {
    const auto where =
        kernel<void(std::uint32_t*, std::uint32_t, std::uint32_t, std::uint32_t)>(texts::spaces, "where");
    const auto fibers = kernel<void(std::uint32_t*)>(texts::spaces, "where_with_barrier");
    const std::pair<gpu::Dim3, gpu::Dim3> shapes[] = {
        {{1}, {1}},       {{7}, {1000}}, {{3, 5}, {16, 4}}, {{2, 3, 4}, {5, 3, 2}}, {{1, 70, 2}, {1, 1, 64}},
        {{1, 1, 9}, {33}}};
    for (const auto& [grid, block] : shapes) {
        const auto blocks = grid.x * grid.y * grid.z, threads = block.x * block.y * block.z;
        std::vector<std::uint32_t> expected;
        for (std::int64_t b = 0; b < blocks; ++b)
            for (std::int64_t t = 0; t < threads; ++t) expected.push_back(static_cast<std::uint32_t>(b * 10000 + t));
        auto out = filled<std::uint32_t>(blocks * threads, 77);
        where({.grid = grid, .block = block}, out, static_cast<std::uint32_t>(grid.x),
              static_cast<std::uint32_t>(grid.y), static_cast<std::uint32_t>(grid.z));
        CHECK(gpu::to_host(out) == expected);
        auto again = filled<std::uint32_t>(blocks * threads, 77);
        fibers({.grid = grid, .block = block}, again);
        CHECK(gpu::to_host(again) == expected);
    }
}

TEST_CASE("large grids run each block once") {
    const auto count = kernel<void(std::uint64_t*)>(texts::spaces, "count_blocks");
    for (const gpu::Dim3 grid : {gpu::Dim3(300000), {2, 65535}, {1, 2, 65535}, {37, 41, 43}}) {
        auto out = filled<std::uint64_t>(2);
        count({.grid = grid, .block = 32}, out);
        std::uint64_t sum = 0;
        for (std::int64_t z = 0; z < grid.z; ++z)
            for (std::int64_t y = 0; y < grid.y; ++y)
                for (std::int64_t x = 0; x < grid.x; ++x) sum += static_cast<std::uint64_t>(x ^ (y << 1) ^ (z << 2));
        CHECK(gpu::to_host(out) ==
              std::vector<std::uint64_t>{static_cast<std::uint64_t>(grid.x * grid.y * grid.z), sum});
    }
}

TEST_CASE("static shared memory: arrays, rows, structures, in device functions and in templates") {
    auto out = filled<float>(64);
    kernel<void(float*)>(texts::spaces, "shared_kinds")({.grid = 1, .block = 64}, out);
    const auto got = gpu::to_host(out);
    for (int t = 0; t < 64; ++t) {
        const int u = 63 - t, next = (t + 1) % 64;
        const double expected = u + 0.5 * u + 2.0 * u - u + 200 + 3.0 * u + u + next + next * 0.25;
        REQUIRE(got[static_cast<std::size_t>(t)] == static_cast<float>(expected));
    }
}

TEST_CASE("dynamic shared memory: two declarations of two types in one file") {
    for (const int n : {1, 33, 1024}) {
        auto ints = filled<int>(n);
        kernel<void(int*)>(texts::spaces, "dynamic_file_scope")(
            {.grid = 1, .block = n, .shared = static_cast<std::size_t>(n) * 4}, ints);
        auto reals = filled<double>(n);
        kernel<void(double*)>(texts::spaces, "dynamic_two_parts")(
            {.grid = 1, .block = n, .shared = static_cast<std::size_t>(n) * 10}, reals);
        const auto squares = gpu::to_host(ints);
        const auto sums = gpu::to_host(reals);
        for (int t = 0; t < n; ++t) {
            const int u = (t + 5) % n;
            REQUIRE(squares[static_cast<std::size_t>(t)] == (n - 1 - t) * (n - 1 - t));
            REQUIRE(sums[static_cast<std::size_t>(t)] == u * 0.5 + u % 3);
        }
    }
}

TEST_CASE("__constant__ and __device__ variables begin as written and keep what kernels write") {
    auto out = filled<float>(60);
    kernel<void(float*)>(texts::spaces, "symbols")({.grid = 1, .block = 60}, out);
    const auto got = gpu::to_host(out);
    const float weights[] = {0.5F, 1.5F, -2.0F, 4.0F}, table[] = {1, 2, 3, 4, 5, 6};
    const int primes[] = {2, 3, 5, 7, 11};
    for (std::size_t t = 0; t < 60; ++t)
        REQUIRE(got[t] == weights[t % 4] * table[t % 2 * 3 + t % 3] + static_cast<float>(primes[t % 5]) + 0.75F);

    const auto keeps = kernel<void(std::int64_t*)>(texts::spaces, "keeps");
    auto state = filled<std::int64_t>(3);
    for (std::int64_t launch = 1; launch <= 3; ++launch) {
        keeps({.grid = 1, .block = 50}, state);
        CHECK(gpu::to_host(state) ==
              std::vector<std::int64_t>{100 + 50 * launch, (100 + 50 * launch - 1) << 33, 6 + launch});
    }
}

TEST_CASE("templates, namespaces, operators, lambdas, recursion, overloads, default arguments, unrolling") {
    const auto expected = [](int i, double seed, bool wide) {
        double sum = (2.0 * i + seed) * 0.5;
        sum += 1.0 + 2 * 3 * 1.0;  // v(1) is (2 * 1 + 0) / 2
        sum += -5.0;
        if (!wide) sum = static_cast<float>(sum);
        for (int k = 0; k < 9; ++k) sum += k * 3 % 5;
        if (wide) sum += 7;
        sum += 120 + 1000 + 1 + 1;
        return sum + (i % 3 == 0 ? 1 : i % 3 == 1 ? 110 : 100);
    };
    auto narrow = filled<float>(256);
    kernel<void(float*, float)>(texts::spaces, "language<float>")({.grid = 2, .block = 128}, narrow, 4.0F);
    const auto floats = gpu::to_host(narrow);
    for (int i = 0; i < 256; ++i) REQUIRE(floats[static_cast<std::size_t>(i)] == expected(i, 4.0, false));
}

TEST_CASE("vector types have CUDA's sizes and alignments") {
    auto out = filled<int>(16);
    auto f = filled<float>(4);
    kernel<void(int*, float*)>(texts::spaces, "vectors")({.grid = 1, .block = 1}, out, f);
    CHECK(gpu::to_host(out) == std::vector<int>{103, 404, 404, 206, 808, 1616, 412, 1616, 1616, 808, 1616, 1616, 824,
                                                412, 1616, 11 + 250 + 6 + 16 + 0 + 4});
    CHECK(gpu::to_host(f) == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("integer types of fixed width, limits and infinity need no header") {
    auto out = filled<int>(4);
    kernel<void(int*)>(texts::names, "sizes")({.grid = 1, .block = 1}, out);
    CHECK(gpu::to_host(out) == std::vector<int>{1 + 20 + 400 + 8000 + 80000, 2 * 255 + 2 * 65535 + 3, 31, 63});
}
