// SPDX-License-Identifier: MIT
// Work that runs while the host goes on: streams, events, and what the rest of the interface makes of them.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/forked_child.hpp"
#include "support/messages.hpp"

namespace {

bool on_host(const char* test, const char* why) {
    if (gpu::Device::current().kind() == gpu::BackendKind::host) return true;
    std::printf("SKIP: %s: %s\n", test, why);
    return false;
}

gpu::RawKernel<void(int*, int)> past_the_end(R"(
__global__ void past_the_end(int* x, int n) { if (threadIdx.x <= n) x[threadIdx.x] = 1; }
)",
                                             "past_the_end");

gpu::RawKernel<void(const int*)> hold(R"(
__global__ void hold(const int* gate) { while (*(const volatile int*)gate == 0) { } }
)",
                                      "hold");

const char* const past_the_end_text =
    "kernel past_the_end: block (0,0,0) thread (4,0,0) writes just past the end of x (4 elements); is "
    "there a guard such as if (i < n)?";

long resident_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmRSS:", 0) == 0) return std::stol(line.substr(6));
    return -1;
}

}  // namespace

TEST_CASE("a stream waits for what another one does first") {
    gpu::Array<float> x = gpu::zeros<float>({1000}), y;
    //! [wait]
    gpu::Stream first, second;
    gpu::Event ready;
    {
        const gpu::StreamGuard guard(first);
        x = gpu::arange<float>(1000);
        ready.record();
    }
    second.wait(ready);  // the host goes on at once
    {
        const gpu::StreamGuard guard(second);
        y = x + 1.f;  // runs after the line above
    }
    second.synchronize();
    //! [wait]
    CHECK(gpu::to_host(y)[999] == 1000.f);
    gpu::Event never;
    second.wait(never);
    second.synchronize();
}

TEST_CASE("an event can be asked whether it is reached") {
    //! [done]
    gpu::Event finished;
    gpu::Array<float> x = gpu::ones<float>({1000}) * 2.f;
    finished.record();
    while (!finished.done()) std::this_thread::yield();  // do something useful here
    //! [done]
    CHECK(gpu::to_host(x)[999] == 2.f);
    CHECK(gpu::Event().done());
}

TEST_CASE("a stream of one backend doesn't wait for an event of the other") {
    if (gpu::Device::current().kind() == gpu::BackendKind::host) {
        std::puts("SKIP: streams and events of two backends: there is no GPU");
        return;
    }
    gpu::Stream on_gpu;
    const gpu::DeviceGuard guard(gpu::Device::host(0));
    gpu::Event here;
    here.record();
    CHECK_THROWS_AS(on_gpu.wait(here), gpu::DeviceError);
}

TEST_CASE("arrays may be moved, overwritten and freed while queued work uses them") {
    gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    gpu::Array<float> kept;
    for (int k = 0; k < 200; ++k) {
        gpu::Array<float> x = gpu::full<float>({5000}, static_cast<float>(k));
        gpu::Array<float> y = x + 1.f;
        gpu::Array<float> moved = std::move(x);
        std::optional<gpu::Array<float>> square = moved * moved;
        y = y + *square;
        square.reset();
        kept = std::move(y);
    }
    const std::vector<float> values = gpu::to_host(kept);
    CHECK(values == std::vector<float>(5000, 199.f * 199.f + 200.f));
}

TEST_CASE("reads are ordered behind the work that makes what they read") {
    gpu::RawKernel<void(int*)> add("__global__ void add(int* x) { atomicAdd(x, 1); }", "add");
    auto x = gpu::zeros<int>({});
    gpu::Stream stream;
    for (int k = 0; k < 50; ++k) add({.grid = 10, .block = 100, .stream = stream}, x);
    CHECK(x.item() == 50'000);  // in the default stream, which waits for the other one
    for (int k = 0; k < 50; ++k) add({.grid = 10, .block = 100}, x);
    const gpu::StreamGuard guard(stream);
    CHECK(gpu::to_host(x) == std::vector<int>{100'000});
    const gpu::Array<int> copy = x;
    x = x * 0;
    CHECK(copy.item() == 100'000);
}

TEST_CASE("what a kernel did wrong is thrown by the next call that waits for it, once") {
    if (!on_host("faults are thrown once", "a fault on a GPU ends its work for good")) return;
    auto x = gpu::zeros<int>({4});
    gpu::Event start, stop;
    for (int way = 0; way < 7; ++way) {
        CAPTURE(way);
        start.record();
        past_the_end({.grid = 1, .block = 8}, x, 4);  // returns: the kernel may not have run yet
        stop.record();
        CHECK(support::error_of<gpu::LaunchError>([&] {
                  switch (way) {
                      case 0: return gpu::synchronize();
                      case 1: return gpu::Stream::current().synchronize();
                      case 2: return stop.synchronize();
                      case 3: return (void)gpu::elapsed_ms(start, stop);
                      case 4: return (void)gpu::to_host(x);
                      case 5: return (void)gpu::sum(x).item();
                      default: return x.copy_from(std::vector<int>{1, 2, 3, 4});
                  }
              }) == past_the_end_text);
        gpu::synchronize();
        x = gpu::zeros<int>({4});
        CHECK(gpu::to_host(x) == std::vector<int>(4, 0));
    }
}

TEST_CASE("a launch that is impossible throws at once, while other work is queued") {
    auto x = gpu::zeros<int>({4});
    x = x + 1;
    CHECK_THROWS_AS(past_the_end({.grid = 1, .block = 2000}, x, 4), gpu::LaunchError);
    CHECK(gpu::to_host(x) == std::vector<int>(4, 1));
}

TEST_CASE("a hundred thousand launches through the public interface leave no memory behind") {
    auto x = gpu::zeros<int>({64});
    gpu::RawKernel<void(int*, int)> add(R"(
__global__ void add(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }
)",
                                        "add");
    const auto many = [&](int count) {
        for (int k = 0; k < count; ++k) {
            add({.grid = 1, .block = 64}, x, 64);
            if (k % 10 == 0) {
                const gpu::Array<int> y = x + 1;
                const auto sum = gpu::sum(y);
                if (k % 100 == 0) (void)sum.item();
            }
        }
        gpu::synchronize();
    };
    many(3000);
    [[maybe_unused]] const long before = resident_kib();
    many(100'000);
#if defined(__SANITIZE_ADDRESS__)
    std::puts("SKIP: the memory of a hundred thousand launches: AddressSanitizer keeps freed memory for a while");
#else
    CHECK(resident_kib() - before < 8192);
#endif
    CHECK(gpu::to_host(x) == std::vector<int>(64, 103'000));
}

TEST_CASE("a process ends well with work queued and objects of static storage alive") {
    if (!on_host("a process ends with work queued", "a GPU's context doesn't outlive a fork")) return;
    if (!child_can_start_threads("a process ends with work queued")) return;
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        static gpu::Array<int> gate = gpu::zeros<int>({1}), x = gpu::ones<int>({100'000});
        static gpu::Stream stream, held;
        static gpu::Event event;
        hold({.grid = 1, .block = 1, .stream = held}, gate);  // for ever
        const gpu::StreamGuard guard(stream);
        for (int k = 0; k < 100; ++k) x = x + 1;
        event.record();
        static gpu::Array<int> y = x * 2;
        std::exit(7);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("a forked child works on with arrays and streams of its own and its parent's") {
    if (!on_host("a forked child works on", "a GPU's context doesn't outlive a fork")) return;
    if (!child_can_start_threads("a forked child works on")) return;
    auto gate = gpu::zeros<int>({1});
    auto x = gpu::arange<int>(10);
    gpu::synchronize();
    gpu::Stream held;
    hold({.grid = 1, .block = 1, .stream = held}, gate);
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        gpu::Stream mine;
        x = x + 1;
        const bool good = gpu::sum(x).item() == 55;
        const gpu::StreamGuard guard(held);
        const gpu::Array<int> y = x * 2;
        ::_exit(good && gpu::to_host(y)[9] == 20 ? 7 : 8);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 7);
    std::atomic_ref(*gate.data()).store(1);  // on the host backend an array's memory is the host's
    gpu::synchronize();
    CHECK(gpu::sum(x).item() == 45);
}
