// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "host/base/machine.hpp"
#include "host/stream_support.hpp"
#include "host/streams/streams.hpp"
#include "support/forked_child.hpp"

// Streams, and how they wait for each other. Their faults are in stream_fault_test.cpp, what becomes of memory, threads
// and processes in stream_life_test.cpp.
using namespace support;
using gpu::detail::CopyKind;

TEST_CASE("work in one stream is done in the order in which it was queued, and arguments are copied") {
    const Buffer<int> x(1, 1);
    const TestStream stream;
    unsigned expected = 1;
    for (int k = 0; k < 3000; ++k) {  // more than a queue takes at a time
        queue(stream, "step", x.data(), 3, k);
        expected = expected * 3 + static_cast<unsigned>(k);
    }
    stream.synchronize();
    CHECK(x[0] == static_cast<int>(expected));

    struct Wide {
        double numbers[5];
    };
    const Buffer<double> y(5);
    {
        Wide wide{{1, 2, 3, 4, 5}};
        queue(stream, "store", y.data(), wide, char{10});
        wide = {};
    }
    stream.synchronize();
    CHECK(y.values() == std::vector<double>{11, 12, 13, 14, 15});
}

TEST_CASE("a launch returns before its kernel has run: without a wait, old values are seen") {
    const Buffer<int> x(1, 5);
    const Gate gate;
    const TestStream stream;
    gate.hold(stream);
    queue(stream, "step", x.data(), 1, 1);
    const TestEvent event;
    event.record(stream);
    CHECK(std::atomic_ref(x[0]).load() == 5);
    CHECK_FALSE(event.reached());
    gate.open();
    event.synchronize();
    CHECK(event.reached());
    CHECK(x[0] == 6);
}

namespace {

/// Notes which thread does it, or fails.
class NotedWork final : public gpu::detail::host::Work {
public:
    NotedWork(std::vector<std::thread::id>& done_by, bool brief, bool fails = false)
        : done_by_(done_by), brief_(brief), fails_(fails) {}
    void run() override {
        if (fails_) throw std::runtime_error("no");
        done_by_.push_back(std::this_thread::get_id());
    }
    [[nodiscard]] bool is_brief() const noexcept override { return brief_; }

private:
    std::vector<std::thread::id>& done_by_;
    bool brief_, fails_;
};

}  // namespace

TEST_CASE("brief work is done by the thread that queues it, unless other work is before it") {
    std::vector<std::thread::id> done_by;
    gpu::detail::host::Streams streams(1);
    const auto queue = [&](bool brief, bool fails = false) {
        streams.submit(0, nullptr, std::make_unique<NotedWork>(done_by, brief, fails));
    };
    queue(true);
    CHECK(done_by == std::vector{std::this_thread::get_id()});
    {
        const gpu::detail::host::Streams::Turn turn(streams, 0, nullptr);
        queue(true);
        CHECK(done_by.size() == 1);
    }
    streams.synchronize(0, nullptr);
    CHECK(done_by.size() == 2);
    queue(true, true);  // what it throws is stored
    queue(true);        // and drops this
    CHECK_THROWS_WITH(streams.synchronize(0, nullptr), "no");
    CHECK(done_by.size() == 2);
    queue(true);
    CHECK(done_by.size() == 3);
    CHECK(done_by.back() == std::this_thread::get_id());
}

TEST_CASE("queued work gets on without anybody who waits for it") {
    const Buffer<int> x(1, 5);
    const TestStream stream;
    queue(stream, "step", x.data(), 1, 1);
    const TestEvent event;
    event.record(stream);
    while (!event.reached()) std::this_thread::yield();
    CHECK(x[0] == 6);
}

TEST_CASE("two streams run at once: their kernels wait for each other") {
    const Buffer<int> here(1, 0), there(1, 0);
    const TestStream a, b;
    for (int k = 0; k < 20; ++k) {
        here[0] = there[0] = 0;
        queue(a, "meet", here.data(), there.data());
        queue(b, "meet", there.data(), here.data());
        (k % 2 == 0 ? a : b).synchronize();
        backend().synchronize_device(0);
    }
}

TEST_CASE("a stream that is held back doesn't hold back another") {
    const Buffer<int> x(1, 1);
    const Gate gate;
    const TestStream held, free;
    gate.hold(held);
    queue(free, "step", x.data(), 1, 1);
    free.synchronize();
    CHECK(x[0] == 2);
}

TEST_CASE("the default stream waits for earlier work in the others, and they for it") {
    for (int k = 0; k < 10; ++k) {
        const Buffer<int> x(1, 0), y(1, 0), z(1, 0), w(1, 0);
        const Gate gate;
        const TestStream a, b;
        gate.hold(a);
        queue(a, "step", x.data(), 1, 1);                           // x = 1
        queue(nullptr, "take", (const int*)x.data(), y.data(), 1);  // y = 2, after a
        queue(b, "take", (const int*)y.data(), z.data(), 1);        // z = 3, after the default stream
        queue(a, "take", (const int*)z.data(), w.data(), 10);       // no order between a and b: not looked at
        const TestEvent in_default, in_b;
        in_b.record(b);
        in_default.record(nullptr);
        CHECK_FALSE(in_b.reached());
        CHECK_FALSE(in_default.reached());
        CHECK(std::atomic_ref(y[0]).load() == 0);
        gate.open();
        b.synchronize();
        CHECK(z[0] == 3);
        CHECK(y[0] == 2);
        backend().synchronize_stream(0, nullptr);  // the default stream: everything
        CHECK(in_default.reached());
        CHECK(w[0] >= 10);
    }
}

TEST_CASE("work that was queued in the default stream first is waited for by a created stream") {
    const Buffer<int> x(1, 0), y(1, 0);
    const Gate gate;
    const TestStream stream;
    gate.hold(nullptr);
    queue(nullptr, "step", x.data(), 1, 7);
    queue(stream, "take", (const int*)x.data(), y.data(), 1);
    const TestEvent event;
    event.record(stream);
    CHECK_FALSE(event.reached());
    gate.open();
    stream.synchronize();
    CHECK(y[0] == 8);
}

TEST_CASE("default streams of two devices don't know each other") {
    const EnvironmentGuard guard("LIBGPU_HOST_DEVICES", "3");
    const auto three = backend_with(2);
    const auto hold = build_raw("hold", stream_kernels, *three), step = build_raw("step", stream_kernels, *three);
    const Buffer<int> gate(1, 0), x(1, 1);
    int* flag = gate.data();
    void* hold_arguments[] = {&flag};
    three->launch(0, *hold, {.over = shape(1, 1), .values = hold_arguments}, nullptr);
    int *data = x.data(), factor = 1, more = 1;
    void* arguments[] = {&data, &factor, &more};
    three->launch(2, *step, {.over = shape(1, 1), .values = arguments}, nullptr);
    three->synchronize_device(2);
    CHECK(x[0] == 2);

    // But an event of one can be waited for by the other.
    const TestEvent event(0, *three), last(1, *three);
    event.record(nullptr);
    three->wait_event(1, nullptr, event);
    three->launch(1, *step, {.over = shape(1, 1), .values = arguments}, nullptr);
    last.record(nullptr);
    CHECK_FALSE(last.reached());
    CHECK(x[0] == 2);
    std::atomic_ref(gate[0]).store(1);
    three->synchronize_device(1);
    CHECK(x[0] == 3);
    three->synchronize_device(0);
}

TEST_CASE("a stream waits for an event of another one, as it was recorded at that time") {
    const Buffer<int> x(1, 0), y(1, 0), z(1, 0);
    const Gate first, second;
    const TestStream a, b, c;
    const TestEvent event, never;
    first.hold(a);
    queue(a, "step", x.data(), 1, 1);
    event.record(a);
    backend().wait_event(0, b, event);
    queue(b, "take", (const int*)x.data(), y.data(), 1);
    second.hold(a);
    event.record(a);  // b's wait is for the mark from before
    backend().wait_event(0, c, event);
    queue(c, "take", (const int*)y.data(), z.data(), 1);
    CHECK(std::atomic_ref(y[0]).load() == 0);
    first.open();
    b.synchronize();
    CHECK(y[0] == 2);
    CHECK_FALSE(event.reached());
    second.open();
    c.synchronize();
    CHECK(z[0] == 3);
    backend().wait_event(0, c, never);  // nothing to wait for
    c.synchronize();
    CHECK(never.reached());
}

TEST_CASE("an event that waits for its own stream, and waits in a circle of streams, come to an end") {
    const Buffer<int> x(1, 0);
    const TestStream a, b;
    const TestEvent in_a, in_b;
    for (int k = 0; k < 100; ++k) {
        in_a.record(a);
        backend().wait_event(0, a, in_a);
        backend().wait_event(0, b, in_a);
        queue(b, "step", x.data(), 1, 1);
        in_b.record(b);
        backend().wait_event(0, a, in_b);
        queue(a, "step", x.data(), 1, 1);
    }
    backend().synchronize_device(0);
    CHECK(x[0] == 200);
}

TEST_CASE("copies are made in the stream's order; those with the host wait") {
    const Buffer<int> x(1000), y(1000);
    const Gate gate;
    const TestStream stream;
    gate.hold(stream);
    launch_in(backend(), stream, stream_kernel("fill"), shape(4, 256), x.data(), 1000, 7);
    backend().copy(0, y.data(), x.data(), 4000, CopyKind::device_to_device, stream);  // only queued
    launch_in(backend(), stream, stream_kernel("fill"), shape(4, 256), x.data(), 1000, 8);
    CHECK(std::atomic_ref(y[0]).load() == 0);
    gate.open();
    std::vector<int> host(1000);
    backend().copy(0, host.data(), y.data(), 4000, CopyKind::device_to_host, stream);
    CHECK(host == std::vector<int>(1000, 7));
    host.assign(1000, 3);
    backend().copy(0, x.data(), host.data(), 4000, CopyKind::host_to_device, stream);
    host.assign(1000, 4);  // may be reused now
    CHECK(x.values() == std::vector<int>(1000, 3));
}

TEST_CASE("the time between two events is that of the work between them") {
    const Buffer<int> x(1, 0);
    const Gate gate;
    const TestStream stream;
    const TestEvent start, stop;
    start.record(stream);
    gate.hold(stream);
    stop.record(stream);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));  // the kernel isn't let go before that
    gate.open();
    CHECK(backend().elapsed_ms(0, start, stop) >= 3.0f);
    const TestEvent at_once;
    at_once.record(stream);
    CHECK(at_once.reached());  // nothing is queued
}

TEST_CASE("eight threads use eight streams and the default stream at once") {
    constexpr int rounds = 200;
    std::vector<int> wrong(8, -1);
    std::vector<std::thread> threads;
    const Buffer<int> shared(1, 0);
    (void)stream_kernel("step");
    (void)stream_kernel("take");
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            LoadedKernel &step = stream_kernel("step"), &take = stream_kernel("take");
            const TestStream stream;
            const TestEvent event;
            int bad = 0;
            for (int k = 0; k < rounds; ++k) {
                const Buffer<int> x(1, k), y(1, 0);
                launch_in(backend(), stream, step, shape(1, 1), x.data(), 2, 1);
                event.record(stream);
                launch_in(backend(), nullptr, step, shape(1, 1), shared.data(), 1, 1);
                launch_in(backend(), stream, take, shape(1, 1), (const int*)x.data(), y.data(), 1);
                int value = 0;
                if (k % 3 == 0) event.synchronize();
                backend().copy(0, &value, y.data(), sizeof value, CopyKind::device_to_host, stream);
                if (value != 2 * k + 2) ++bad;
            }
            wrong[t] = bad;
        });
    for (std::thread& thread : threads) thread.join();
    backend().synchronize_device(0);
    CHECK(wrong == std::vector<int>(8, 0));
    CHECK(shared[0] == 8 * rounds);
}

// What becomes of streams, memory, threads and forked processes while work is queued.
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

// Faults of queued kernels: told once, by the next call that waits behind them.
using namespace support;
using gpu::detail::CopyKind;

namespace {

const char* const crash_text =
    "kernel crash: block (0,0,0) thread (4,0,0) writes just past the end of x (4 elements); is there a "
    "guard such as if (i < n)?";

/// An array of which kernel "crash" writes the element behind its end.
class Victim {
public:
    void queue_crash(void* stream) const {
        launch_in(backend(), stream, stream_kernel("crash"), shape(1, 8), x_.data(), 4);
    }

private:
    Buffer<int> x_{4, 0};
};

}  // namespace

TEST_CASE("a fault is thrown by the next wait for its stream, once; what was queued behind it is dropped") {
    const Victim victim;
    const Buffer<int> x(1, 1);
    const TestStream stream;
    queue(stream, "step", x.data(), 1, 1);
    victim.queue_crash(stream);
    queue(stream, "step", x.data(), 1, 10);  // dropped
    CHECK(launch_error([&] { stream.synchronize(); }) == crash_text);
    CHECK(x[0] == 2);
    stream.synchronize();
    queue(stream, "step", x.data(), 1, 100);
    stream.synchronize();
    CHECK(x[0] == 102);
}

TEST_CASE("a fault is reported by events behind it, by elapsed_ms, by copies with the host, by the default stream") {
    const Victim victim;
    const Buffer<int> x(1, 1);
    const TestStream stream;
    const TestEvent before, after;
    for (int way = 0; way < 6; ++way) {
        CAPTURE(way);
        before.record(stream);
        victim.queue_crash(stream);
        after.record(stream);
        before.synchronize();  // nothing happened until there
        int host = 5;
        CHECK(launch_error([&] {
                  switch (way) {
                      case 0: return after.synchronize();
                      case 1: return (void)backend().elapsed_ms(0, before, after);
                      case 2: return backend().copy(0, &host, x.data(), 4, CopyKind::device_to_host, stream);
                      case 3: return backend().copy(0, x.data(), &host, 4, CopyKind::host_to_device, stream);
                      case 4: return backend().copy(0, &host, x.data(), 4, CopyKind::device_to_host, nullptr);
                      default: return backend().synchronize_device(0);
                  }
              }) == crash_text);
        CHECK(host == 5);
        CHECK(x[0] == 1);
        backend().synchronize_device(0);
        after.synchronize();
        CHECK(after.reached());
        CHECK(backend().elapsed_ms(0, before, after) >= 0.0f);
    }
}

TEST_CASE("a fault drops what had to wait for it in other streams, and nothing else") {
    const Victim victim;
    const Buffer<int> x(1, 0), y(1, 0), z(1, 0);
    const Gate gate;
    const TestStream failing, waiting, free;
    const TestEvent event;
    gate.hold(failing);
    victim.queue_crash(failing);
    event.record(failing);
    backend().wait_event(0, waiting, event);
    queue(waiting, "step", x.data(), 1, 1);
    queue(free, "step", y.data(), 1, 1);
    gate.open();
    free.synchronize();
    CHECK(y[0] == 1);
    CHECK(launch_error([&] { waiting.synchronize(); }) == crash_text);
    CHECK(x[0] == 0);
    failing.synchronize();  // told already
    queue(waiting, "step", x.data(), 1, 2);
    queue(failing, "step", x.data(), 1, 3);
    backend().synchronize_device(0);
    CHECK(x[0] == 5);

    victim.queue_crash(failing);
    queue(nullptr, "step", z.data(), 1, 1);  // the default stream waits for all
    queue(free, "step", z.data(), 1, 1);     // and this one for it
    CHECK(launch_error([&] { free.synchronize(); }) == crash_text);
    backend().synchronize_device(0);
    CHECK(z[0] == 0);
}

TEST_CASE("two faults in two streams are reported one after the other") {
    const Victim victim;
    const TestStream first, second;
    victim.queue_crash(first);
    queue(second, "refuse", 1);
    const auto all = [] { backend().synchronize_device(0); };
    std::string told = launch_error(all);
    told += launch_error(all);
    CHECK(contains(told, crash_text));
    CHECK(contains(told, "assertion `value == 0' failed"));
    all();
}

TEST_CASE("a fault outlives its stream") {
    const Victim victim;
    {
        const TestStream stream;
        victim.queue_crash(stream);
    }
    CHECK(launch_error([] { backend().synchronize_device(0); }) == crash_text);
    backend().synchronize_device(0);
}

TEST_CASE("what can't be launched throws at once, and leaves the stream alone") {
    const Buffer<int> x(1, 1);
    const Gate gate;
    const TestStream stream;
    gate.hold(stream);
    CHECK(contains(
        launch_error([&] { launch_in(backend(), stream, stream_kernel("step"), shape(1, 1025), x.data(), 1, 1); }),
        "block (1025,1,1): 1025 along x is more than the limit of 1024"));
    CHECK(contains(launch_error([&] { launch_in(backend(), stream, stream_kernel("step"), shape(1, 1), x.data()); }),
                   "it has 3 parameters, and 1 arguments were given"));
    queue(stream, "step", x.data(), 1, 1);
    gate.open();
    stream.synchronize();
    CHECK(x[0] == 2);
}

TEST_CASE("LIBGPU_LAUNCH_BLOCKING=1: the launch itself throws") {
    const EnvironmentGuard guard("LIBGPU_LAUNCH_BLOCKING", "1");
    const auto blocking = backend_with(2);
    const auto crash = build_raw("crash", stream_kernels, *blocking),
               step = build_raw("step", stream_kernels, *blocking);
    const Buffer<int> x(4, 0, *blocking);
    const TestStream stream(0, *blocking);
    CHECK(launch_error([&] { launch_in(*blocking, stream, *crash, shape(1, 8), x.data(), 4); }) == crash_text);
    stream.synchronize();
    x[0] = 1;
    launch_in(*blocking, stream, *step, shape(1, 1), x.data(), 1, 1);
    CHECK(x[0] == 2);
}
