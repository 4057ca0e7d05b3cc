// SPDX-License-Identifier: MIT
// Asynchronous copies to shared memory: primitives, groups, pipelines, barriers. What is waited for is there; in check
// mode nothing is found, in whatever order threads run.
#include <gpu/check.hpp>

#include "support.hpp"
#include "texts/copies.hpp"

/// As the kernels' own type.
struct CopiedPair {
    int a;
    float b;
};

namespace {

std::vector<int> numbers(int n) {
    std::vector<int> x;
    for (int k = 0; k < n; ++k) x.push_back(k * 37 % 101 - 50);
    return x;
}

int at(const std::vector<int>& x, int k) { return x[static_cast<std::size_t>(k)]; }

// `run` puts what it computes into an array that it returns: plainly, and on the host in check mode in several orders.
template <class F>
void check_everywhere(const std::vector<int>& expected, F&& run) {
    CHECK(gpu::to_host(run()) == expected);
    if (!on_host() || in_check_mode) return;
    for (const char* const schedule : {"fixed", "random:1", "random:2", "random:3"}) {
        CAPTURE(schedule);
        std::vector<int> got;
        const gpu::CheckReport report =
            gpu::check([&] { got = gpu::to_host(run()); }, {.schedule = schedule});
        CHECK(got == expected);
        CHECK_MESSAGE(report.findings.empty(), report.to_text());
    }
}

}  // namespace

TEST_CASE("primitives copy 4, 8 and 16 bytes, and fill up with zeros") {
    const std::vector<int> x = numbers(128);
    std::vector<int> expected;
    for (int t = 0; t < 32; ++t) {
        const int first = at(x, 4 * t);
        for (const int v : {first, -1, -1, -1, first, 0, -1, -1, first, at(x, 4 * t + 1), at(x, 4 * t + 2), 0})
            expected.push_back(v);
    }
    const auto sizes = kernel<void(const int*, int*)>(texts::copies, "sizes");
    check_everywhere(expected, [&] {
        auto y = filled<int>(32 * 12);
        sizes({.grid = 1, .block = 32}, gpu::to_device(x), y);
        return y;
    });
}

TEST_CASE("groups of copies are waited for one after the other, however many are under way") {
    constexpr int rounds = 13;
    const std::vector<int> x = numbers(rounds * 64);
    std::vector<int> expected(64);
    for (int k = 0; k < rounds; ++k)
        for (int t = 0; t < 64; ++t) {
            int& sum = expected[static_cast<std::size_t>(t)];
            sum = sum * 3 + at(x, k * 64 + t);
        }
    const auto in_turns = kernel<void(const int*, int*, int, int)>(texts::copies, "in_turns");
    for (const int depth : {1, 2, 5, 8}) {
        CAPTURE(depth);
        check_everywhere(expected, [&] {
            auto y = filled<int>(64);
            in_turns({.grid = 1, .block = 64}, gpu::to_device(x), y, rounds, depth);
            return y;
        });
    }
}

TEST_CASE("blocks, tiles and coalesced groups copy together: bytes, elements, aligned or not") {
    const std::vector<int> x = numbers(640);
    std::vector<std::int8_t> bytes;
    for (int k = 0; k < 100; ++k) bytes.push_back(static_cast<std::int8_t>(k * 7 % 60));
    std::vector<int> expected;
    for (int t = 0; t < 128; ++t) {
        const int w = t / 32 * 32;
        int sum = at(x, 127 - t) + 3 * at(x, 255 - t) + 5 * at(x, 256 + w + (t + 1) % 32) +
                  7 * at(x, 384 + w + (t + 2) % 32) + 13 * at(x, 512 + w + (t + 3) % 32);
        if (t < 99) sum += 11 * bytes[static_cast<std::size_t>(99 - t)];
        expected.push_back(sum);
    }
    const auto by_groups = kernel<void(const int*, const char*, int*)>(texts::copies, "by_groups");
    const auto text = gpu::to_device(bytes);
    check_everywhere(expected, [&] {
        auto y = filled<int>(128);
        by_groups({.grid = 1, .block = 128}, gpu::to_device(x), reinterpret_cast<const char*>(text.data()), y);
        return y;
    });
}

TEST_CASE("a thread's pipeline has its batches in order") {
    constexpr int n = 11;
    std::vector<CopiedPair> x;
    for (int k = 0; k < n * 32; ++k) x.push_back({k % 7 - 3, static_cast<float>(k % 5)});
    const auto* const first = reinterpret_cast<const std::uint8_t*>(x.data());
    const auto bytes = gpu::to_device(std::vector<std::uint8_t>(first, first + x.size() * sizeof(CopiedPair)));
    const auto* const pairs = reinterpret_cast<const CopiedPair*>(bytes.data());
    std::vector<float> expected(32);
    for (int k = 0; k < n; ++k)
        for (int t = 0; t < 32; ++t) {
            const CopiedPair& one = x[static_cast<std::size_t>(k * 32 + t)];
            float& sum = expected[static_cast<std::size_t>(t)];
            sum = 2 * sum + static_cast<float>(one.a) * one.b;
        }
    auto y = filled<float>(32);
    const auto of_a_thread = kernel<void(const CopiedPair*, float*, int)>(texts::cuda_pipeline, "of_a_thread");
    const auto run = [&] { of_a_thread({.grid = 1, .block = 32}, pairs, y, n); };
    run();
    CHECK(gpu::to_host(y) == expected);
    if (on_host() && !in_check_mode) CHECK(gpu::check(run).findings.empty());
}

TEST_CASE("a block's pipeline of one, two and four stages") {
    constexpr int n = 9;
    const std::vector<int> x = numbers(n * 256);
    std::vector<int> expected(128);
    for (int k = 0; k < n; ++k)
        for (int t = 0; t < 128; ++t) {
            const int first = k * 256 + (63 - t % 64) * 4;
            int& sum = expected[static_cast<std::size_t>(t)];
            sum = 3 * sum + at(x, first) + at(x, first + 1) * at(x, first + 2) - at(x, first + 3);
        }
    const auto of_a_block = kernel<void(const int*, int*, int, int)>(texts::cuda_pipeline, "of_a_block");
    for (const int stages : {1, 2, 4}) {
        CAPTURE(stages);
        check_everywhere(expected, [&] {
            auto y = filled<int>(128);
            of_a_block({.grid = 2, .block = 64}, gpu::to_device(x), y, n, stages);
            return y;
        });
    }
}

TEST_CASE("some threads of a pipeline copy, and the others read") {
    constexpr int n = 7;
    const std::vector<int> x = numbers(n * 64);
    std::vector<int> expected(32);
    for (int k = 0; k < n; ++k)
        for (int t = 0; t < 32; ++t) {
            int& sum = expected[static_cast<std::size_t>(t)];
            sum = 3 * sum + at(x, k * 64 + 63 - t);
        }
    const auto with_roles = kernel<void(const int*, int*, int, int)>(texts::cuda_pipeline, "with_roles");
    for (const int counted : {0, 1})
        check_everywhere(expected, [&] {
            auto y = filled<int>(32);
            with_roles({.grid = 1, .block = 64}, gpu::to_device(x), y, n, counted);
            return y;
        });
}

TEST_CASE("a barrier's phases: threads arrive and wait, leave, and hand a buffer to and fro") {
    constexpr int n = 6;
    std::vector<int> expected(128);
    for (int k = 0; k < n; ++k)
        for (int t = 0; t < 128; ++t) {
            int& sum = expected[static_cast<std::size_t>(t)];
            sum = 3 * sum + k + (63 - t % 64) * k;
        }
    const auto phases = kernel<void(int*, int)>(texts::cuda_barrier, "phases");
    check_everywhere(expected, [&] {
        auto y = filled<int>(128);
        phases({.grid = 2, .block = 64}, y, n);
        return y;
    });
    std::vector<int> turns;
    for (int t = 0; t < 40; ++t) turns.push_back(t);
    const auto leaving = kernel<void(int*)>(texts::cuda_barrier, "leaving");
    check_everywhere(turns, [&] {
        auto y = filled<int>(40);
        leaving({.grid = 1, .block = 40}, y);
        return y;
    });
    const std::vector<int> x = numbers(n * 64);
    std::vector<int> sums(32), copied(64);
    for (int k = 0; k < n; ++k) {
        for (int t = 0; t < 32; ++t)
            sums[static_cast<std::size_t>(t)] = 3 * sums[static_cast<std::size_t>(t)] + at(x, k * 32 + 31 - t);
        for (int t = 0; t < 64; ++t)
            copied[static_cast<std::size_t>(t)] = 3 * copied[static_cast<std::size_t>(t)] + at(x, k * 64 + 63 - t);
    }
    const auto to_and_fro = kernel<void(const int*, int*, int)>(texts::cuda_barrier, "to_and_fro");
    check_everywhere(sums, [&] {
        auto y = filled<int>(32);
        to_and_fro({.grid = 1, .block = 64}, gpu::to_device(x), y, n);
        return y;
    });
    const auto with_copies = kernel<void(const int*, int*, int)>(texts::cuda_barrier, "copied");
    check_everywhere(copied, [&] {
        auto y = filled<int>(64);
        with_copies({.grid = 1, .block = 64}, gpu::to_device(x), y, n);
        return y;
    });
}
