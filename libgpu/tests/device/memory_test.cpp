// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <numeric>

#include <gpu/error.hpp>

#include "on_gpu.hpp"

using namespace gpu::detail;

TEST_CASE("the device's properties are plausible") {
    CHECK(backend().kind() == gpu::BackendKind::cuda);
    REQUIRE(backend().device_count() >= 1);
    const auto properties = backend().properties(0);
    MESSAGE("device: " << properties.name << ", compute capability " << properties.compute_capability);
    CHECK(!properties.name.empty());
    CHECK(properties.multiprocessors > 0);
    CHECK(properties.warp_size == 32);
    CHECK(properties.max_threads_per_block == 1024);
    CHECK(properties.max_shared_per_block == 48 << 10);
    CHECK(properties.total_memory > std::size_t{1} << 30);
    CHECK(properties.compute_capability >= 75);
    CHECK_THROWS_AS((void)backend().properties(backend().device_count()), gpu::DeviceError);
}

TEST_CASE("memory survives the way to the device and back, at every size") {
    for (const std::size_t n : edge_sizes) {
        std::vector<int> values(n);
        std::iota(values.begin(), values.end(), 5);
        const OnGpu<int> first(values), second(n);
        backend().copy(0, second.data(), first.data(), first.bytes(), CopyKind::device_to_device, nullptr);
        CHECK(second.values() == values);
    }
}

TEST_CASE("allocations of nothing are fine, and memory is aligned for every type") {
    void* nothing = backend().allocate(0, 0, nullptr);
    CHECK(nothing != nullptr);
    backend().deallocate(0, nothing, 0);
    void* odd = backend().allocate(0, 3, nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(odd) % 256 == 0);
    backend().deallocate(0, odd, 3);
    backend().deallocate(0, nullptr, 0);
}

TEST_CASE("too much memory is refused with what was asked for, held and free, and the device stays usable") {
    const std::size_t total = backend().properties(0).total_memory;
    void* held = backend().allocate(0, 1 << 20, nullptr);
    bool thrown = false;
    try {
        (void)backend().allocate(0, 2 * total, nullptr);
    } catch (const gpu::OutOfMemory& error) {
        thrown = true;
        CHECK(error.requested() == 2 * total);
        CHECK(error.held() >= 1 << 20);
        CHECK(error.free() > 0);
        CHECK(error.free() <= total);
        CHECK(std::string(error.what()).find("cuda:0") != std::string::npos);
    }
    CHECK(thrown);
    backend().deallocate(0, held, 1 << 20);
    const OnGpu<int> after(std::vector<int>{1, 2, 3});
    CHECK(after.values() == std::vector<int>{1, 2, 3});
}
