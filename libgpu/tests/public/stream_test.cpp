// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "gate.hpp"
#include "support/forked_child.hpp"
#include "support/messages.hpp"

// Work that runs while the host goes on: streams, events, and what the rest of the interface makes of them.
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

// Copies that don't wait, page-locked memory, and copies between devices.
namespace {

template <class T>
std::vector<T> numbered(std::size_t n) {
    std::vector<T> values(n);
    for (std::size_t k = 0; k < n; ++k) values[k] = static_cast<T>(k * 7 % 1009);
    return values;
}

template <class T>
std::vector<T> to_vector(const gpu::Pinned<T>& host) {
    return {host.begin(), host.end()};
}

}  // namespace

TEST_CASE("page-locked memory is used like a vector") {
    //! [pinned]
    gpu::Pinned<float> h(4);  // zeros
    h[0] = 1.f;
    for (float& value : h) value += 1.f;
    gpu::Array<float> d = gpu::to_device(h);
    d.copy_to(h);
    //! [pinned]
    CHECK(to_vector(h) == std::vector<float>{2, 1, 1, 1});
    gpu::Pinned<float> moved = std::move(h);
    CHECK(h.size() == 0);
    CHECK(moved.size() == 4);
    moved = gpu::Pinned<float>{5.f, 6.f};
    CHECK(to_vector(moved) == std::vector<float>{5, 6});
    const std::vector<double> values{1, 2, 3};
    CHECK(to_vector(gpu::Pinned<double>(std::span<const double>(values))) == values);
    CHECK(gpu::Pinned<int>(0).size() == 0);
}

TEST_CASE("asynchronous copies arrive when their event is reached") {
    //! [async]
    gpu::Pinned<float> in{1.f, 2.f, 3.f}, out(3);
    gpu::Array<float> x = gpu::empty<float>({3});
    gpu::Event sent = x.copy_from_async(in);  // returns at once
    x = x * 2.f;                              // behind the copy: same stream
    gpu::Event came = x.copy_to_async(out);
    // ... do something useful here ...
    came.synchronize();  // now out can be read
    sent.synchronize();  // now in could be changed
    //! [async]
    CHECK(to_vector(out) == std::vector<float>{2, 4, 6});
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1009}, std::size_t{1500000}}) {
        CAPTURE(n);
        const auto values = numbered<int>(n);
        const gpu::Pinned<int> from{std::span<const int>(values)};
        gpu::Array<int> array = gpu::empty<int>({n});
        gpu::Pinned<int> to(n);
        array.copy_from_async(from);
        array.copy_to_async(to).synchronize();
        CHECK(to_vector(to) == values);
        std::vector<int> pageable(n);  // is right too, if not as quick
        array.copy_from_async(values).synchronize();
        array.copy_to_async(pageable).synchronize();
        CHECK(pageable == values);
    }
    CHECK_THROWS_AS((void)x.copy_from_async(gpu::Pinned<float>(4)), gpu::ShapeError);
    CHECK_THROWS_AS((void)x.copy_to_async(in = gpu::Pinned<float>(2)), gpu::ShapeError);
}

TEST_CASE("new arrays and new page-locked memory, without waiting") {
    const gpu::Pinned<int> values{1, 2, 3};
    //! [to_device_async]
    auto [x, sent] = gpu::to_device_async(values);
    gpu::Array<int> y = x + 1;  // needn't wait for the event: same stream
    sent.synchronize();         // values may change
    //! [to_device_async]
    //! [to_host_async]
    auto [host, came] = gpu::to_host_async(y);
    came.synchronize();
    const int first = host[0];
    //! [to_host_async]
    CHECK(first == 2);
    CHECK(to_vector(host) == std::vector<int>{2, 3, 4});
    CHECK(gpu::to_host(x) == std::vector<int>{1, 2, 3});
    CHECK(x.shape() == gpu::Shape{3});
}

TEST_CASE("windows are copied asynchronously in their own shape") {
    auto x = gpu::zeros<int>({3, 4});
    const gpu::Pinned<int> in{1, 2, 3, 4, 5, 6};
    gpu::Pinned<int> out(6);
    auto window = x(gpu::all, gpu::slice(0, 4, 2));
    window.copy_from_async(in);
    window.copy_to_async(out).synchronize();
    CHECK(to_vector(out) == to_vector(in));
    CHECK(gpu::to_host(x) == std::vector<int>{1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0});
}

TEST_CASE("asynchronous copies of memory that isn't page-locked are counted apart") {
    gpu::Pinned<int> locked(1000);
    std::vector<int> pageable(1000);
    auto x = gpu::zeros<int>({1000});
    const auto before = gpu::counts();
    //! [pageable]
    x.copy_from_async(locked);
    x(gpu::slice(0, 500)).copy_from_async(std::span(locked).subspan(500));
    x.copy_to_async(locked).synchronize();
    const auto direct = gpu::counts() - before;
    x.copy_from_async(pageable).synchronize();  // on a GPU the host waits here already
    x.copy_to_async(pageable).synchronize();
    const auto work = gpu::counts() - before;
    //! [pageable]
    CHECK(direct.pageable_async_copies == 0);
    CHECK(work.pageable_async_copies == 2);
    CHECK(work.copies_to_device == 3);
    x.copy_from(pageable);
    CHECK((gpu::counts() - before).pageable_async_copies == 2);
}

TEST_CASE("an asynchronous copy doesn't wait for what is before it, and comes behind it") {
    Gate gate;
    gpu::Stream stream;
    gpu::Pinned<int> in{7, 8}, out(2);
    auto x = gpu::zeros<int>({2});
    gpu::synchronize();
    const gpu::StreamGuard guard(stream);
    const auto before = gpu::counts();
    gate.close_in(stream);
    gpu::Event sent = x.copy_from_async(in);
    gpu::Event came = x.copy_to_async(out);
    CHECK_FALSE(sent.done());
    CHECK_FALSE(came.done());
    CHECK(out[0] == 0);
    gate.open();
    came.synchronize();
    CHECK(sent.done());
    CHECK(to_vector(out) == std::vector<int>{7, 8});
    const auto work = gpu::counts() - before;
    CHECK(work.copies_to_device == 1);
    CHECK(work.bytes_to_device == 8);
    CHECK(work.copies_to_host == 1);
    CHECK(work.bytes_to_host == 8);
    CHECK(work.synchronizations == 1);
}

TEST_CASE("page-locked memory that is freed while a copy uses it is used again only afterwards") {
    Gate gate;
    gpu::Stream stream;
    auto x = gpu::full<int>({12345}, 3);
    gpu::pinned_pool().trim();
    std::optional<gpu::Pinned<int>> other(12345);  // so that two blocks of this size exist
    int* const first = gpu::Pinned<int>(12345).data();
    gpu::synchronize();
    const gpu::StreamGuard guard(stream);
    gate.close_in(stream);
    {
        auto doomed = gpu::Pinned<int>::uninitialized(12345);
        CHECK(doomed.data() == first);  // nothing used it: at once
        x.copy_to_async(doomed);
    }
    other.reset();  // nothing uses this block
    const auto next = gpu::Pinned<int>::uninitialized(12345);
    CHECK(next.data() != first);
    gate.open();
    stream.synchronize();
    CHECK(gpu::Pinned<int>::uninitialized(12345).data() == first);
}

TEST_CASE("large pageable memory goes both ways whole, from several threads at once") {
    constexpr std::size_t n = (std::size_t{9} << 20) / 4 + 12345;  // more than one piece a thread, and a rest
    std::vector<int> right(2, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
        threads.emplace_back([t, &right] {
            gpu::Stream stream;
            const gpu::StreamGuard guard(stream);
            for (int round = 0; round < 2; ++round) {
                auto values = numbered<int>(n);
                values[n / 2] = 10 * t + round;
                auto x = gpu::to_device(std::span<const int>(values).subspan(1));  // not aligned to a page
                x = x + 1;
                std::vector<int> back(n + 1, -1);
                x.copy_to(std::span<int>(back).subspan(2));
                bool good = back[0] == -1 && back[1] == -1;
                for (std::size_t k = 1; k < n; ++k) good = good && back[k + 1] == values[k] + 1;
                right[static_cast<std::size_t>(t)] += good;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(right == std::vector<int>(2, 2));
}

TEST_CASE("a copy to another device is ordered on both sides, and the host doesn't wait") {
    if (!two_devices("a copy to another device is ordered on both sides")) return;
    const gpu::Device here(0), there(1);
    const gpu::DeviceGuard device_guard(here);
    auto x = gpu::arange<int>(1000);
    auto z = x.to(there);  // connects the devices
    x = x * 0 + x;         // compiled
    z = z + 1;
    Gate gate;
    gpu::Stream stream;
    gpu::synchronize();
    {
        const gpu::StreamGuard guard(stream);
        const auto before = gpu::counts();
        if (here.kind() == gpu::BackendKind::host) gate.close_in(stream);  // a GPU may allocate only while it is open
        const gpu::Array<int> y = x.to(there);                             // waits for the gate, in its stream
        x = x * 0;                                                         // waits for the copy
        CHECK((gpu::counts() - before).synchronizations == 0);
        CHECK((gpu::counts() - before).copies_on_device == 1);
        CHECK((gpu::counts() - before).bytes_on_device == 4000);
        CHECK((gpu::counts() - before).copies_between_devices == 1);
        CHECK((gpu::counts() - before).bytes_between_devices == 4000);
        gpu::Array<int> next = y * 2;  // on the other device, behind the copy
        gate.open();
        CHECK(next.device() == there);
        CHECK(gpu::to_host(y)[999] == 999);
        CHECK(gpu::to_host(next)[999] == 1998);
        CHECK(gpu::to_host(x) == std::vector<int>(1000, 0));
    }
    CHECK(gpu::zeros<int>({2, 3}).to(there).shape() == gpu::Shape{2, 3});
    CHECK(gpu::zeros<int>({0, 3}).to(there).device() == there);
}

TEST_CASE("windows and column-major arrays move to another device, many times and both ways") {
    if (!two_devices("windows move to another device")) return;
    const gpu::Device here(0), there(1);
    const gpu::DeviceGuard guard(here);
    auto x = gpu::Array<int>(gpu::arange<int>(12).reshape({3, 4}));
    const gpu::Array<int> transposed(x.transpose());
    CHECK(gpu::to_host(transposed.to(there)) == gpu::to_host(transposed));
    auto y = x;
    for (int k = 0; k < 20; ++k) {
        y = y.to(there);
        y = y + 1;
        y = y.to(here);
    }
    x = x + 20;
    CHECK(gpu::to_host(y) == gpu::to_host(x));
    (void)here.can_access_peer(there);
    CHECK(here.can_access_peer(here));
}

TEST_CASE("arrays move between a GPU and the host backend") {
    if (gpu::Device::current().kind() == gpu::BackendKind::host) {
        std::puts("SKIP: arrays move between a GPU and the host backend: there is no GPU");
        return;
    }
    const gpu::Array<int> x = gpu::arange<int>(1000) + 1;
    gpu::Array<int> y = x.to(gpu::Device::host(0));
    y = y * 2;
    const gpu::Array<int> z = y.to(gpu::Device::current());
    CHECK(z.device() == gpu::Device::current());
    CHECK(gpu::to_host(z)[999] == 2000);
    CHECK_FALSE(gpu::Device::current().can_access_peer(gpu::Device::host(0)));
}

// What is written lies on what is read: results are as if everything were read first. Two wraps of one memory are two
// arrays to libgpu, so it has to look at addresses.
namespace {

using Ints = std::vector<int>;
constexpr int n = 5000;  // more than the host backend computes at a stroke

Ints counting(int first, int count) {
    Ints values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), first);
    return values;
}

const gpu::ElementwiseKernel& copies() {
    static const gpu::ElementwiseKernel kernel("T x", "T z", "z = x", "copies");
    return kernel;
}

}  // namespace

TEST_CASE("two wraps of one memory may be an elementwise kernel's input and output") {
    auto memory = gpu::arange<int>(n + 1);
    int* const first = memory.data();
    copies()(gpu::wrap(first, {n}), gpu::out(gpu::wrap(first + 1, {n})));
    Ints expected = counting(-1, n + 1);
    expected[0] = 0;
    CHECK(gpu::to_host(memory) == expected);
    auto matrix = gpu::arange<int>(64 * 64).reshape({64, 64});
    const gpu::Array<int> turned = matrix.transpose();
    copies()(gpu::wrap(matrix.data(), {64, 64}, {.layout = gpu::Layout::column_major}),
             gpu::out(gpu::wrap(matrix.data(), {64, 64})));
    CHECK(gpu::to_host(matrix) == gpu::to_host(turned));
}

TEST_CASE("windows on one array may be an elementwise kernel's input and output") {
    auto x = gpu::arange<int>(n + 1);
    copies()(x(gpu::slice(0, -1)), gpu::out(x(gpu::slice(1, gpu::none))));
    Ints expected = counting(-1, n + 1);
    expected[0] = 0;
    CHECK(gpu::to_host(x) == expected);
    auto row = gpu::arange<int>(4);
    const auto before = gpu::counts();
    copies()(row, gpu::out(row));  // in place: nothing is copied
    copies()(row, gpu::out(row.reshape({1, 4})));
    CHECK((gpu::counts() - before).allocations == 0);
    CHECK(gpu::to_host(row) == counting(0, 4));
}

TEST_CASE("columns of one matrix don't overlap: nothing is copied") {
    auto m = gpu::arange<int>(12).reshape({4, 3});
    const auto before = gpu::counts();
    m(gpu::all, 0) = m(gpu::all, 2) * 10;
    copies()(m(gpu::all, 2), gpu::out(m(gpu::all, 1)));
    CHECK((gpu::counts() - before).allocations == 0);
    m(gpu::slice(0, gpu::none, 2)) = m(gpu::slice(1, gpu::none, 2));
    CHECK(gpu::to_host(m) == Ints{50, 5, 5, 50, 5, 5, 110, 11, 11, 110, 11, 11});
}

TEST_CASE("two outputs of an elementwise kernel can't share elements") {
    const gpu::ElementwiseKernel both("T x", "T y, T z", "y = x; z = -x", "both");
    auto x = gpu::arange<int>(4);
    auto y = gpu::zeros<int>({5});
    CHECK_THROWS_WITH_AS((void)both(x, gpu::out(y(gpu::slice(0, 4))), gpu::out(y(gpu::slice(1, 5)))),
                         "kernel both: its outputs 'y' and 'z' share elements: pass two arrays", gpu::Error);
    auto pair = gpu::zeros<int>({4, 2});
    both(x, gpu::out(pair(gpu::all, 0)), gpu::out(pair(gpu::all, 1)));
    CHECK(gpu::to_host(pair) == Ints{0, 0, 1, -1, 2, -2, 3, -3});
}

TEST_CASE("a reduction's output may be another wrap of its input's memory") {
    const gpu::Array<int> ones = gpu::ones<int>({n, 4});
    auto memory = ones.copy();
    // The rows' sums go where the last quarter of the rows is.
    int* const last = memory.data() + 3 * n;
    gpu::sum<int>(gpu::wrap(memory.data(), {n, 4}), {.axis = 1, .out = gpu::out(gpu::wrap(last, {n}))});
    CHECK(gpu::to_host(gpu::wrap(last, {n})) == Ints(n, 4));
    memory = ones;
    const auto rows = gpu::arange<int>(n).reshape({n, 1});
    gpu::max(gpu::wrap(memory.data(), {n, 4}) * rows, {.axis = 1, .out = gpu::out(gpu::wrap(last, {n}))});
    CHECK(gpu::to_host(gpu::wrap(last, {n})) == counting(0, n));
}

TEST_CASE("a scan of one wrap may be assigned to another") {
    auto memory = gpu::ones<int>({n + 1});
    auto target = gpu::wrap(memory.data() + 1, {n});
    target = gpu::cumsum<int>(gpu::wrap(memory.data(), {n}));
    Ints expected = counting(0, n + 1);
    expected[0] = 1;
    CHECK(gpu::to_host(memory) == expected);
}

TEST_CASE("put, add_at and masked values may come from another wrap of the target's memory") {
    auto memory = gpu::arange<int>(n + 1);
    int* const first = memory.data();
    Ints shifted = counting(-1, n + 1);
    shifted[0] = 0;
    const auto index = gpu::arange<int>(n);
    gpu::wrap(first + 1, {n}).put(index, gpu::wrap(first, {n}));
    CHECK(gpu::to_host(memory) == shifted);

    memory = gpu::arange<int>(n + 1);
    gpu::wrap(memory.data() + 1, {n}).add_at(index, gpu::wrap(memory.data(), {n}));
    Ints added = counting(0, n + 1);
    for (int k = n; k > 0; --k) added[static_cast<std::size_t>(k)] += k - 1;
    CHECK(gpu::to_host(memory) == added);

    // The index itself is what is written: turned round, place k gets n - 1 - k.
    memory = gpu::arange<int>(n) * -1 + (n - 1);
    gpu::wrap(memory.data(), {n}).put(gpu::wrap(memory.data(), {n}), gpu::arange<int>(n));
    CHECK(gpu::to_host(memory) == gpu::to_host(gpu::Array<int>(gpu::arange<int>(n) * -1 + (n - 1))));

    memory = gpu::arange<int>(n + 1);
    const auto everywhere = gpu::ones<bool>({n});
    auto target = gpu::wrap(memory.data() + 1, {n});
    target[everywhere] = gpu::wrap(memory.data(), {n});
    CHECK(gpu::to_host(memory) == shifted);
}
