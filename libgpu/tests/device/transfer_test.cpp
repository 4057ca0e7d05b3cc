// SPDX-License-Identifier: MIT
// Copies of the CUDA backend: through the ring, from page-locked memory, between GPUs; and its pool.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

#include <gpu/error.hpp>

#include "on_gpu.hpp"

using namespace gpu::detail;

namespace {

/// Page-locked memory.
class Locked {
public:
    explicit Locked(std::size_t bytes) : data_(backend().allocate_pinned(0, bytes)) {}
    ~Locked() { backend().free_pinned(0, data_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    [[nodiscard]] int* data() const { return static_cast<int*>(data_); }

private:
    void* data_;
};

std::vector<int> numbered(std::size_t n, int first = 0) {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), first);
    return values;
}

bool two_gpus(const char* test) {
    if (backend().device_count() >= 2) return true;
    std::printf("SKIP: %s: there is one GPU only\n", test);
    return false;
}

// Spins until the flag, in page-locked memory, is set; or for a long time, so that a failed test ends.
constexpr const char* gate_text = R"(
extern "C" __global__ void gate(const int* open) {
    const long long start = clock64();
    while (*(const volatile int*)open == 0 && clock64() - start < 20000000000ll) {}
}
)";

}  // namespace

TEST_CASE("pageable copies of all sizes around the ring's, at odd addresses, go both ways whole") {
    constexpr std::size_t mib = std::size_t{1} << 20;
    for (const std::size_t bytes :
         {std::size_t{4}, 4 * mib - 4, 4 * mib, 4 * mib + 4, 6 * mib, 16 * mib, 33 * mib + 12}) {
        CAPTURE(bytes);
        const std::size_t n = bytes / 4;
        const std::vector<int> host = numbered(n + 1);
        const OnGpu<int> x(n);
        backend().copy(0, x.data(), host.data() + 1, bytes, CopyKind::host_to_device, nullptr);
        std::vector<int> back(n + 2, -1);
        backend().copy(0, back.data() + 1, x.data(), bytes, CopyKind::device_to_host, nullptr);
        CHECK(back.front() == -1);
        CHECK(back.back() == -1);
        CHECK(std::equal(host.begin() + 1, host.end(), back.begin() + 1));
    }
}

TEST_CASE("several threads copy large pageable arrays in streams of their own") {
    std::vector<int> right(3, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([t, &right] {
            void* const stream = backend().create_stream(0);
            const std::size_t n = std::size_t{3} << 20;
            const std::vector<int> host = numbered(n, t);
            auto* const x = static_cast<int*>(backend().allocate(0, n * 4, stream));
            for (int round = 0; round < 3; ++round) {
                backend().copy(0, x, host.data(), n * 4, CopyKind::host_to_device, stream);
                std::vector<int> back(n);
                backend().copy(0, back.data(), x, n * 4, CopyKind::device_to_host, stream);
                right[static_cast<std::size_t>(t)] += back == host;
            }
            backend().deallocate(0, x, n * 4);
            backend().destroy_stream(0, stream);
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(right == std::vector<int>(3, 3));
}

TEST_CASE("a copy from page-locked memory returns at once, however large; it waits in its stream") {
    const auto gate = raw(gate_text, "gate");
    const std::size_t n = std::size_t{4} << 20;
    const Locked open(4), in(n * 4), out(n * 4);
    const OnGpu<int> x(n);
    void* const stream = backend().create_stream(0);
    auto* const event = backend().create_event(0);
    std::iota(in.data(), in.data() + n, 5);
    open.data()[0] = 1;
    launch(*gate, line(1, 1), stream, static_cast<const int*>(open.data()));  // loaded
    backend().synchronize_device(0);
    *static_cast<volatile int*>(open.data()) = 0;
    launch(*gate, line(1, 1), stream, static_cast<const int*>(open.data()));
    backend().copy_async(0, x.data(), in.data(), n * 4, CopyKind::host_to_device, stream);
    backend().copy_async(0, out.data(), x.data(), n * 4, CopyKind::device_to_host, stream);
    backend().record_event(0, event, stream);
    CHECK_FALSE(backend().event_reached(0, event));
    *static_cast<volatile int*>(open.data()) = 1;
    backend().synchronize_event(0, event);
    CHECK(std::equal(in.data(), in.data() + n, out.data()));
    backend().destroy_event(0, event);
    backend().destroy_stream(0, stream);
}

TEST_CASE("a device's memory given as the host's is refused") {
    const OnGpu<int> x(std::size_t{2} << 20), y(std::size_t{2} << 20);
    CHECK_THROWS_AS(backend().copy(0, x.data(), y.data(), x.bytes(), CopyKind::host_to_device, nullptr),
                    gpu::DeviceError);
}

TEST_CASE("fill sets every byte") {
    const OnGpu<int> x(numbered(1000));
    backend().fill(0, x.data(), 0xFF, 3996, nullptr);
    std::vector<int> wanted(1000, -1);
    wanted.back() = 999;
    CHECK(x.values() == wanted);
}

TEST_CASE("the pool tells what it holds, and trim gives it back") {
    backend().trim_memory(0);
    const gpu::MemoryUse before = backend().memory_use(0);
    CHECK(before.total > std::size_t{1} << 30);
    CHECK(before.free <= before.total);
    constexpr std::size_t bytes = std::size_t{256} << 20;
    void* const data = backend().allocate(0, bytes, nullptr);
    const gpu::MemoryUse with_it = backend().memory_use(0);
    CHECK(with_it.used == before.used + bytes);
    CHECK(with_it.held >= before.held + bytes / 2);
    backend().deallocate(0, data, bytes);
    backend().synchronize_device(0);
    CHECK(backend().memory_use(0).used == before.used);
    CHECK(backend().memory_use(0).held == with_it.held);  // kept
    backend().trim_memory(0);
    CHECK(backend().memory_use(0).held <= before.held + (std::size_t{32} << 20));
    CHECK(backend().properties(0).l2_cache > 0);
}

TEST_CASE("copies between two GPUs, large and small, with peer access or without") {
    if (!two_gpus("copies between two GPUs")) return;
    MESSAGE("peer access 0 <- 1: " << backend().can_access_peer(0, 1));
    for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, std::size_t{5} << 20}) {
        const std::vector<int> values = numbered(n, 3);
        const OnGpu<int> x(values);
        void* const y = backend().allocate(1, n * 4, nullptr);
        backend().synchronize_device(0);
        backend().copy_peer(1, y, 0, x.data(), n * 4, nullptr);
        std::vector<int> back(n);
        backend().copy(1, back.data(), y, n * 4, CopyKind::device_to_host, nullptr);
        CHECK(back == values);
        backend().fill(0, x.data(), 0, n * 4, nullptr);
        backend().synchronize_device(0);
        backend().synchronize_device(1);
        backend().copy_peer(0, x.data(), 1, y, n * 4, nullptr);
        CHECK(x.values() == values);
        backend().synchronize_device(0);
        backend().deallocate(1, y, n * 4);
    }
    CHECK(backend().can_access_peer(1, 1));
}
