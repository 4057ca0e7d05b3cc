// SPDX-License-Identifier: MIT
#include "runtime/memory/pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gpu/error.hpp>

#include "runtime/memory/pinned_pool.hpp"
#include "support/messages.hpp"

using namespace gpu::detail;

TEST_CASE("an account counts, remembers the most, and keeps its limit") {
    MemoryAccount account;
    CHECK(account.reserve(100));
    CHECK(account.reserve(SIZE_MAX / 2));
    account.release(SIZE_MAX / 2);
    account.reset_peak();
    CHECK(account.peak() == 100);
    account.set_limit(150);
    CHECK(account.reserve(50));
    CHECK_FALSE(account.reserve(1));
    CHECK(account.reserve(0));
    CHECK(account.used() == 150);
    account.release(10);
    CHECK_FALSE(account.reserve(SIZE_MAX));
    CHECK(account.reserve(10));
    account.set_limit(20);  // less than there is: only new memory is refused
    CHECK(account.used() == 150);
    CHECK_FALSE(account.reserve(0));
    account.release(140);
    CHECK(account.reserve(10));
    account.set_limit(0);
    CHECK(account.reserve(1000));
    CHECK(account.peak() == 1020);
}

TEST_CASE("threads never get more than the limit together") {
    MemoryAccount account(1000);
    std::atomic<bool> beyond{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int k = 0; k < 2000; ++k) {
                if (!account.reserve(300)) continue;
                if (account.used() > 1000) beyond = true;
                account.release(300);
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK_FALSE(beyond);
    CHECK(account.used() == 0);
    CHECK(account.peak() <= 900);
}

TEST_CASE("a limit is bytes, with a unit or without, or a part of the memory") {
    CHECK(parse_memory_limit("1", 1000) == 1);
    CHECK(parse_memory_limit("1000000", 1000) == 1000000);
    CHECK(parse_memory_limit("3K", 0) == 3072);
    CHECK(parse_memory_limit("512M", 0) == std::size_t{512} << 20);
    CHECK(parse_memory_limit("8G", 0) == std::size_t{8} << 30);
    CHECK(parse_memory_limit("50%", 1001) == 500);
    CHECK(parse_memory_limit("100%", 1001) == 1001);
    CHECK(parse_memory_limit("100%", SIZE_MAX) == SIZE_MAX);
    for (const char* bad : {"", "0", "0%", "101%", "-1", "+5", " 5", "5 ", "5m", "5MB", "%", "M", "1.5G", "half",
                            "18446744073709551616", "18446744073709551615K"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS((void)parse_memory_limit(bad, 1000), gpu::Error);
    }
    CHECK(support::error_of([] { (void)parse_memory_limit("half", 1000); }) ==
          "LIBGPU_MEMORY_LIMIT is \"half\"; it must be a number of bytes such as 1000000, 512M or 8G, or a "
          "part of the device's memory such as 50%");
}

TEST_CASE("sizes of page-locked blocks: never too small, at most a quarter too large, few different ones") {
    CHECK(pinned_size_class(0) == 4096);
    CHECK(pinned_size_class(4096) == 4096);
    CHECK(pinned_size_class(4097) == 5120);
    CHECK(pinned_size_class(8192) == 8192);
    CHECK(pinned_size_class(8193) == 10240);
    CHECK(pinned_size_class(SIZE_MAX) == SIZE_MAX);
    std::size_t classes = 0, last = 0;
    for (std::size_t bytes = 1; bytes < 200'000; bytes += 7) {
        const std::size_t size = pinned_size_class(bytes);
        CHECK(size >= bytes);
        CHECK(pinned_size_class(size) == size);
        CHECK(size >= last);
        if (bytes > 4096) CHECK(size - bytes <= bytes / 4);
        if (size != last) ++classes;
        last = size;
    }
    CHECK(classes == 1 + 4 * 5 + 3);
}
