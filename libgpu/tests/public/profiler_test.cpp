// SPDX-License-Identifier: MIT
// Measuring, and the log of launches.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gpu/gpu.hpp>

#include "two_devices.hpp"

TEST_CASE("benchmark calls, measures each repeat on device and host, and summarises") {
    auto x = gpu::ones<float>({100'000}), y = gpu::ones<float>({100'000});
    gpu::Array<float> z;
    int calls = 0;
    //! [benchmark]
    auto t = gpu::benchmark(
        [&] {
            z = x + y;
            ++calls;
        },
        {.warmup = 3, .repeat = 30, .flush_l2 = true});
    const double device = t.device.median_us;  // also min_us, max_us, mean_us, stddev_us, samples_us
    const double host = t.host.median_us;      // of the call alone: it returns before the kernel is done
    //! [benchmark]
    CHECK(calls == 33);
    CHECK(device > 0);
    CHECK(host > 0);
    for (const gpu::Timings& timings : {t.device, t.host}) {
        REQUIRE(timings.samples_us.size() == 30);
        CHECK(timings.min_us == *std::min_element(timings.samples_us.begin(), timings.samples_us.end()));
        CHECK(timings.max_us == *std::max_element(timings.samples_us.begin(), timings.samples_us.end()));
        CHECK(timings.min_us <= timings.median_us);
        CHECK(timings.median_us <= timings.max_us);
        CHECK(timings.min_us <= timings.mean_us);
        CHECK(timings.mean_us <= timings.max_us);
        CHECK(timings.stddev_us >= 0);
    }
    CHECK(t.to_string().find("us (medians of 30)") != std::string::npos);
    CHECK(z.shape() == x.shape());
}

TEST_CASE("benchmark measures what was asked for, in the current stream, and lets exceptions pass") {
    gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    const auto slow = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
    const gpu::Benchmark t = gpu::benchmark(slow, {.warmup = 0, .repeat = 3});
    CHECK(t.host.min_us >= 2000);
    CHECK(t.device.min_us >= 1000);  // the device waits between the events
    const auto before = gpu::counts();
    const auto x = gpu::ones<int>({100});
    (void)gpu::benchmark([&] { (void)gpu::sum(x); }, {.warmup = 1, .repeat = 4});
    CHECK((gpu::counts() - before).launches >= 6);
    CHECK_THROWS_AS((void)gpu::benchmark([] { throw gpu::ShapeError("from inside"); }), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::benchmark([] {}, {.repeat = 0}), gpu::Error);
}

TEST_CASE("a log notes kernels and copies in order, with what they work on") {
    gpu::RawKernel<void(int*, int)> add(
        "__global__ void add_one(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }", "add_one");
    gpu::ElementwiseKernel squared("T x", "T y", "y = x * x", "squared");
    const std::vector<float> host(1000, 2.f);
    gpu::Stream stream;
    //! [launch_log]
    gpu::LaunchLog log;
    gpu::Array<float> x = gpu::to_device(host);
    gpu::Array<float> y = squared(x);
    const float total = gpu::sum(y).item();
    const std::vector<gpu::LaunchEntry> entries = log.entries();
    //! [launch_log]
    CHECK(total == 4000.f);
    using Kind = gpu::LaunchEntry::Kind;
    REQUIRE(entries.size() >= 4);
    CHECK(entries[0].kind == Kind::copy_to_device);
    CHECK(entries[0].name == "copy to device");
    CHECK(entries[0].bytes == 4000);
    CHECK(entries[1].kind == Kind::elementwise);
    CHECK(entries[1].name == "squared");
    CHECK(entries[1].size == 1000);
    CHECK(entries[1].bytes == 8000);
    CHECK(entries[1].device == gpu::Device::current());
    CHECK(entries[1].stream.native() == nullptr);
    CHECK(entries[1].device_us == -1);
    CHECK(entries[2].kind == Kind::reduction);
    CHECK(entries[2].size == 1000);
    CHECK(entries[2].bytes == 4004);
    CHECK(entries.back().kind == Kind::copy_to_host);
    CHECK(entries.back().bytes == 4);
    const std::string where = gpu::Device::current().to_string();
    CHECK(entries[1].to_string() == where + " squared: 1000 elements, 8000 bytes");

    log.clear();
    auto n = gpu::zeros<int>({10});
    log.clear();
    add({.grid = 2, .block = {32, 2}, .shared = 64, .stream = stream}, n, 10);
    const gpu::Array<int> copy = n;
    REQUIRE(log.entries().size() == 2);
    const gpu::LaunchEntry raw = log.entries()[0];
    CHECK(raw.kind == Kind::raw);
    CHECK(raw.name == "add_one");
    CHECK(raw.grid == gpu::Dim3(2));
    CHECK(raw.block == gpu::Dim3(32, 2));
    CHECK(raw.shared == 64);
    CHECK(raw.stream.native() == stream.ref().native());
    CHECK(log.entries()[1].kind == Kind::copy_on_device);
    CHECK(log.entries()[1].bytes == 40);
    CHECK(log.to_string() == where + " add_one: grid (2,1,1), block (32,2,1), 64 bytes shared, in a stream\n" + where +
                                 " copy on device: 40 bytes\n");
    CHECK_THROWS_AS(add({.grid = 1, .block = 5000}, n, 10), gpu::LaunchError);
    CHECK(log.entries().size() == 2);  // what wasn't launched isn't noted
}

TEST_CASE("a log can measure, several can be open, and all threads are noted") {
    auto x = gpu::ones<float>({100'000});
    x = x + 1.f;
    gpu::synchronize();
    gpu::LaunchLog outer({.times = true});
    {
        gpu::LaunchLog inner;
        std::vector<std::thread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([] {
                auto mine = gpu::zeros<float>({1000});
                for (int k = 0; k < 9; ++k) mine = mine + 1.f;
                gpu::synchronize();
            });
        for (std::thread& thread : threads) thread.join();
        CHECK(inner.entries().size() == 30);
        for (const gpu::LaunchEntry& entry : inner.entries()) CHECK(entry.device_us == -1);
        inner.clear();
        CHECK(inner.entries().empty());
    }
    x = x * 2.f;
    const auto entries = outer.entries();  // waits
    REQUIRE(entries.size() == 31);
    for (const gpu::LaunchEntry& entry : entries) CHECK(entry.device_us >= 0);
    CHECK(outer.to_string().find(" us\n") != std::string::npos);
}
