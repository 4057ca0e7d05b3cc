// SPDX-License-Identifier: MIT
// Faults of queued kernels: told once, by the next call that waits behind them.
#include "host/stream_support.hpp"

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
