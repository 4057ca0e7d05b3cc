// SPDX-License-Identifier: MIT
#include <cstdint>

#include "host/memory/guarded_memory.hpp"
#include "host/support.hpp"

using namespace support;
using gpu::detail::host::GuardedMemory;
using gpu::detail::host::NearArray;

TEST_CASE("an array ends where its guard begins, and is aligned for the widest vector that fits into it") {
    GuardedMemory memory("host:0", std::size_t{1} << 30);
    for (const std::size_t bytes : {0U, 1U, 4U, 6U, 12U, 1028U, 4096U, 4100U, 1U << 20}) {
        void* const data = memory.allocate(bytes);
        const auto address = reinterpret_cast<std::uintptr_t>(data);
        CHECK((address + bytes + 15) / 16 * 16 % 4096 == 0);
        for (const std::size_t alignment : {2U, 4U, 8U, 16U})   // 3 floats hold a float2 as well
            if (bytes % alignment == 0 || bytes >= alignment) CHECK(address % alignment == 0);
        NearArray array;
        REQUIRE(memory.find(address + bytes, array));
        CHECK(array.start == address);
        CHECK(array.bytes == bytes);
        REQUIRE(memory.find(address - 1, array));
        CHECK(array.start == address);
        memory.deallocate(data);
        if (memory.find(address, array)) CHECK(array.freed);
    }
}

TEST_CASE("what is written before an array's start is noticed once") {
    GuardedMemory memory("host:0", std::size_t{1} << 30);
    auto* const data = static_cast<char*>(memory.allocate(100));
    CHECK(memory.changed_before(data) == 0);
    data[-7] = 1;
    data[-3] = 1;
    CHECK(memory.changed_before(data) == 7);
    CHECK(memory.changed_before(data) == 0);
    memory.deallocate(data);
}

TEST_CASE("what is written between an array's end and its guard is noticed once") {
    GuardedMemory memory("host:0", std::size_t{1} << 30);
    auto* const data = static_cast<char*>(memory.allocate(100));
    CHECK(memory.changed_after(data) == 0);
    data[100] = 1;
    data[104] = 1;
    CHECK(memory.changed_before(data) == 0);
    CHECK(memory.changed_after(data) == 5);
    CHECK(memory.changed_after(data) == 0);
    memory.deallocate(data);
}

TEST_CASE("more than the device has is out of memory, with what was asked, held and free") {
    const EnvironmentGuard guard("LIBGPU_HOST_MEMORY", "1M");
    const auto where = backend_with(1);
    CHECK(where->properties(0).total_memory == std::size_t{1} << 20);
    void* const first = where->allocate(0, 1000000, nullptr);
    try {
        (void)where->allocate(0, 100000, nullptr);
        FAIL("it was allocated");
    } catch (const gpu::OutOfMemory& error) {
        CHECK(error.requested() == 100000);
        CHECK(error.held() == 1003520);  // whole pages
        CHECK(error.free() == 48576);
        CHECK(std::string(error.what()) ==
              "out of memory on host:0: 100000 bytes requested; arrays use 1000000, libgpu holds 1003520, 48576 of "
              "1048576 are free");
    }
    where->deallocate(0, first, 1000000);
    where->deallocate(0, where->allocate(0, 1000000, nullptr), 1000000);
    CHECK_THROWS_AS((void)backend().allocate(0, std::size_t{1} << 60, nullptr), gpu::OutOfMemory);
    CHECK_THROWS_AS((void)backend().allocate(0, ~std::size_t{0}, nullptr), gpu::OutOfMemory);
}

TEST_CASE("freed memory is used again, and many sizes don't pile up") {
    GuardedMemory memory("host:0", std::size_t{64} << 20);  // keeps at most 8 MiB
    void* const large = memory.allocate(std::size_t{1} << 20);
    memory.deallocate(large);
    CHECK(memory.allocate(std::size_t{1} << 20) == large);
    for (std::size_t k = 1; k < 3000; ++k) memory.deallocate(memory.allocate(k * 4096));
    memory.deallocate(large);
    for (int k = 0; k < 1000; ++k) memory.deallocate(memory.allocate(100));
}

TEST_CASE("a small array comes back at once, unless its address was handed out: then it rests, out of reach") {
    GuardedMemory memory("host:0", std::size_t{64} << 20);
    auto* const first = static_cast<char*>(memory.allocate(400));
    memory.deallocate(first);
    CHECK(memory.allocate(400) == first);
    NearArray array;
    first[-1] = 1;  // found when it is freed, and gone in the next one
    memory.deallocate(first);
    auto* const second = static_cast<char*>(memory.allocate(400));
    CHECK(memory.changed_before(second) == 0);
    memory.hand_out(second);
    memory.deallocate(second);
    REQUIRE(memory.find(reinterpret_cast<std::uintptr_t>(second), array));
    CHECK(array.freed);
    for (int k = 0; k < 10; ++k) {
        void* const other = memory.allocate(400);
        CHECK(other != second);
        memory.hand_out(other);
        memory.deallocate(other);
    }
    CHECK(memory.allocate(4096 * 17) != memory.allocate(4096 * 17));
}

TEST_CASE("settings that make no sense are errors that say what would") {
    const auto refused = [](const char* name, const char* value) {
        const EnvironmentGuard guard(name, value);
        return error_of([] { (void)gpu::detail::make_host_backend(); });
    };
    CHECK(refused("LIBGPU_HOST_MEMORY", "lots") ==
          "LIBGPU_HOST_MEMORY is \"lots\"; it must be a number of bytes such as 512M or 8G");
    CHECK(refused("LIBGPU_HOST_WORKERS", "0") == "LIBGPU_HOST_WORKERS is \"0\"; it must be a number from 1 to 4096");
    CHECK(refused("LIBGPU_HOST_DEVICES", "-1") == "LIBGPU_HOST_DEVICES is \"-1\"; it must be a number from 1 to 64");
}
