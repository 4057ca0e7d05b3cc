// SPDX-License-Identifier: MIT
#include "runtime/memory/pinned_pool.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include <gpu/error.hpp>

using namespace gpu::detail;

TEST_CASE("blocks are used again once nothing uses them, and trim gives them back") {
    const auto backend = make_host_backend();
    void* const stream = backend->create_stream(0);
    {
        PinnedBlocks pool(*backend);
        auto* const first = static_cast<char*>(pool.allocate(0, 5000));
        CHECK(reinterpret_cast<std::uintptr_t>(first) % 4096 == 0);
        CHECK(pool.held() == 5120);
        CHECK(pool.account().used() == 5000);
        pool.used_by(first + 4999, 0, stream);
        pool.used_by(first - 1, 0, stream);  // of nobody: nothing happens
        pool.used_by(&pool, 0, stream);
        backend->synchronize_stream(0, stream);
        pool.deallocate(first);
        pool.deallocate(first);  // once counts
        CHECK(pool.account().used() == 0);
        CHECK(pool.allocate(0, 5100) == first);
        void* const second = pool.allocate(0, 5000);
        CHECK(second != first);
        pool.deallocate(second);
        CHECK(pool.held() == 10240);
        pool.trim();
        CHECK(pool.held() == 5120);
        pool.account().set_limit(6000);
        CHECK_THROWS_AS((void)pool.allocate(0, 1000), gpu::OutOfMemory);
        pool.account().set_limit(0);
        CHECK_THROWS_AS((void)pool.allocate(0, SIZE_MAX / 2), gpu::OutOfMemory);
        CHECK(pool.account().used() == 5100);
        for (int k = 0; k < 100; ++k) pool.used_by(first, 0, stream);
    }
    backend->destroy_stream(0, stream);
}

TEST_CASE("threads get blocks of their own") {
    const auto backend = make_host_backend();
    PinnedBlocks pool(*backend);
    std::vector<int> right(4, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t, &pool, &right] {
            for (int round = 0; round < 200; ++round) {
                const auto n = static_cast<std::size_t>(1000 + round % 3);
                auto* const mine = static_cast<int*>(pool.allocate(0, n * sizeof(int)));
                for (std::size_t k = 0; k < n; ++k) mine[k] = t;
                bool good = true;
                for (std::size_t k = 0; k < n; ++k) good = good && mine[k] == t;
                if (round % 10 == 0) pool.used_by(mine, 0, nullptr);
                if (round % 50 == 0) pool.trim();
                pool.deallocate(mine);
                right[static_cast<std::size_t>(t)] += good;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(right == std::vector<int>(4, 200));
    pool.trim();
    CHECK(pool.held() == 0);
}
