// SPDX-License-Identifier: MIT
// Divergent code against plain C++ that says what each thread must see.
#include <algorithm>
#include <numeric>

#include "support.hpp"
#include "texts/torture.hpp"

namespace {

constexpr int bad = -123456;

std::vector<int> run(const std::string& name, gpu::Dim3 block, std::int64_t n) {
    auto out = filled<int>(n, bad);
    kernel<void(int*)>(texts::torture, name)({.grid = n / (block.x * block.y * block.z), .block = block}, out);
    return gpu::to_host(out);
}

// What `branches` does, for the 32 lanes of one warp at once.
std::vector<int> branches_of_warp(int first) {
    std::vector<int> v(32);
    for (int l = 0; l < 32; ++l) v[static_cast<std::size_t>(l)] = (first + l) * 3 + 1;
    const auto at = [](std::vector<int>& x, int l) -> int& { return x[static_cast<std::size_t>(l)]; };
    auto old = v;
    for (int l = 0; l < 8; ++l) at(v, l) += at(old, l ^ 3);
    for (int l = 8; l < 16; ++l) at(v, l) *= 2;
    old = v;
    for (int l = 8; l < 16; ++l) at(v, l) += l % 2 != 0 ? at(old, 11) : -at(old, 8);
    old = v;
    for (int l = 8; l < 16; ++l) at(v, l) += at(old, l == 15 ? 15 : l + 1);
    for (int k = 0; k < 3; ++k) {
        old = v;
        for (int l = 16; l < 32; ++l) at(v, l) += l < 24 ? k : at(old, l == 24 ? 24 : l - 1);
    }
    old = v;
    for (int l = 0; l < 32; ++l) at(v, l) = at(old, l) + at(old, 31 - l);
    return v;
}

}  // namespace

TEST_CASE("nested branches shuffle in masks of their own") {
    const auto out = run("branches", 96, 96);
    for (int warp = 0; warp < 3; ++warp) {
        const auto expected = branches_of_warp(warp * 32);
        CHECK(std::equal(expected.begin(), expected.end(), out.begin() + warp * 32));
    }
}

TEST_CASE("loops of different length end in the same barriers, for blocks of every shape") {
    for (const gpu::Dim3 block : {gpu::Dim3(1), {31}, {33}, {100}, {1000}, {1024}, {5, 7, 3}, {2, 3, 64}, {1, 32, 2}}) {
        const int n = static_cast<int>(block.x * block.y * block.z);
        CAPTURE(n);
        std::vector<int> sum(static_cast<std::size_t>(n)), expected(sum.size());
        for (int t = 0; t < n; ++t) {
            int& mine = sum[static_cast<std::size_t>(t)];
            for (int k = 0; k < t % 7; ++k) {
                if (k == 3 && t % 2 != 0) continue;
                mine += k * t;
                if (mine > 5000) break;
            }
        }
        const auto at = [&](int t) { return sum[static_cast<std::size_t>(t % n)]; };
        for (int t = 0; t < n; ++t) expected[static_cast<std::size_t>(t)] = at(n - 1 - t + 1) - at(n - 1 - t);
        const auto out = run("trips", block, 2 * n);
        CHECK(std::equal(expected.begin(), expected.end(), out.begin()));
        CHECK(std::equal(expected.begin(), expected.end(), out.begin() + n));
    }
}

TEST_CASE("groups of lanes leave their loops one after the other") {
    const auto out = run("groups_of_eight", 64, 64);
    for (int t = 0; t < 64; ++t) {
        const int group = t % 32 / 8;
        std::vector<int> v(8);
        std::iota(v.begin(), v.end(), group * 8);
        for (int k = 0; k <= group * 2; ++k) {
            const auto old = v;
            for (std::size_t l = 0; l < 8; ++l) v[l] += old[l ^ (1U << k % 3)];
            if (std::any_of(v.begin(), v.end(), [](int x) { return x > 200000; })) break;
        }
        REQUIRE(out[static_cast<std::size_t>(t)] == v[static_cast<std::size_t>(t % 8)]);
    }
}

TEST_CASE("both halves of a warp work in branches between barriers") {
    const int n = 256, rounds = 9;
    auto out = filled<int>(n, bad);
    kernel<void(int*, int)>(texts::torture, "both_halves")({.grid = 1, .block = n}, out, rounds);
    std::vector<int> s(n);
    std::iota(s.begin(), s.end(), 0);
    for (int r = 0; r < rounds; ++r) {
        std::vector<int> v(n);
        for (int t = 0; t < n; ++t) v[static_cast<std::size_t>(t)] = s[static_cast<std::size_t>((t + r) % n)];
        for (std::size_t warp = 0; warp < 256; warp += 32) {
            for (std::size_t w = 8; w > 0; w /= 2) {
                const auto old = v;
                for (std::size_t l = 0; l < 16; ++l) v[warp + l] += old[warp + (l + w < 16 ? l + w : l)];
            }
            const int most =
                *std::max_element(v.begin() + static_cast<int>(warp) + 16, v.begin() + static_cast<int>(warp) + 32);
            std::fill_n(v.begin() + static_cast<int>(warp) + 16, 16, most);
        }
        for (std::size_t t = 0; t < 256; ++t) s[t] = v[t] % 1000;
    }
    CHECK(gpu::to_host(out) == s);
}

TEST_CASE("threads may return before and between barriers and votes") {
    for (const auto& [n, every] : {std::pair{1024, 5}, {100, 3}, {32, 4}, {33, 7}}) {
        CAPTURE(n);
        auto out = filled<int>(n, bad);
        kernel<void(int*, int)>(texts::torture, "some_return")({.grid = 1, .block = n}, out, every);
        const auto got = gpu::to_host(out);
        int first = 0, later = 0, odd = 0;
        for (int t = 0; t < n; ++t) {
            first += t % every != 1 ? 1 : 0;
            later += t % every != 1 && t % every != 2 ? 1 : 0;
            odd += t % every != 1 && t % every != 2 && t % 2 != 0 ? 1 : 0;
        }
        for (int t = 0; t < n; ++t) {
            int there = 0;
            for (int o = t / 32 * 32; o < std::min(n, t / 32 * 32 + 32); ++o) there += o % every != 1 ? 1 : 0;
            int expected = there + odd * 1000 + (t == 0 ? (first + 2 * later) * 100000 : 0);
            if (t % every == 1 || t % every == 2) expected = bad;
            REQUIRE(got[static_cast<std::size_t>(t)] == expected);
        }
    }
}

TEST_CASE("barriers work below calls and recursions") {
    for (const int n : {1, 33, 512}) {
        const auto out = run("barriers_below", n, n);
        std::vector<int> v(static_cast<std::size_t>(n));
        std::iota(v.begin(), v.end(), 0);
        for (int depth = 5; depth > 0; --depth) {
            const auto old = v;
            for (int t = 0; t < n; ++t)
                v[static_cast<std::size_t>(t)] = old[static_cast<std::size_t>((t + depth) % n)] + 1;
        }
        for (int& x : v) x -= 5;
        CHECK(out == v);
    }
}

TEST_CASE("a loop ends by a barrier's vote") {
    for (const int n : {5, 64, 1023})
        CHECK(run("vote_barriers", n, n) ==
              std::vector<int>(static_cast<std::size_t>(n), std::min(n - 1, 10) * 100 + 10));
}

TEST_CASE("a bitonic sort sorts") {
    for (const int n : {2, 64, 1024}) {
        std::vector<int> x(static_cast<std::size_t>(2 * n));
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<int>(k * 7919 % 1013);
        auto data = gpu::to_device(x);
        kernel<void(int*)>(texts::torture, "bitonic")({.grid = 2, .block = n}, data);
        std::sort(x.begin(), x.begin() + n);
        std::sort(x.begin() + n, x.end());
        CHECK(gpu::to_host(data) == x);
    }
}

TEST_CASE("a block scans by warps") {
    const auto scan = kernel<void(const int*, int*, int)>(texts::torture, "scan");
    for (const int n : {1, 31, 33, 1000, 1024}) {
        std::vector<int> x(static_cast<std::size_t>(n)), expected(x.size());
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<int>(k % 17) - 5;
        std::partial_sum(x.begin(), x.end(), expected.begin());
        auto out = filled<int>(n);
        scan({.grid = 1, .block = 1024}, gpu::to_device(x), out, n);
        CHECK(gpu::to_host(out) == expected);
    }
}

TEST_CASE("a tiled product has guards at every edge") {
    const int rows = 19, inner = 21, columns = 10;
    std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<float>(k % 7) - 3;
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = static_cast<float>(k % 5) - 2;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t col = 0; col < columns; ++col)
            for (std::size_t k = 0; k < inner; ++k) c[r * columns + col] += a[r * inner + k] * b[k * columns + col];
    auto out = filled<float>(rows * columns);
    kernel<void(const float*, const float*, float*, int, int, int)>(texts::torture, "matmul")(
        {.grid = {2, 3}, .block = {8, 8}}, gpu::to_device(a), gpu::to_device(b), out, rows, inner, columns);
    CHECK(gpu::to_host(out) == c);
}

TEST_CASE("the last block adds up, launch after launch") {
    const auto last_block = kernel<void(const int*, int*, int*, int)>(texts::torture, "last_block");
    const int n = 5000;
    auto partial = filled<int>(40), total = filled<int>(1);
    for (int launch = 1; launch <= 3; ++launch) {
        last_block({.grid = 40, .block = 128}, gpu::arange<int>(n), partial, total, n);
        CHECK(total.item() == launch * (n * (n - 1) / 2));
    }
}

TEST_CASE("a thread that sleeps lets the others run") {
    for (const int n : {32, 200}) CHECK(run("waits", n, n).front() == 42);
}
