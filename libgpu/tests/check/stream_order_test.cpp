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

TEST_CASE("a check counts the streams whose work may run at the same time") {
    auto x = gpu::zeros<float>(n), y = gpu::zeros<float>(n), z = gpu::zeros<float>(n);
    gpu::Stream first, second, third;
    const auto at_once = [](auto&& f) { return gpu::check(f).host.streams_at_once; };
    CHECK(at_once([] {}) == 0);
    CHECK(at_once([&] { x = y + 1; }) == 1);
    CHECK(at_once([&] {
              launch_in(first, fill, x, 1.0f);
              launch_in(first, fill, y, 1.0f);
          }) == 1);
    CHECK(at_once([&] {
              launch_in(first, fill, x, 1.0f);
              launch_in(second, fill, y, 1.0f);
              launch_in(third, fill, z, 1.0f);
              launch_in(first, fill, x, 1.0f);
          }) == 3);
    // What comes between: a wait of the host, an event, the default stream's work, an array that is freed.
    CHECK(at_once([&] {
              launch_in(first, fill, x, 1.0f);
              first.synchronize();
              launch_in(second, fill, y, 1.0f);
          }) == 1);
    CHECK(at_once([&] {
              gpu::Event done;
              launch_in(first, fill, x, 1.0f);
              done.record(first);
              second.wait(done);
              launch_in(second, fill, y, 1.0f);
          }) == 1);
    CHECK(at_once([&] {
              launch_in(first, fill, x, 1.0f);
              fill({.grid = 1, .block = n}, z, 1.0f);
              launch_in(second, fill, y, 1.0f);
          }) == 1);
    CHECK(at_once([&] {
              launch_in(first, fill, x, 1.0f);
              { const auto gone = gpu::empty<float>(n); }
              launch_in(second, fill, y, 1.0f);
          }) == 1);
    // And an asynchronous copy of pageable memory, for which a GPU makes the host wait.
    gpu::Pinned<float> locked(n);
    std::vector<float> pageable(n);
    const auto copied_from = [&](auto& host) {
        return at_once([&] {
            launch_in(first, fill, x, 1.0f);
            {
                const gpu::StreamGuard guard(first);
                x.copy_to_async(host);
            }
            launch_in(second, fill, y, 1.0f);
        });
    };
    CHECK(copied_from(locked) == 2);
    CHECK(copied_from(pageable) == 1);
}

TEST_CASE("an array that is freed between two streams' work orders no accesses") {
    auto x = gpu::zeros<float>(n);
    gpu::Stream first, second;
    const gpu::CheckReport report = gpu::check([&] {
        launch_in(first, fill, x, 1.0f);
        { const auto gone = gpu::empty<float>(n); }
        launch_in(second, fill, x, 2.0f);
    });
    CHECK(report.findings.size() == 1);
}

TEST_CASE("a check counts asynchronous copies to the host that nobody has waited for") {
    auto x = gpu::zeros<float>(n);
    gpu::Pinned<float> host(n);
    std::vector<float> other(n);
    gpu::Stream first, second;
    const auto copy_in = [&](gpu::Stream& stream) {
        const gpu::StreamGuard guard(stream);
        return x.copy_to_async(host);
    };
    const auto left = [](auto&& f) { return gpu::check(f).host.copies_not_awaited; };
    CHECK(left([&] { x.copy_to(other); }) == 0);
    CHECK(left([&] { copy_in(first); }) == 1);
    CHECK(left([&] {
              copy_in(first);
              copy_in(second);
              first.synchronize();
          }) == 1);
    CHECK(left([&] {
              copy_in(first);
              copy_in(second);
              gpu::synchronize();
          }) == 0);
    CHECK(left([&] { copy_in(first).synchronize(); }) == 0);
    CHECK(left([&] {
              const gpu::Event done = copy_in(first);
              while (!done.done()) {
              }
          }) == 0);
    CHECK(left([&] {  // libgpu itself looks now and then which copies from this memory are done: that is no wait
              for (int k = 0; k < 40; ++k) copy_in(first);
          }) == 40);
    CHECK(left([&] {
              const gpu::StreamGuard guard(first);
              x.copy_from_async(host);
          }) == 0);
}
