// SPDX-License-Identifier: MIT
// Several devices: which one is current, whose streams are whose, and what doesn't mix.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gpu/gpu.hpp>

#include "gate.hpp"
#include "support/child_process.hpp"
#include "support/messages.hpp"
#include "two_devices.hpp"

using support::contains;

namespace {

template <class F>
std::string device_error(F&& f) {
    return support::error_of<gpu::DeviceError>(f);
}

std::string name_of(int device) { return gpu::Device(device).to_string(); }

}  // namespace

TEST_CASE("device and stream guards nest, and put back what was there, exceptions or not") {
    if (!two_devices("device guards nest")) return;
    const gpu::Device before = gpu::Device::current();
    //! [device_guard]
    {
        const gpu::DeviceGuard guard(gpu::Device(1));
        auto x = gpu::zeros<float>({3});  // on device 1
    }  // the old device is current again
    //! [device_guard]
    CHECK(gpu::Device::current() == before);
    {
        const gpu::DeviceGuard guard(gpu::Device(1));
        auto b = gpu::zeros<float>({3});  // on device 1
        CHECK(b.device() == gpu::Device(1));
        {
            const gpu::DeviceGuard inner(gpu::Device(0));
            CHECK(gpu::Device::current() == gpu::Device(0));
        }
        CHECK(gpu::Device::current() == gpu::Device(1));
        gpu::Stream outer_stream, inner_stream;
        const gpu::StreamGuard outer(outer_stream);
        try {
            const gpu::StreamGuard inner(inner_stream);
            const gpu::DeviceGuard elsewhere(gpu::Device(0));
            CHECK(gpu::Stream::current().native() == nullptr);  // device 0's own current stream
            throw std::runtime_error("out of both");
        } catch (const std::runtime_error&) {}
        CHECK(gpu::Device::current() == gpu::Device(1));
        CHECK(gpu::Stream::current().native() == outer_stream.ref().native());
    }
    CHECK(gpu::Device::current() == before);
    const gpu::DeviceGuard guard(gpu::Device(1));
    CHECK(gpu::Stream::current().native() == nullptr);
}

TEST_CASE("each thread has a current device and stream of its own") {
    if (!two_devices("each thread has a current device")) return;
    const gpu::DeviceGuard guard(gpu::Device(1));
    gpu::Stream stream;
    const gpu::StreamGuard stream_guard(stream);
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t, &good] {
            good += !(gpu::Device::current() == gpu::Device(1)) && gpu::Stream::current().native() == nullptr;
            for (int k = 0; k < 20; ++k) {
                const gpu::DeviceGuard mine(gpu::Device(t % 2));
                gpu::Stream here;
                const gpu::StreamGuard in(here);
                const auto x = gpu::full<int>({100}, t);
                good += x.device() == gpu::Device(t % 2) && gpu::sum(x).item() == 100 * t;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(good == 4 * 21);
    CHECK(gpu::Device::current() == gpu::Device(1));
}

TEST_CASE("a stream of another device is refused, and the message says what to write") {
    if (!two_devices("a stream of another device is refused")) return;
    const gpu::DeviceGuard guard(gpu::Device(1));
    gpu::Stream stream;
    const gpu::DeviceGuard back(gpu::Device(0));
    const std::string message = device_error([&] { const gpu::StreamGuard wrong(stream); });
    CHECK(message == "the stream is on " + name_of(1) + ", the current device is " + name_of(0) +
                         ": write gpu::DeviceGuard device_guard(gpu::Device(1)) before the gpu::StreamGuard");
    gpu::Event event;
    CHECK(contains(device_error([&] { event.record(stream); }),
                   "the stream is on " + name_of(1) + ", the work is for " + name_of(0)));
    auto x = gpu::zeros<int>({1});
    gpu::RawKernel<void(int*)> kernel("__global__ void nothing(int*) {}", "nothing");
    CHECK(contains(device_error([&] { kernel({.grid = 1, .block = 1, .stream = stream}, x); }),
                   "the stream is on " + name_of(1)));
    CHECK(gpu::Stream::current().native() == nullptr);
    stream.wait(event);    // events may be another device's
    stream.synchronize();  // and a stream is synchronised from anywhere
    CHECK(stream.device() == gpu::Device(1));
}

TEST_CASE("arrays of two devices don't mix in any operation, and the message says how to move one") {
    if (!two_devices("arrays of two devices don't mix")) return;
    const gpu::DeviceGuard guard(gpu::Device(0));
    auto x = gpu::ones<float>({4});
    gpu::Array<float> y = x.to(gpu::Device(1));
    const std::string both = name_of(0) + ", another on " + name_of(1) + ": move one, as in x.to(gpu::Device(0))";
    gpu::ElementwiseKernel add("T x, T y", "T z", "z = x + y", "add");
    gpu::ElementwiseKernel twice("T x", "T z", "z = x + x", "twice");
    gpu::ReductionKernel dot("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot");
    CHECK(contains(device_error([&] { (void)(x + y).eval(); }), both));
    CHECK(contains(device_error([&] { (void)gpu::sum(x * y); }), both));
    CHECK(contains(device_error([&] { (void)add(x, y); }), "kernel add: one array is on " + both));
    CHECK(contains(device_error([&] { (void)twice(x, gpu::out(y)); }), "kernel twice: one array is on " + both));
    CHECK(contains(device_error([&] { (void)dot(x, y); }), "kernel dot: one array is on " + both));
    CHECK(contains(device_error([&] { x(gpu::slice(0, 2)) = y(gpu::slice(0, 2)); }),
                   "move one, as in x.to(gpu::Device("));
    gpu::RawKernel<void(const float*, float*)> copy("__global__ void copy(const float* x, float* y) { *y = *x; }",
                                                    "copy");
    const std::string raw = device_error([&] { copy({.grid = 1, .block = 1}, x, y); });
    CHECK(raw == "argument 2 of a raw kernel is on " + name_of(1) + ", the kernel would run on " + name_of(0) +
                     ": move the array, as in x.to(gpu::Device(0)), or launch under gpu::DeviceGuard "
                     "guard(gpu::Device(1))");
    // All of one device works, whatever the current one is.
    const gpu::Array<float> z = y + y;
    CHECK(z.device() == gpu::Device(1));
    CHECK(add(y, y).device() == gpu::Device(1));
    CHECK(gpu::sum(y).item() == 4.f);
    const gpu::DeviceGuard there(gpu::Device(1));
    copy({.grid = 1, .block = 1}, z, y);
    CHECK(gpu::to_host(y) == std::vector<float>{2, 1, 1, 1});
}

TEST_CASE("a masked assignment reads first on the arrays' device, whatever the current one is") {
    if (!two_devices("a masked assignment on another device")) return;
    gpu::Array<bool> flags = gpu::Array<bool>(gpu::to_device({0, 1, 0, 1}) == 1).to(gpu::Device(1));
    flags(gpu::slice(0, 3))[flags(gpu::slice(1, 4))] = true;
    CHECK(gpu::to_host(flags) == std::vector<std::uint8_t>{1, 1, 1, 1});
}

TEST_CASE("each device has a default stream of its own") {
    if (!two_devices("each device has a default stream")) return;
    Gate gate;
    const gpu::DeviceGuard guard(gpu::Device(1));
    auto x = gpu::zeros<int>({100});
    x = x + 1;
    gpu::Pinned<int> host(100);
    gpu::synchronize();
    {
        const gpu::DeviceGuard there(gpu::Device(0));
        gate.close_in({});
    }
    x = x + 1;
    x.copy_to_async(host).synchronize();  // doesn't wait for the other device
    CHECK(host[99] == 2);
    gate.open();
}

TEST_CASE("a device says whether it reaches another one's memory") {
    //! [can_access_peer]
    const gpu::Device first(0), last(gpu::Device::count() - 1);
    const bool direct = first.can_access_peer(last);  // else copies between them go through the host
    //! [can_access_peer]
    CHECK(first.can_access_peer(first));
    CHECK(direct == last.can_access_peer(first));
}

TEST_CASE("devices have properties, and those of a kind share the machine") {
    for (int k = 0; k < gpu::Device::count(); ++k) {
        const gpu::DeviceProperties properties = gpu::Device(k).properties();
        CHECK_FALSE(properties.name.empty());
        CHECK(properties.total_memory > 0);
        CHECK(gpu::memory_pool(gpu::Device(k)).use().total > 0);
    }
    const std::string message = device_error([] { (void)gpu::Device(1000); });
    CHECK(contains(
        message, "there is no device " +
                     std::string(gpu::Device::current().kind() == gpu::BackendKind::cuda ? "cuda:1000" : "host:1000")));
}

TEST_CASE("child: how many devices there are" * doctest::skip()) {
    try {
        std::printf("%d devices\n", gpu::Device::count());
    } catch (const gpu::Error& error) {
        std::puts(error.what());
    }
}

TEST_CASE("LIBGPU_HOST_DEVICES makes devices, or says what it may be") {
    const auto said = [](const char* value) {
        return run_test_case("child: how many devices there are",
                             {{"LIBGPU_DEVICE", "host"}, {"LIBGPU_HOST_DEVICES", value}})
            .output;
    };
    CHECK(contains(said("3"), "3 devices\n"));
    CHECK(contains(said(""), "1 devices\n"));
    for (const char* bad : {"many", "0", "-1", "65", "3x", "99999999999999999999"})
        CHECK(contains(said(bad),
                       "LIBGPU_HOST_DEVICES is \"" + std::string(bad) + "\"; it must be a number from 1 to 64"));
}
