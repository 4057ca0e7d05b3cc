// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "gate.hpp"
#include "support/child_process.hpp"
#include "support/messages.hpp"

TEST_CASE("there is a device, and it says what it is") {
    CHECK(gpu::Device::count() >= 1);
    const gpu::Device device = gpu::Device::current();
    const auto properties = device.properties();
    CHECK_FALSE(properties.name.empty());
    CHECK(properties.multiprocessors >= 1);
    CHECK(properties.max_threads_per_block == 1024);
    CHECK(properties.total_memory > 0);
    CHECK(gpu::zeros<float>({1}).device() == device);
    CHECK_THROWS_AS((void)gpu::Device(1000), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::Device(-1), gpu::DeviceError);
}

TEST_CASE("a guard restores the device that was current") {
    const gpu::Device before = gpu::Device::current();
    {
        const gpu::DeviceGuard guard(gpu::Device::host(0));
        CHECK(gpu::Device::current() == gpu::Device::host(0));
        CHECK(gpu::zeros<float>({1}).device() == gpu::Device::host(0));
    }
    CHECK(gpu::Device::current() == before);
}

TEST_CASE("arrays move between devices, and don't mix") {
    const bool on_host = gpu::Device::current().kind() == gpu::BackendKind::host;
    if (on_host && gpu::Device::count() < 2) {
        std::puts("SKIP: arrays move between devices: there is one device only (LIBGPU_HOST_DEVICES=2 makes two)");
        return;
    }
    const gpu::Device other = on_host ? gpu::Device::host(1) : gpu::Device::host(0);
    auto x = gpu::arange<float>(5);
    //! [to]
    const gpu::Array<float> y = x.to(other);
    //! [to]
    CHECK(y.device() == other);
    CHECK(gpu::to_host(y) == gpu::to_host(x));
    const gpu::Array<float> backwards = x.flip()(gpu::slice(0, 3)).to(other);
    CHECK(backwards.device() == other);
    CHECK(gpu::to_host(backwards) == std::vector<float>{4, 3, 2});
    CHECK_THROWS_AS((void)(x + y).eval(), gpu::DeviceError);
}

TEST_CASE("streams: work under a guard, and a wait") {
    //! [stream]
    gpu::Stream stream;
    gpu::Array<float> z;
    {
        const gpu::StreamGuard guard(stream);
        z = gpu::arange<float>(4) * 2.f;   // runs in `stream`
    }
    stream.synchronize();
    //! [stream]
    CHECK(gpu::to_host(z) == std::vector<float>{0, 2, 4, 6});
    CHECK(stream.device() == gpu::Device::current());
}

TEST_CASE("events measure the time between two points of a stream") {
    //! [event]
    auto x = gpu::ones<float>({1 << 20});
    gpu::Event start, stop;
    start.record();
    auto total = gpu::sum(x);   // launches here
    stop.record();
    const float ms = gpu::elapsed_ms(start, stop);   // waits for stop
    //! [event]
    CHECK(ms >= 0.f);
    CHECK(ms < 60'000.f);
    CHECK(total.item() == static_cast<float>(1 << 20));
    gpu::Event never;
    CHECK_THROWS_AS((void)gpu::elapsed_ms(start, never), gpu::Error);
}

TEST_CASE("each thread has its own current device and stream") {
    gpu::Stream mine;
    const gpu::StreamGuard guard(mine);
    bool same = true;
    std::thread([&] { same = gpu::Stream::current().native() == mine.ref().native(); }).join();
    if (mine.ref().native() != nullptr) CHECK_FALSE(same);
}

TEST_CASE("counts: copies, bytes, allocations, synchronizations, launches") {
    gpu::synchronize();
    //! [counts]
    const gpu::Counts before = gpu::counts();
    auto x = gpu::to_device({1.f, 2.f, 3.f});   // one copy to the device, 12 bytes
    gpu::Array<float> y = x + 1.f;              // one launch, one allocation
    const float sum = gpu::sum(y).item();       // one launch, one copy back
    const gpu::Counts work = gpu::counts() - before;
    //! [counts]
    CHECK(sum == 9.f);
    CHECK(work.copies_to_device == 1);
    CHECK(work.bytes_to_device == 12);
    CHECK(work.copies_to_host == 1);
    CHECK(work.bytes_to_host == 4);
    CHECK(work.launches == 2);
    CHECK(work.allocations == 3);
    CHECK(work.bytes_allocated == 28);
    CHECK(work.synchronizations == 2);
    CHECK(work.copies_on_device == 0);
    const gpu::Array<float> copy = y;
    CHECK((gpu::counts() - before).copies_on_device == 1);
}

TEST_CASE("the host backend counts barriers and atomics") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) {
        std::puts("SKIP: barriers and atomics are counted: this is a GPU, the host backend counts them");
        return;
    }
    gpu::RawKernel<void(int*)> kernel(R"(
__global__ void kernel(int* total) {
    __shared__ int one;
    if (threadIdx.x == 0) one = 1;
    __syncthreads();
    __syncthreads();
    if (threadIdx.x < 10) atomicAdd(total, one);
})", "kernel");
    auto total = gpu::zeros<int>({});
    const auto before = gpu::counts();
    kernel({.grid = 7, .block = 64}, total);
    gpu::synchronize();
    const auto work = gpu::counts() - before;
    CHECK(total.item() == 70);
    CHECK(work.barriers == 14);
    CHECK(work.atomics == 70);
}

using support::contains;

namespace {

using FloatArray = gpu::Array<float>;
using Floats = std::vector<float>;

Floats values_of(const FloatArray& array) {
    Floats values(static_cast<std::size_t>(array.size()));
    array.copy_to(values);
    return values;
}

// What a call throws; empty if it doesn't.
template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const gpu::Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a captured sequence is replayed with what its arrays hold by then") {
    //! [graph]
    FloatArray x = gpu::to_device<float>({1, 2, 3}), y = gpu::zeros<float>({3});
    gpu::GraphCapture capture;
    y = x * 2.F;
    y += 1.F;
    const gpu::Graph graph = capture.end();  // nothing has run so far

    graph.replay();
    CHECK(values_of(y) == Floats{3, 5, 7});
    x.copy_from(Floats{10, 20, 30});
    graph.replay();
    CHECK(values_of(y) == Floats{21, 41, 61});
    //! [graph]
}

TEST_CASE("nothing runs while it is captured, and each replay runs once") {
    FloatArray count = gpu::zeros<float>({4});
    gpu::synchronize();
    gpu::GraphCapture capture;
    count += 1.F;
    const gpu::Graph graph = capture.end();
    CHECK(values_of(count) == Floats{0, 0, 0, 0});
    for (int k = 0; k < 5; ++k) graph.replay();
    CHECK(values_of(count) == Floats{5, 5, 5, 5});
}

TEST_CASE("arrays made in a capture, and arrays that are gone since, live as long as the graph") {
    gpu::Graph graph;
    FloatArray result = gpu::zeros<float>({1000});
    {
        const FloatArray x = gpu::ones<float>({1000});
        gpu::GraphCapture capture;
        const FloatArray twice = x * 2.F;         // made, used and gone within the capture
        const FloatArray squares = twice * twice;
        result = squares + gpu::sum(x);
        graph = capture.end();
    }
    for (int k = 0; k < 3; ++k) {  // what would be reused if it were free
        const FloatArray other = gpu::full<float>({1000}, -7.F);
        graph.replay();
        CHECK(values_of(result) == Floats(1000, 1004.F));
    }
}

TEST_CASE("all kinds of kernels and copies on the device are captured") {
    const int n = 100003;
    const gpu::ElementwiseKernel fma("T x, T y", "T z", "z = x * y + 1", "graph_fma");
    const gpu::ReductionKernel squares("T x", "T y", "x * x", "a + b", "y = a", "0", "graph_squares");
    const gpu::RawKernel<void(float*, int)> add_one(
        "__global__ void add_one(float* z, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) z[i] += 1;\n}\n",
        "add_one");
    FloatArray x = gpu::full<float>({n}, 2.F), z = gpu::zeros<float>({n}), copied = gpu::zeros<float>({n});
    FloatArray total = gpu::zeros<float>({}), norm = gpu::zeros<float>({});
    gpu::GraphCapture capture;
    fma(x, x, gpu::out(z));                                            // 5
    add_one({.grid = (n + 255) / 256, .block = 256}, z, n);            // 6
    copied = z.copy();
    gpu::sum(copied, {.out = gpu::out(total)});
    squares(x, gpu::out(norm));
    const gpu::Graph graph = capture.end();
    for (int k = 0; k < 2; ++k) {
        graph.replay();
        CHECK(z(n - 1).item() == 6);
        CHECK(copied(0).item() == 6);
        CHECK(total.item() == 6.F * static_cast<float>(n));
        CHECK(norm.item() == 4.F * static_cast<float>(n));
    }
}

TEST_CASE("a graph is replayed in any stream of its device, in that stream's order") {
    FloatArray x = gpu::zeros<float>({1 << 16});
    gpu::GraphCapture capture;
    x += 1.F;
    const gpu::Graph graph = capture.end();
    const gpu::Stream stream;
    graph.replay(stream);
    graph.replay(stream);
    {
        const gpu::StreamGuard guard(stream);
        x *= 10.F;
        graph.replay();
    }
    stream.synchronize();
    CHECK(x(5).item() == 21);
}

TEST_CASE("work in a capture is counted when it is replayed") {
    FloatArray x = gpu::zeros<float>({16});
    x += 1.F;
    const gpu::Counts before = gpu::counts();
    gpu::GraphCapture capture;
    x += 1.F;
    x *= 2.F;
    const gpu::Graph graph = capture.end();
    CHECK((gpu::counts() - before).launches == 0);
    graph.replay();
    graph.replay();
    CHECK((gpu::counts() - before).launches == 4);
    CHECK(x(3).item() == 10);
}

TEST_CASE("an expression of an array that a replay wrote is out of date") {
    FloatArray x = gpu::zeros<float>({16});
    const FloatArray y = gpu::ones<float>({16});
    gpu::GraphCapture capture;
    x += y;
    const gpu::Graph graph = capture.end();
    const auto of_written = x + 1.F;
    const auto of_read = y + 1.F;
    graph.replay();
    CHECK_THROWS_AS((void)of_written.eval(), gpu::ExpressionError);
    CHECK(of_read.eval()(0).item() == 2);
}

TEST_CASE("page-locked memory is copied by a graph, other host memory is refused") {
    FloatArray x = gpu::zeros<float>({3});
    gpu::Pinned<float> from(3), to(3);
    Floats pageable(3);
    gpu::GraphCapture capture;
    (void)x.copy_from_async(from);
    x *= 2.F;
    (void)x.copy_to_async(to);
    CHECK(contains(message_of([&] { (void)x.copy_from_async(pageable); }), "gpu::Pinned"));
    const gpu::Graph graph = capture.end();
    for (int round = 1; round <= 2; ++round) {
        for (int k = 0; k < 3; ++k) from[static_cast<std::size_t>(k)] = static_cast<float>(round * (k + 1));
        graph.replay();
        gpu::synchronize();
        for (int k = 0; k < 3; ++k) CHECK(to[static_cast<std::size_t>(k)] == static_cast<float>(2 * round * (k + 1)));
    }
}

TEST_CASE("what waits can't be captured, and the error names it") {
    const FloatArray one = gpu::ones<float>({}), many = gpu::ones<float>({10});
    Floats host(10);
    gpu::Event event, recorded;
    recorded.record();
    const gpu::Stream stream;
    {
        //! [capture]
        const gpu::GraphCapture capture;
        CHECK_THROWS_WITH_AS((void)one.item(),
                             "item(): not while a gpu::GraphCapture notes what this thread launches: do it before the "
                             "capture, or after a replay",
                             gpu::Error);
        //! [capture]
        CHECK(contains(message_of([] { gpu::synchronize(); }), "synchronize: not while"));
        CHECK(contains(message_of([&] { stream.synchronize(); }), "synchronize: not while"));
        CHECK(contains(message_of([&] { event.record(); }), "Event::record: not while"));
        CHECK(contains(message_of([&] { recorded.synchronize(); }), "Event::synchronize: not while"));
        CHECK(contains(message_of([&] { stream.wait(recorded); }), "wait: not while"));
        CHECK(contains(message_of([&] { many.copy_to(host); }), "copy_to_async"));
        CHECK(contains(message_of([&] { (void)gpu::to_device<float>({1, 2}); }), "copy_from_async"));
        const FloatArray matrix = gpu::ones<float>({2, 2});
        CHECK(contains(message_of([&] { (void)gpu::matmul(matrix, matrix); }), "linear algebra: not while"));
        CHECK(contains(message_of([&] { (void)gpu::linalg::inv(matrix); }), ": not while"));
        CHECK(contains(message_of([] { const gpu::GraphCapture inner; }), "GraphCapture: not while"));
        const gpu::ElementwiseKernel twice("T x", "T y", "y = 2 * x", "graph_twice");
        CHECK(contains(message_of([&] { (void)twice(many, {.stream = stream}); }), "isn't in the graph"));
        const gpu::StreamGuard other(stream);
        CHECK(contains(message_of([&] { (void)FloatArray(many + 1.F); }), "isn't in the graph"));
    }
    CHECK(one.item() == 1);  // and all is as before
    gpu::synchronize();
}

TEST_CASE("graphs that are empty or were moved from, and captures that have ended, say so") {
    const gpu::Graph empty;
    CHECK_FALSE(empty);
    CHECK(contains(message_of([&] { empty.replay(); }), "Graph::replay: the graph is empty"));

    FloatArray x = gpu::zeros<float>({2});
    gpu::GraphCapture capture;
    x += 1.F;
    gpu::Graph graph = capture.end();
    CHECK(contains(message_of([&] { (void)capture.end(); }), "has ended already"));
    const gpu::Graph moved = std::move(graph);
    CHECK(contains(message_of([&] { graph.replay(); }), "was moved from"));  // NOLINT(bugprone-use-after-move)
    const gpu::Graph copied = moved;
    copied.replay();
    moved.replay();
    CHECK(values_of(x) == Floats{2, 2});

    gpu::GraphCapture outer;
    CHECK(contains(message_of([&] { moved.replay(); }), "Graph::replay: not while"));
    const gpu::Graph nothing = outer.end();  // no work is a graph, too
    nothing.replay();
    CHECK(values_of(x) == Floats{2, 2});
}

TEST_CASE("a capture that isn't ended leaves nothing behind") {
    FloatArray x = gpu::zeros<float>({2});
    try {
        const gpu::GraphCapture capture;
        x += 1.F;
        throw 1;
    } catch (int) {
    }
    x += 2.F;
    CHECK(values_of(x) == Floats{2, 2});
}

TEST_CASE("a kernel that is new in a capture is compiled there") {
    const gpu::ElementwiseKernel fresh("T x", "T y", "y = x * 12345", "graph_fresh");
    const FloatArray x = gpu::ones<float>({2});
    FloatArray y = gpu::zeros<float>({2});
    gpu::GraphCapture capture;
    fresh(x, gpu::out(y));
    const gpu::Graph graph = capture.end();
    graph.replay();
    CHECK(values_of(y) == Floats{12345, 12345});
}

TEST_CASE("sizes 0 and 1, and a hundred launches, in one graph") {
    FloatArray none = gpu::zeros<float>({0}), one = gpu::zeros<float>({1});
    gpu::GraphCapture capture;
    for (int k = 0; k < 100; ++k) {
        none += 1.F;
        one += 1.F;
    }
    const gpu::Graph graph = capture.end();
    graph.replay();
    CHECK(one.item() == 100);
    graph.replay();
    CHECK(one.item() == 200);
}

TEST_CASE("two threads capture at the same time, and a third one works on") {
    FloatArray a = gpu::zeros<float>({64}), b = gpu::zeros<float>({64}), c = gpu::zeros<float>({64});
    gpu::synchronize();
    gpu::Graph first, second;
    const auto captured = [](FloatArray& array, gpu::Graph& graph) {
        gpu::GraphCapture capture;
        for (int k = 0; k < 20; ++k) array += 1.F;
        graph = capture.end();
    };
    std::thread one([&] { captured(a, first); }), two([&] { captured(b, second); });
    for (int k = 0; k < 20; ++k) c += 1.F;
    one.join();
    two.join();
    CHECK(values_of(c) == Floats(64, 20.F));
    CHECK(values_of(a) == Floats(64, 0.F));
    first.replay();
    second.replay();
    CHECK(values_of(a) == Floats(64, 20.F));
    CHECK(values_of(b) == Floats(64, 20.F));
}

// Several devices: which one is current, whose streams are whose, and what doesn't mix.

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
