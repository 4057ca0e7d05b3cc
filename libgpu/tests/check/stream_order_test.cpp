// SPDX-License-Identifier: MIT
// Work of two streams: on a GPU they run at the same time, so what touches the same elements needs an event between.
#include "check/support.hpp"

#include <vector>

using namespace support;

namespace {

const gpu::RawKernel<void(float*, float)> fill(cu(R"(
__global__ void fill(float* x, float value) {
    x[threadIdx.x] = value;
}
)"),
                                               "fill");

const gpu::RawKernel<void(const float*, float*)> add_one(cu(R"(
__global__ void add_one(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x] + 1;
}
)"),
                                                         "add_one");

const gpu::RawKernel<void(float*, float)> count(cu(R"(
__global__ void count(float* total, float value) {
    atomicAdd(total, value);
}
)"),
                                                "count");

constexpr int n = 64;

template <class Kernel, class... Arguments>
void launch_in(gpu::Stream& stream, const Kernel& kernel, Arguments&&... arguments) {
    const gpu::StreamGuard guard(stream);
    kernel({.grid = 1, .block = n}, arguments...);
}

}  // namespace

TEST_CASE("a kernel that reads what another stream's kernel writes needs an event") {
    auto x = gpu::zeros<float>(n), y = gpu::zeros<float>(n);
    gpu::Stream first, second;
    const gpu::CheckReport report = gpu::check([&] {
        launch_in(first, fill, x, 1.0f);
        launch_in(second, add_one, x, y);
    });
    CHECK(told(report) ==
          "missing event: test.cu:3 reads x[0], which kernel fill (test.cu:3) writes in another stream, and nothing "
          "orders the two\n"
          "block (0,0,0), thread (0,0,0): kernel add_one in stream 2, kernel fill in stream 1 (counted as they are "
          "first used)\n"
          "streams work at the same time: record an event in the other stream behind it and let this one wait, "
          "event.record(other) and stream.wait(event), or call other.synchronize() in between\n");
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::missing_event);
    CHECK(report.findings[0].variable == "x");
    CHECK(report.findings[0].times == n);
}

TEST_CASE("a kernel that writes what another stream's kernel reads or writes needs an event") {
    auto x = gpu::zeros<float>(n), y = gpu::zeros<float>(n);
    gpu::Stream first, second, third;
    const gpu::CheckReport reader = gpu::check([&] {
        launch_in(first, add_one, x, y);
        launch_in(second, fill, x, 1.0f);
    });
    CHECK(told(reader).find("test.cu:3 writes x[0], which kernel add_one (test.cu:3) reads in another stream") !=
          std::string::npos);
    const gpu::CheckReport writer = gpu::check([&] {
        launch_in(first, fill, x, 1.0f);
        launch_in(second, fill, x, 2.0f);
    });
    CHECK(told(writer).find("test.cu:3 writes x[0], which kernel fill (test.cu:3) writes in another stream") !=
          std::string::npos);
    CHECK(writer.findings.size() == 1);
    // The last one of the first stream's two kernels counts, and the second stream's is in order.
    const gpu::CheckReport late = gpu::check([&] {
        gpu::Event done;
        launch_in(first, fill, x, 1.0f);
        done.record(first);
        launch_in(first, fill, x, 2.0f);
        second.wait(done);
        launch_in(second, add_one, x, y);
    });
    CHECK(late.findings.size() == 1);
}

TEST_CASE("a copy that reads what another stream writes needs an event") {
    auto x = gpu::zeros<float>(n), y = gpu::zeros<float>(n);
    gpu::Stream first, second;
    std::vector<float> host(n);
    const gpu::CheckReport down = gpu::check([&] {
        launch_in(first, fill, x, 1.0f);
        const gpu::StreamGuard guard(second);
        x.copy_to(host);
    });
    CHECK(told(down) ==
          "missing event: a copy reads x, which kernel fill (test.cu:3) writes in another stream, and nothing orders "
          "the two\n"
          "a copy in stream 2, kernel fill in stream 1 (counted as they are first used)\n"
          "streams work at the same time: record an event in the other stream behind it and let this one wait, "
          "event.record(other) and stream.wait(event), or call other.synchronize() in between\n");
    const gpu::CheckReport behind = gpu::check([&] {
        {
            const gpu::StreamGuard guard(first);
            y = x;
        }
        launch_in(second, fill, x, 1.0f);
    });
    CHECK(told(behind).find("writes x[0]") != std::string::npos);
    CHECK(behind.findings.size() == 1);
}

TEST_CASE("an event, a wait of the host and the default stream order two streams") {
    auto x = gpu::zeros<float>(n), y = gpu::zeros<float>(n);
    gpu::Stream first, second, third;
    gpu::Event ready, later;
    std::vector<float> host(n);
    const gpu::CheckReport report = gpu::check([&] {
        launch_in(first, fill, x, 1.0f);
        ready.record(first);
        second.wait(ready);
        launch_in(second, add_one, x, y);
        later.record(second);
        third.wait(later);  // and so for what the second one had waited for
        launch_in(third, fill, x, 2.0f);
        third.synchronize();
        launch_in(first, add_one, x, y);
        add_one({.grid = 1, .block = n}, x, y);  // the default stream's
        launch_in(second, fill, y, 3.0f);
        later.record(second);
        later.synchronize();
        launch_in(third, fill, y, 4.0f);
        while (!(later.record(third), later.done())) {
        }
        launch_in(first, fill, y, 5.0f);
        {
            const gpu::StreamGuard guard(first);
            y.copy_to(host);  // waits
        }
        launch_in(second, fill, y, 6.0f);
        gpu::synchronize();
        launch_in(third, add_one, x, y);
    });
    CHECK(told(report).empty());
}

TEST_CASE("streams that touch different elements, read the same ones or use atomics need no event") {
    auto x = gpu::zeros<float>(2 * n), y = gpu::zeros<float>(n), z = gpu::zeros<float>(n);
    auto total = gpu::zeros<float>(1);
    gpu::Stream first, second;
    const gpu::CheckReport report = gpu::check([&] {
        auto lower = x(gpu::slice(0, n)), upper = x(gpu::slice(n, 2 * n));
        launch_in(first, fill, lower, 1.0f);
        launch_in(second, fill, upper, 1.0f);
        launch_in(first, add_one, lower, y);
        launch_in(second, add_one, upper, z);
        launch_in(first, count, total, 1.0f);
        launch_in(second, count, total, 1.0f);
    });
    CHECK(told(report).empty());
}

TEST_CASE("an array that is freed and one that is made in its place need no event") {
    gpu::Stream first, second;
    const gpu::CheckReport report = gpu::check([&] {
        for (int k = 0; k < 3; ++k) {
            {
                const gpu::StreamGuard guard(first);
                const auto x = gpu::full<float>(n, 1.0f);
                auto y = gpu::zeros<float>(n);
                y = x + 1;
            }
            const gpu::StreamGuard guard(second);
            const auto x = gpu::full<float>(n, 1.0f);
            auto y = gpu::zeros<float>(n);
            y = x + 1;
            CHECK(gpu::to_host(gpu::sum(y)).front() == 2.0f * n);
        }
    });
    CHECK(told(report).empty());
}
