// SPDX-License-Identifier: MIT
// What becomes of streams, memory, threads and forked processes while work is queued.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "host/base/sanitizer.hpp"
#include "host/stream_support.hpp"
#include "support/forked_child.hpp"

using namespace support;
using gpu::detail::CopyKind;

namespace {

long status_field(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, name.size(), name) == 0) return std::stol(line.substr(name.size() + 1));
    return -1;
}

/// The exit status of a forked child; -1 if a signal ended it.
template <class F>
int in_child(F&& f) {
    const pid_t child = ::fork();
    if (child == 0) f();
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("memory that is freed while queued work uses it lives until that is done, and not longer") {
    int* stale = nullptr;
    const TestStream stream, other;
    {
        const Gate gate;
        const Buffer<int> y(1000);
        gate.hold(stream);
        {
            const Buffer<int> x(1000);
            stale = x.data();
            launch_in(backend(), stream, stream_kernel("fill"), shape(4, 256), x.data(), 1000, 7);
            backend().copy(0, y.data(), x.data(), 4000, CopyKind::device_to_device, stream);
        }
        const Buffer<int> fresh(1000, 1);  // the same size: not the same memory
        CHECK(fresh.data() != stale);
        launch_in(backend(), other, stream_kernel("fill"), shape(4, 256), fresh.data(), 1000, 9);
        gate.open();
        stream.synchronize();
        CHECK(y.values() == std::vector<int>(1000, 7));
        other.synchronize();
        CHECK(fresh.values() == std::vector<int>(1000, 9));
    }
    backend().synchronize_device(0);
    launch_in(backend(), stream, stream_kernel("fill"), shape(4, 256), stale, 1000, 7);
    CHECK(contains(launch_error([&] { stream.synchronize(); }), "an array of 4000 bytes was there and has been freed"));
}

TEST_CASE("a program that runs ahead of its streams doesn't run out of memory that will be free") {
    const EnvironmentGuard guard("LIBGPU_HOST_MEMORY", "1M");
    const auto small = backend_with(2);
    const auto fill = build_raw("fill", stream_kernels, *small);
    for (int k = 0; k < 100; ++k) {
        const std::size_t n = 150000;
        void* const data = small->allocate(0, n * 4, nullptr);
        launch_in(*small, nullptr, *fill, shape(600, 256), static_cast<int*>(data), static_cast<int>(n), k);
        small->deallocate(0, data, n * 4);
    }
    CHECK(contains(error_of([&] { (void)small->allocate(0, 2 << 20, nullptr); }), "out of memory"));
}

TEST_CASE("a stream that is destroyed with queued work: nothing waits, and the work is done") {
    const Buffer<int> x(1, 0);
    const Gate gate;
    const TestEvent event;
    {
        const TestStream stream;
        gate.hold(stream);
        queue(stream, "step", x.data(), 1, 5);
        event.record(stream);
    }
    CHECK_FALSE(event.reached());
    gate.open();
    event.synchronize();
    CHECK(x[0] == 5);
}

TEST_CASE("a backend that is destroyed does its queued work first") {
    auto own = backend_with(2);
    const auto step = build_raw("step", stream_kernels, *own);
    const Buffer<int> x(1, 0);
    void* const stream = own->create_stream(0);
    for (int k = 0; k < 100; ++k) launch_in(*own, k % 2 == 0 ? stream : nullptr, *step, shape(1, 1), x.data(), 1, 1);
    own->destroy_stream(0, stream);
    own.reset();
    CHECK(x[0] == 100);
}

TEST_CASE("a thousand streams, used and destroyed, leave neither threads nor memory") {
    const Buffer<int> x(1000);
    const auto use = [&](std::size_t count) {
        std::vector<std::unique_ptr<TestStream>> streams;
        for (std::size_t k = 0; k < count; ++k) streams.push_back(std::make_unique<TestStream>());
        for (std::size_t k = 0; k < count; ++k) queue(*streams[k], "step", x.data() + k, 1, 1);
        streams.clear();
        backend().synchronize_device(0);
    };
    {  // as many threads as there can be, so that none comes later
        const Gate gate;
        std::vector<std::unique_ptr<TestStream>> held;
        for (int k = 0; k < 40; ++k) {
            held.push_back(std::make_unique<TestStream>());
            gate.hold(*held.back());
        }
    }
    backend().synchronize_device(0);
    use(1000);
    [[maybe_unused]] const long threads = status_field("Threads:"), resident = status_field("VmRSS:");
    for (int k = 0; k < 20; ++k) use(1000);
    CHECK(x.values() == std::vector<int>(1000, 21));
    CHECK(threads < 60);
    CHECK(status_field("Threads:") == threads);
#if defined(GPU_HOST_TSAN)
    std::puts("SKIP: the memory of a thousand streams: ThreadSanitizer takes memory of its own for each");
#elif defined(GPU_HOST_ASAN)
    std::puts("SKIP: the memory of a thousand streams: AddressSanitizer keeps freed memory for a while");
#else
    CHECK(status_field("VmRSS:") - resident < 16384);  // KiB; 20 000 forgotten queues would be more
#endif
}

TEST_CASE("a million queued launches leave nothing behind") {
    const Buffer<int> x(1, 0);
    const auto many = [&](int count) {
        for (int k = 1; k <= count; ++k) {
            queue(nullptr, "step", x.data(), 1, 1);
            if (k % 100000 == 0) backend().synchronize_device(0);  // a queue keeps what wasn't done yet
        }
        backend().synchronize_device(0);
    };
    many(3000);
    [[maybe_unused]] const long threads = status_field("Threads:"), resident = status_field("VmRSS:");
    many(1000000);
    CHECK(x[0] == 1003000);
    CHECK(status_field("Threads:") == threads);
#if defined(GPU_HOST_ASAN)
    std::puts("SKIP: the memory of queued launches: AddressSanitizer keeps freed memory for a while");
#else
    CHECK(status_field("VmRSS:") - resident < 4096);  // KiB
#endif
}

TEST_CASE("a child that is forked while work is queued starts afresh; the parent goes on") {
    if (!child_can_start_threads("a child that is forked while work is queued")) return;
    const Buffer<int> x(1, 0), y(1, 0);
    const Gate gate;
    const TestStream stream;
    gate.hold(stream);
    queue(stream, "step", x.data(), 1, 1);
    gate.hold(nullptr);
    { const Buffer<int> freed(1000); }
    const auto child = [&](bool leave_by_exit) {
        queue(stream, "step", y.data(), 1, 10);
        queue(nullptr, "step", y.data(), 1, 10);
        backend().synchronize_device(0);
        const bool good = y[0] == 20 && x[0] == 0;
        queue(stream, "step", y.data(), 1, 10);
        if (leave_by_exit) std::exit(good ? 3 : 4);
        ::_exit(good ? 3 : 4);
    };
    CHECK(in_child([&] { child(false); }) == 3);
#if defined(GPU_HOST_ASAN)
    std::puts("SKIP: a forked child that leaves by exit(): what its parent's threads held looks like a leak there");
#else
    CHECK(in_child([&] { child(true); }) == 3);
#endif
    CHECK(std::atomic_ref(x[0]).load() == 0);
    gate.open();
    backend().synchronize_device(0);
    CHECK(x[0] == 1);
    CHECK(y[0] == 0);
}

TEST_CASE("forks at any time, while two streams are busy") {
    if (!child_can_start_threads("forks at any time")) return;
    const Buffer<int> x(1, 0), y(1, 0), z(1, 0);
    const TestStream a, b;
    std::atomic<bool> stop{false};
    (void)stream_kernel("step");
    std::thread busy([&] {
        while (!stop) {
            queue(a, "step", x.data(), 1, 1);
            queue(b, "step", y.data(), 1, 1);
            const Buffer<int> freed(100);
        }
    });
    int status = 3;
    for (int k = 0; k < 30 && status == 3; ++k) {
        status = in_child([&] {
            ::alarm(60);  // a lock that nobody will ever open must not hang the tests
            const TestStream mine;
            queue(mine, "step", z.data(), 1, 1);
            mine.synchronize();  // two streams may add up at the same time, and lose one
            queue(a, "step", z.data(), 1, 1);
            backend().synchronize_device(0);
            ::_exit(z[0] == 2 ? 3 : 4);
        });
    }
    stop = true;
    busy.join();
    CHECK(status == 3);
    backend().synchronize_device(0);
    CHECK(x[0] == y[0]);
}
