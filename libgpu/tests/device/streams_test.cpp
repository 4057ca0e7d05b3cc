// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <thread>

#include <gpu/error.hpp>

#include "../cuda/texts.hpp"
#include "on_gpu.hpp"

using namespace gpu::detail;

namespace {

// Spins for so many clock ticks, then writes.
constexpr const char* slow_text = R"(
extern "C" __global__ void slow(int* y, int n, int value, long long ticks) {
    long long start = clock64();
    while (clock64() - start < ticks) {}
    for (int k = threadIdx.x; k < n; k += blockDim.x) y[k] = value;
}
)";
constexpr long long some_milliseconds = 50'000'000;

class TestStream {
public:
    TestStream() : handle_(backend().create_stream(0)) {}
    ~TestStream() { backend().destroy_stream(0, handle_); }
    TestStream(const TestStream&) = delete;
    TestStream& operator=(const TestStream&) = delete;
    operator void*() const { return handle_; }

private:
    void* handle_;
};

class TestEvent {
public:
    TestEvent() : handle_(backend().create_event(0)) {}
    ~TestEvent() { backend().destroy_event(0, handle_); }
    TestEvent(const TestEvent&) = delete;
    TestEvent& operator=(const TestEvent&) = delete;
    operator gpu::detail::NativeEvent*() const { return handle_; }

private:
    gpu::detail::NativeEvent* handle_;
};

}  // namespace

TEST_CASE("work in a stream is done in order, and synchronising waits for it") {
    const auto slow = raw(slow_text, "slow", "(int*, int, int, long long)");
    const TestStream stream;
    const OnGpu<int> y(std::vector<int>(1000, 0));
    launch(*slow, line(1, 256), stream, y.data(), 1000, 1, some_milliseconds);
    launch(*slow, line(1, 256), stream, y.data(), 1000, 2, 0ll);
    backend().synchronize_stream(0, stream);
    CHECK(y.values() == std::vector<int>(1000, 2));
    launch(*slow, line(1, 256), stream, y.data(), 1000, 3, some_milliseconds);
    std::vector<int> copied(1000);
    backend().copy(0, copied.data(), y.data(), y.bytes(), CopyKind::device_to_host, stream);
    CHECK(copied == std::vector<int>(1000, 3));
}

TEST_CASE("events order and time a stream's work") {
    const auto slow = raw(slow_text, "slow");
    const TestStream stream;
    const TestEvent start, stop, never;
    const OnGpu<int> y(std::vector<int>(10, 0));
    backend().record_event(0, start, stream);
    launch(*slow, line(1, 32), stream, y.data(), 10, 1, some_milliseconds);
    backend().record_event(0, stop, stream);
    backend().synchronize_event(0, stop);
    CHECK(y.values() == std::vector<int>(10, 1));
    CHECK(backend().elapsed_ms(0, start, stop) > 1.f);  // 50 million ticks, whatever the clock rate
    CHECK_THROWS_AS((void)backend().elapsed_ms(0, start, never), gpu::Error);
}

TEST_CASE("memory that is given back while a kernel still writes to it isn't handed out too early") {
    const auto slow = raw(slow_text, "slow");
    const TestStream first, second;
    const int n = 1 << 20;
    const std::vector<int> zeros(n, 0);
    for (int round = 0; round < 5; ++round) {
        auto* doomed = static_cast<int*>(backend().allocate(0, n * sizeof(int), first));
        launch(*slow, line(1, 256), first, doomed, n, 7, some_milliseconds);
        backend().deallocate(0, doomed, n * sizeof(int));
        auto* reused = static_cast<int*>(backend().allocate(0, n * sizeof(int), second));
        launch(*slow, line(1, 256), second, reused, n, 0, 0ll);
        backend().synchronize_device(0);
        std::vector<int> values(n, -1);
        backend().copy(0, values.data(), reused, n * sizeof(int), CopyKind::device_to_host, second);
        CHECK(values == zeros);
        backend().deallocate(0, reused, n * sizeof(int));
    }
}

TEST_CASE("several threads compile, load, launch and free at once") {
    std::vector<std::thread> threads;
    std::vector<int> right(4, 0);
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([t, &right] {
            const TestStream stream;
            for (int round = 0; round < 10; ++round) {
                auto text = texts::elementwise("fill", {texts::scalar("int", "value"), texts::output("int", "y")},
                                               "y = value + " + std::to_string(round));
                const auto kernel = loaded(backend().generate(text));
                auto* y = static_cast<int*>(backend().allocate(0, 4000, stream));
                launch_over(*kernel, {1000}, {number(t), array(y)}, stream);
                std::vector<int> values(1000);
                backend().copy(0, values.data(), y, 4000, CopyKind::device_to_host, stream);
                right[static_cast<std::size_t>(t)] += values == std::vector<int>(1000, t + round);
                backend().deallocate(0, y, 4000);
            }
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK(right == std::vector<int>(4, 10));
}
