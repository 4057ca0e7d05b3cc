// SPDX-License-Identifier: MIT
// Streams, and how they wait for each other. Their faults are in stream_fault_test.cpp, what becomes of memory, threads
// and processes in stream_life_test.cpp.
#include <thread>

#include "host/stream_support.hpp"

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
    three->launch(0, *hold, shape(1, 1), hold_arguments, 1, nullptr);
    int *data = x.data(), factor = 1, more = 1;
    void* arguments[] = {&data, &factor, &more};
    three->launch(2, *step, shape(1, 1), arguments, 3, nullptr);
    three->synchronize_device(2);
    CHECK(x[0] == 2);

    // But an event of one can be waited for by the other.
    const TestEvent event(0, *three), last(1, *three);
    event.record(nullptr);
    three->wait_event(1, nullptr, event);
    three->launch(1, *step, shape(1, 1), arguments, 3, nullptr);
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
