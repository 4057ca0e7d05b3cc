// SPDX-License-Identifier: MIT
// Streams, caches and pools, used by several threads at once: wrong values here, data races under ThreadSanitizer.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

constexpr int threads = 4;

template <class F>
void in_threads(F&& work) {
    std::vector<std::thread> started;
    for (int t = 0; t < threads; ++t) started.emplace_back([t, &work] { work(t); });
    for (std::thread& thread : started) thread.join();
}

}  // namespace

TEST_CASE("threads compile, launch, copy, allocate and free at once, each in a stream of its own") {
    std::atomic<int> good{0};
    in_threads([&](int t) {
        const gpu::DeviceGuard device(gpu::Device(t % gpu::Device::count()));
        gpu::Stream stream;
        const gpu::StreamGuard guard(stream);
        for (int round = 0; round < 10; ++round) {
            const gpu::Pinned<int> in(std::span<const int>(std::vector<int>(1000, t)));
            auto [x, sent] = gpu::to_device_async(in);
            gpu::Array<int> y = x * 2 + round;
            auto [out, came] = gpu::to_host_async(y);
            x = y + y;
            came.synchronize();
            good += out[999] == 2 * t + round && gpu::sum(x).item() == 1000 * 2 * (2 * t + round);
        }
    });
    CHECK(good == threads * 10);
}

TEST_CASE("threads use one array, one kernel and one stream") {
    gpu::RawKernel<void(int*)> add("__global__ void add_one(int* x) { atomicAdd(x, 1); }", "add_one");
    gpu::ElementwiseKernel triple("T x", "T y", "y = 3 * x", "triple");
    auto total = gpu::zeros<int>({});
    const auto x = gpu::ones<int>({1000});
    gpu::Stream shared;
    std::atomic<int> good{0};
    in_threads([&](int) {
        for (int round = 0; round < 25; ++round) {
            add({.grid = 2, .block = 32, .stream = shared}, total);
            const gpu::StreamGuard guard(shared);
            gpu::Event event;
            const gpu::Array<int> y = triple(x);
            event.record();
            shared.wait(event);
            good += gpu::sum(y).item() == 3000;
        }
    });
    shared.synchronize();
    CHECK(good == threads * 25);
    CHECK(total.item() == threads * 25 * 64);
}

TEST_CASE("threads ask pools and logs while others use them") {
    std::atomic<bool> over{false};
    std::atomic<std::size_t> asked{0};
    std::thread observer([&] {
        while (!over) {
            const gpu::LaunchLog log({.times = asked % 2 == 0});
            asked += 1 + (gpu::memory_pool().held_bytes() + gpu::pinned_pool().held_bytes()) * 0;
            gpu::memory_pool().reset_peak();
            (void)gpu::memory_pool().use();
            (void)log.entries();
            if (asked % 5 == 0) {
                gpu::memory_pool().trim();
                gpu::pinned_pool().trim();
            }
        }
    });
    std::atomic<int> good{0};
    in_threads([&](int t) {
        for (int round = 0; round < 15; ++round) {
            const gpu::Array<int> x = gpu::full<int>({5000}, t) + round;
            auto [host, came] = gpu::to_host_async(x);
            came.synchronize();
            good += host[4999] == t + round;
        }
    });
    over = true;
    observer.join();
    CHECK(good == threads * 15);
    CHECK(asked > 0);
}

TEST_CASE("out of memory in several threads at once leaves nothing behind") {
    gpu::synchronize();
    const std::size_t before = gpu::memory_pool().used_bytes();
    gpu::memory_pool().set_limit(before + 100'000);
    std::atomic<int> refused{0}, made{0};
    in_threads([&](int) {
        for (int round = 0; round < 50; ++round) {
            try {
                const auto x = gpu::empty<std::uint8_t>({60'000});
                ++made;
                std::this_thread::yield();
            } catch (const gpu::OutOfMemory&) {
                ++refused;
            }
        }
    });
    gpu::memory_pool().set_limit(0);
    CHECK(made + refused == threads * 50);
    CHECK(made > 0);
    CHECK(gpu::memory_pool().used_bytes() == before);
}
