// SPDX-License-Identifier: MIT
// The memory of devices, the page-locked memory, their limits, and what is left when there is none.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/child_process.hpp"
#include "two_devices.hpp"

namespace {

/// Takes the limit away at the end of the scope.
class LimitGuard {
public:
    explicit LimitGuard(std::size_t bytes) { gpu::memory_pool().set_limit(bytes); }
    ~LimitGuard() { gpu::memory_pool().set_limit(0); }
    LimitGuard(const LimitGuard&) = delete;
    LimitGuard& operator=(const LimitGuard&) = delete;
};

}  // namespace

TEST_CASE("the pool tells what arrays use, what it holds and what was most") {
    gpu::synchronize();
    const std::size_t before = gpu::memory_pool().used_bytes();
    //! [memory_pool]
    gpu::MemoryPool pool = gpu::memory_pool();  // of the current device
    pool.reset_peak();
    {
        auto x = gpu::zeros<float>({1000, 1000});  // 4 million bytes
        auto y = gpu::zeros<float>({1000});        // and 4 thousand
    }
    const std::size_t peak = pool.peak_bytes();  // both together
    const std::size_t used = pool.used_bytes();  // none of them any more
    pool.trim();                                 // what the pool kept goes back to the system
    //! [memory_pool]
    CHECK(peak == before + 4'004'000);
    CHECK(used == before);
    CHECK(pool.held_bytes() >= used);
    CHECK(pool.device() == gpu::Device::current());
    auto x = gpu::zeros<float>({1000, 1000});
    CHECK(pool.used_bytes() == before + 4'000'000);
    CHECK(pool.held_bytes() >= pool.used_bytes());
    const auto copy = x;
    CHECK(pool.used_bytes() == before + 8'000'000);
    const auto moved = std::move(x);
    CHECK(pool.used_bytes() == before + 8'000'000);
    const gpu::MemoryUse use = pool.use();
    CHECK(use.used == pool.used_bytes());
    CHECK(use.total > 0);
    CHECK(use.free <= use.total);
    CHECK(use.limit == 0);
    pool.reset_peak();
    CHECK(pool.peak_bytes() == pool.used_bytes());
}

TEST_CASE("trim gives memory back that the pool kept, and not what is in use") {
    gpu::MemoryPool pool = gpu::memory_pool();
    auto kept = gpu::full<int>({1000}, 5);
    std::optional<gpu::Array<int>> large = gpu::full<int>({16 << 20}, 1);
    const std::size_t with_it = pool.held_bytes();
    large.reset();
    pool.trim();
    CHECK(pool.held_bytes() + (32u << 20) < with_it);
    CHECK(gpu::to_host(kept) == std::vector<int>(1000, 5));
}

TEST_CASE("beyond the limit is out of memory that shows its numbers, and everything goes on working") {
    const gpu::Array<int> x = gpu::arange<int>(1000);
    gpu::synchronize();
    const std::size_t before = gpu::memory_pool().used_bytes();
    const LimitGuard no_limit_afterwards(0);
    //! [out_of_memory]
    gpu::memory_pool().set_limit(before + 1'000'000);
    std::string message;
    try {
        auto much = gpu::zeros<float>({1'000'000});
    } catch (const gpu::OutOfMemory& error) {
        message = error.what();  // also error.requested(), used(), held(), free(), total(), limit()
    }
    auto less = gpu::zeros<float>({200'000});  // everything goes on working
    gpu::memory_pool().set_limit(0);           // no limit
    //! [out_of_memory]
    const std::string where = gpu::Device::current().to_string();
    CHECK(message.find("out of memory on " + where + ": 4000000 bytes requested; arrays use " + std::to_string(before) +
                       ", libgpu holds ") == 0);
    CHECK(message.find("are free; arrays may use " + std::to_string(before + 1'000'000) +
                       " (gpu::memory_pool().set_limit() or LIBGPU_MEMORY_LIMIT)") != std::string::npos);
    CHECK(gpu::sum(x).item() == 499'500);
    CHECK(gpu::to_host(less).size() == 200'000);
}

TEST_CASE("the numbers of an OutOfMemory are right") {
    gpu::synchronize();
    const std::size_t before = gpu::memory_pool().used_bytes();
    const LimitGuard limit(before + 1000);
    CHECK(gpu::memory_pool().limit() == before + 1000);
    for (int round = 0; round < 3; ++round) {
        try {
            (void)gpu::empty<double>({126});
            FAIL("more than the limit was allocated");
        } catch (const gpu::OutOfMemory& error) {
            CHECK(error.requested() == 1008);
            CHECK(error.used() == before);
            CHECK(error.limit() == before + 1000);
            CHECK(error.held() >= error.used());
            CHECK(error.total() >= error.free());
        }
        CHECK(gpu::empty<double>({125}).size() == 125);  // just the limit
        CHECK(gpu::memory_pool().used_bytes() == before);
    }
    // An expression that needs a new array fails whole; its inputs and targets stay as they were.
    gpu::memory_pool().set_limit(0);
    auto x = gpu::arange<int>(1000), y = gpu::full<int>({2}, 7);
    gpu::memory_pool().set_limit(gpu::memory_pool().used_bytes());
    CHECK_THROWS_AS(y = x + 1, gpu::OutOfMemory);
    CHECK(gpu::to_host(y) == std::vector<int>{7, 7});
    x = x + 1;  // needs none
    gpu::memory_pool().set_limit(0);
    CHECK(gpu::sum(x).item() == 500'500);
}

TEST_CASE("each device has its own figures and its own limit") {
    if (!two_devices("each device has its own memory figures")) return;
    gpu::MemoryPool first = gpu::memory_pool(gpu::Device(0)), second = gpu::memory_pool(gpu::Device(1));
    gpu::synchronize();
    const std::size_t in_first = first.used_bytes(), in_second = second.used_bytes();
    const gpu::DeviceGuard guard(gpu::Device(1));
    const LimitGuard limit(in_second + 4000);
    const auto x = gpu::zeros<int>({1000});
    CHECK(second.used_bytes() == in_second + 4000);
    CHECK(first.used_bytes() == in_first);
    CHECK_THROWS_AS((void)gpu::zeros<int>({1}), gpu::OutOfMemory);
    const gpu::DeviceGuard back(gpu::Device(0));
    CHECK(gpu::memory_pool().limit() == 0);
    const auto y = gpu::zeros<int>({1000});
    CHECK(first.used_bytes() == in_first + 4000);
    CHECK_THROWS_AS((void)y.to(gpu::Device(1)), gpu::OutOfMemory);
}

TEST_CASE("child: a limit from the environment" * doctest::skip()) {
    const std::size_t total = gpu::Device::current().properties().total_memory;
    CHECK(gpu::memory_pool().limit() >= total / 2 - 1);
    CHECK(gpu::memory_pool().limit() <= total / 2 + 1);
    CHECK_THROWS_AS((void)gpu::empty<std::uint8_t>({total / 2 + 2}), gpu::OutOfMemory);
    CHECK(gpu::zeros<int>({1000}).size() == 1000);
}

TEST_CASE("child: a limit that makes no sense" * doctest::skip()) {
    try {
        (void)gpu::zeros<int>({1});
    } catch (const gpu::Error& error) {
        std::puts(error.what());
    }
}

TEST_CASE("LIBGPU_MEMORY_LIMIT sets the limit, or says what it may be") {
    const ChildResult good = run_test_case("child: a limit from the environment", {{"LIBGPU_MEMORY_LIMIT", "50%"}});
    CHECK_MESSAGE(good.exit_code == 0, good.output);
    CHECK(good.output.find("1 passed") != std::string::npos);
    const ChildResult bad = run_test_case("child: a limit that makes no sense", {{"LIBGPU_MEMORY_LIMIT", "lots"}});
    CHECK_MESSAGE(bad.output.find("LIBGPU_MEMORY_LIMIT is \"lots\"; it must be a number of bytes such as 1000000, 512M "
                                  "or 8G, or a part of the device's memory such as 50%") != std::string::npos,
                  bad.output);
}

TEST_CASE("page-locked memory is counted, limited, kept and given back") {
    gpu::PinnedPool before = gpu::pinned_pool();
    before.trim();
    const std::size_t used = before.used_bytes(), held = before.held_bytes();
    //! [pinned_pool]
    gpu::PinnedPool pool = gpu::pinned_pool();
    pool.reset_peak();
    { gpu::Pinned<float> buffer(1000); }
    const std::size_t kept = pool.held_bytes();  // the next one of this size costs nothing
    pool.trim();                                 // now it has gone back to the system
    //! [pinned_pool]
    CHECK(pool.peak_bytes() == used + 4000);
    CHECK(pool.used_bytes() == used);
    CHECK(kept >= held + 4000);
    CHECK(pool.held_bytes() == held);
    pool.set_limit(used + 100);
    CHECK(pool.limit() == used + 100);
    CHECK_THROWS_WITH_AS((void)gpu::Pinned<std::int8_t>::uninitialized(101),
                         ("out of memory on the host (page-locked memory, gpu::pinned_pool()): 101 bytes requested; "
                          "the limit is " +
                          std::to_string(used + 100))
                             .c_str(),
                         gpu::OutOfMemory);
    CHECK(gpu::Pinned<std::int8_t>(100).size() == 100);
    pool.set_limit(0);
    CHECK_THROWS_AS((void)gpu::Pinned<double>::uninitialized(std::size_t{1} << 58), gpu::OutOfMemory);
    CHECK(pool.used_bytes() == used);
}

TEST_CASE("a buffer that a stream still works on isn't given to another stream") {
    gpu::Stream first, second;
    const gpu::Array<int> zeros = gpu::zeros<int>({100'000});
    for (int round = 0; round < 20; ++round) {
        {
            const gpu::StreamGuard guard(first);
            gpu::Array<int> doomed = zeros + 1;
            for (int k = 0; k < 5; ++k) doomed = doomed * 2;  // still running when it is freed
        }
        const gpu::StreamGuard guard(second);
        const gpu::Array<int> reused = zeros + round;
        first.synchronize();
        CHECK(gpu::sum(reused).item() == 100'000 * round);
    }
}
