// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "cuda/base/handle_pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

using gpu::detail::cuda::HandlePool;

namespace {

constexpr int threads = 4, rounds = 500, devices = 2;

}  // namespace

TEST_CASE("a handle is lent to one thread at a time, on its own device, and no more are made than are needed at once") {
    HandlePool<int> pool;
    std::atomic<int> made{0}, twice{0}, elsewhere{0};
    std::vector<std::atomic<int>> users(threads * devices + 1);
    std::vector<std::atomic<int>> device_of(users.size());
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
        all.emplace_back([&, t] {
            for (int round = 0; round < rounds; ++round) {
                const int device = (t + round) % devices;
                const auto lease = pool.take(device, [&] {
                    const int handle = made++;
                    device_of.at(static_cast<std::size_t>(handle)) = device;
                    return handle;
                });
                const auto handle = static_cast<std::size_t>(*lease);
                twice += users.at(handle)++ == 0 ? 0 : 1;
                elsewhere += device_of.at(handle) == device ? 0 : 1;
                std::this_thread::yield();
                --users.at(handle);
            }
        });
    }
    for (std::thread& thread : all) thread.join();
    CHECK(twice == 0);
    CHECK(elsewhere == 0);
    CHECK(made >= devices);
    CHECK(made <= threads * devices);
}

TEST_CASE("a handle that can't be made leaves the pool as it was, and a lease that was moved returns once") {
    HandlePool<int> pool;
    const auto fail = []() -> int { throw std::runtime_error("no handle"); };
    CHECK_THROWS_AS((void)pool.take(0, fail), std::runtime_error);
    {
        auto first = pool.take(0, [] { return 7; });
        const auto second = std::move(first);
        CHECK(*second == 7);
        CHECK(*pool.take(0, [] { return 8; }) == 8);
    }
    const auto again = pool.take(0, fail), other = pool.take(0, fail);
    CHECK(*again + *other == 15);
    CHECK_THROWS_AS((void)pool.take(0, fail), std::runtime_error);
}
#endif
