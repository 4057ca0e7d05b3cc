// SPDX-License-Identifier: MIT
#include <array>
#include <atomic>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "gate.hpp"
#include "support/child_process.hpp"

TEST_CASE("guard words tell of a kernel that wrote beyond its array") {
    if (gpu::Device::current().kind() != gpu::BackendKind::cuda || std::getenv("LIBGPU_GUARD") == nullptr) {
        std::puts(
            "SKIP: guard words: they are for a GPU under LIBGPU_GUARD=1; on the host a guard page stops the kernel");
        CHECK(gpu::damaged_arrays().empty());
        return;
    }
    gpu::RawKernel<void(float*, int)> write_at("__global__ void write_at(float* x, int i) { x[i] = 1; }", "write_at");
    auto x = gpu::zeros<float>({3});
    write_at({.grid = 1, .block = 1}, x, 2);
    CHECK(gpu::damaged_arrays().empty());
    write_at({.grid = 1, .block = 1}, x, 3);
    //! [damaged_arrays]
    const std::string damage = gpu::damaged_arrays();
    //! [damaged_arrays]
    CHECK(damage == "a kernel wrote past the end of an array of 12 bytes: it changed 4 bytes past it; is there a guard "
                    "such as if (i < n)?\n");
}

// The memory of devices, the page-locked memory, their limits, and what is left when there is none.
namespace {

/// Takes the limit away at the end of the scope.
class LimitGuard {
public:
    explicit LimitGuard(std::size_t bytes) { gpu::memory_pool().set_limit(bytes); }
    ~LimitGuard() { gpu::memory_pool().set_limit(0); }
    LimitGuard(const LimitGuard&) = delete;
    LimitGuard& operator=(const LimitGuard&) = delete;
};

}  // namespace

TEST_CASE("the pool tells what arrays use, what it holds and what was most") {
    gpu::synchronize();
    const std::size_t before = gpu::memory_pool().used_bytes();
    //! [memory_pool]
    gpu::MemoryPool pool = gpu::memory_pool();  // of the current device
    pool.reset_peak();
    {
        auto x = gpu::zeros<float>({1000, 1000});  // 4 million bytes
        auto y = gpu::zeros<float>({1000});        // and 4 thousand
    }
    const std::size_t peak = pool.peak_bytes();  // both together
    const std::size_t used = pool.used_bytes();  // none of them any more
    pool.trim();                                 // what the pool kept goes back to the system
    //! [memory_pool]
    CHECK(peak == before + 4'004'000);
    CHECK(used == before);
    CHECK(pool.held_bytes() >= used);
    CHECK(pool.device() == gpu::Device::current());
    auto x = gpu::zeros<float>({1000, 1000});
    CHECK(pool.used_bytes() == before + 4'000'000);
    CHECK(pool.held_bytes() >= pool.used_bytes());
    const auto copy = x;
    CHECK(pool.used_bytes() == before + 8'000'000);
    const auto moved = std::move(x);
    CHECK(pool.used_bytes() == before + 8'000'000);
    const gpu::MemoryUse use = pool.use();
    CHECK(use.used == pool.used_bytes());
    CHECK(use.total > 0);
    CHECK(use.free <= use.total);
    CHECK(use.limit == 0);
    pool.reset_peak();
    CHECK(pool.peak_bytes() == pool.used_bytes());
}

TEST_CASE("trim gives memory back that the pool kept, and not what is in use") {
    gpu::MemoryPool pool = gpu::memory_pool();
    auto kept = gpu::full<int>({1000}, 5);
    std::optional<gpu::Array<int>> large = gpu::full<int>({16 << 20}, 1);
    const std::size_t with_it = pool.held_bytes();
    large.reset();
    pool.trim();
    CHECK(pool.held_bytes() + (32u << 20) < with_it);
    CHECK(gpu::to_host(kept) == std::vector<int>(1000, 5));
}

TEST_CASE("beyond the limit is out of memory that shows its numbers, and everything goes on working") {
    const gpu::Array<int> x = gpu::arange<int>(1000);
    gpu::synchronize();
    const std::size_t before = gpu::memory_pool().used_bytes();
    const LimitGuard no_limit_afterwards(0);
    //! [out_of_memory]
    gpu::memory_pool().set_limit(before + 1'000'000);
    std::string message;
    try {
        auto much = gpu::zeros<float>({1'000'000});
    } catch (const gpu::OutOfMemory& error) {
        message = error.what();  // also error.requested(), used(), held(), free(), total(), limit()
    }
    auto less = gpu::zeros<float>({200'000});  // everything goes on working
    gpu::memory_pool().set_limit(0);           // no limit
    //! [out_of_memory]
    const std::string where = gpu::Device::current().to_string();
    CHECK(message.find("out of memory on " + where + ": 4000000 bytes requested; arrays use " + std::to_string(before) +
                       ", libgpu holds ") == 0);
    CHECK(message.find("are free; arrays may use " + std::to_string(before + 1'000'000) +
                       " (gpu::memory_pool().set_limit() or LIBGPU_MEMORY_LIMIT)") != std::string::npos);
    CHECK(gpu::sum(x).item() == 499'500);
    CHECK(gpu::to_host(less).size() == 200'000);
}

TEST_CASE("the numbers of an OutOfMemory are right") {
    gpu::synchronize();
    const std::size_t before = gpu::memory_pool().used_bytes();
    const LimitGuard limit(before + 1000);
    CHECK(gpu::memory_pool().limit() == before + 1000);
    for (int round = 0; round < 3; ++round) {
        try {
            (void)gpu::empty<double>({126});
            FAIL("more than the limit was allocated");
        } catch (const gpu::OutOfMemory& error) {
            CHECK(error.requested() == 1008);
            CHECK(error.used() == before);
            CHECK(error.limit() == before + 1000);
            CHECK(error.held() >= error.used());
            CHECK(error.total() >= error.free());
        }
        CHECK(gpu::empty<double>({125}).size() == 125);  // just the limit
        CHECK(gpu::memory_pool().used_bytes() == before);
    }
    // An expression that needs a new array fails whole; its inputs and targets stay as they were.
    gpu::memory_pool().set_limit(0);
    auto x = gpu::arange<int>(1000), y = gpu::full<int>({2}, 7);
    gpu::memory_pool().set_limit(gpu::memory_pool().used_bytes());
    CHECK_THROWS_AS(y = x + 1, gpu::OutOfMemory);
    CHECK(gpu::to_host(y) == std::vector<int>{7, 7});
    x = x + 1;  // needs none
    gpu::memory_pool().set_limit(0);
    CHECK(gpu::sum(x).item() == 500'500);
}

TEST_CASE("each device has its own figures and its own limit") {
    if (!two_devices("each device has its own memory figures")) return;
    gpu::MemoryPool first = gpu::memory_pool(gpu::Device(0)), second = gpu::memory_pool(gpu::Device(1));
    gpu::synchronize();
    const std::size_t in_first = first.used_bytes(), in_second = second.used_bytes();
    const gpu::DeviceGuard guard(gpu::Device(1));
    const LimitGuard limit(in_second + 4000);
    const auto x = gpu::zeros<int>({1000});
    CHECK(second.used_bytes() == in_second + 4000);
    CHECK(first.used_bytes() == in_first);
    CHECK_THROWS_AS((void)gpu::zeros<int>({1}), gpu::OutOfMemory);
    const gpu::DeviceGuard back(gpu::Device(0));
    CHECK(gpu::memory_pool().limit() == 0);
    const auto y = gpu::zeros<int>({1000});
    CHECK(first.used_bytes() == in_first + 4000);
    CHECK_THROWS_AS((void)y.to(gpu::Device(1)), gpu::OutOfMemory);
}

TEST_CASE("child: a limit from the environment" * doctest::skip()) {
    const std::size_t total = gpu::Device::current().properties().total_memory;
    CHECK(gpu::memory_pool().limit() >= total / 2 - 1);
    CHECK(gpu::memory_pool().limit() <= total / 2 + 1);
    CHECK_THROWS_AS((void)gpu::empty<std::uint8_t>({total / 2 + 2}), gpu::OutOfMemory);
    CHECK(gpu::zeros<int>({1000}).size() == 1000);
}

TEST_CASE("child: a limit that makes no sense" * doctest::skip()) {
    try {
        (void)gpu::zeros<int>({1});
    } catch (const gpu::Error& error) {
        std::puts(error.what());
    }
}

TEST_CASE("LIBGPU_MEMORY_LIMIT sets the limit, or says what it may be") {
    const ChildResult good = run_test_case("child: a limit from the environment", {{"LIBGPU_MEMORY_LIMIT", "50%"}});
    CHECK_MESSAGE(good.exit_code == 0, good.output);
    CHECK(good.output.find("1 passed") != std::string::npos);
    const ChildResult bad = run_test_case("child: a limit that makes no sense", {{"LIBGPU_MEMORY_LIMIT", "lots"}});
    CHECK_MESSAGE(bad.output.find("LIBGPU_MEMORY_LIMIT is \"lots\"; it must be a number of bytes such as 1000000, 512M "
                                  "or 8G, or a part of the device's memory such as 50%") != std::string::npos,
                  bad.output);
}

TEST_CASE("page-locked memory is counted, limited, kept and given back") {
    gpu::PinnedPool before = gpu::pinned_pool();
    before.trim();
    const std::size_t used = before.used_bytes(), held = before.held_bytes();
    //! [pinned_pool]
    gpu::PinnedPool pool = gpu::pinned_pool();
    pool.reset_peak();
    { gpu::Pinned<float> buffer(1000); }
    const std::size_t kept = pool.held_bytes();  // the next one of this size costs nothing
    pool.trim();                                 // now it has gone back to the system
    //! [pinned_pool]
    CHECK(pool.peak_bytes() == used + 4000);
    CHECK(pool.used_bytes() == used);
    CHECK(kept >= held + 4000);
    CHECK(pool.held_bytes() == held);
    pool.set_limit(used + 100);
    CHECK(pool.limit() == used + 100);
    CHECK_THROWS_WITH_AS((void)gpu::Pinned<std::int8_t>::uninitialized(101),
                         ("out of memory on the host (page-locked memory, gpu::pinned_pool()): 101 bytes requested; "
                          "the limit is " +
                          std::to_string(used + 100))
                             .c_str(),
                         gpu::OutOfMemory);
    CHECK(gpu::Pinned<std::int8_t>(100).size() == 100);
    pool.set_limit(0);
    CHECK_THROWS_AS((void)gpu::Pinned<double>::uninitialized(std::size_t{1} << 58), gpu::OutOfMemory);
    CHECK(pool.used_bytes() == used);
}

TEST_CASE("a buffer that a stream still works on isn't given to another stream") {
    gpu::Stream first, second;
    const gpu::Array<int> zeros = gpu::zeros<int>({100'000});
    for (int round = 0; round < 20; ++round) {
        {
            const gpu::StreamGuard guard(first);
            gpu::Array<int> doomed = zeros + 1;
            for (int k = 0; k < 5; ++k) doomed = doomed * 2;  // still running when it is freed
        }
        const gpu::StreamGuard guard(second);
        const gpu::Array<int> reused = zeros + round;
        first.synchronize();
        CHECK(gpu::sum(reused).item() == 100'000 * round);
    }
}

// Streams, caches and pools, used by several threads at once: wrong values here, data races under ThreadSanitizer.
namespace {

constexpr int threads = 4;

template <class F>
void in_threads(F&& work) {
    std::vector<std::thread> started;
    for (int t = 0; t < threads; ++t) started.emplace_back([t, &work] { work(t); });
    for (std::thread& thread : started) thread.join();
}

}  // namespace

TEST_CASE("threads compile, launch, copy, allocate and free at once, each in a stream of its own") {
    std::atomic<int> good{0};
    in_threads([&](int t) {
        const gpu::DeviceGuard device(gpu::Device(t % gpu::Device::count()));
        gpu::Stream stream;
        const gpu::StreamGuard guard(stream);
        for (int round = 0; round < 10; ++round) {
            const gpu::Pinned<int> in(std::span<const int>(std::vector<int>(1000, t)));
            auto [x, sent] = gpu::to_device_async(in);
            gpu::Array<int> y = x * 2 + round;
            auto [out, came] = gpu::to_host_async(y);
            x = y + y;
            came.synchronize();
            good += out[999] == 2 * t + round && gpu::sum(x).item() == 1000 * 2 * (2 * t + round);
        }
    });
    CHECK(good == threads * 10);
}

TEST_CASE("threads use one array, one kernel and one stream") {
    gpu::RawKernel<void(int*)> add("__global__ void add_one(int* x) { atomicAdd(x, 1); }", "add_one");
    gpu::ElementwiseKernel triple("T x", "T y", "y = 3 * x", "triple");
    auto total = gpu::zeros<int>({});
    const auto x = gpu::ones<int>({1000});
    gpu::Stream shared;
    std::atomic<int> good{0};
    in_threads([&](int) {
        for (int round = 0; round < 25; ++round) {
            add({.grid = 2, .block = 32, .stream = shared}, total);
            const gpu::StreamGuard guard(shared);
            gpu::Event event;
            const gpu::Array<int> y = triple(x);
            event.record();
            shared.wait(event);
            good += gpu::sum(y).item() == 3000;
        }
    });
    shared.synchronize();
    CHECK(good == threads * 25);
    CHECK(total.item() == threads * 25 * 64);
}

TEST_CASE("threads ask pools and logs while others use them") {
    std::atomic<bool> over{false};
    std::atomic<std::size_t> asked{0};
    std::thread observer([&] {
        do {  // at least once, however late this thread begins
            const gpu::LaunchLog log({.times = asked % 2 == 0});
            asked += 1 + (gpu::memory_pool().held_bytes() + gpu::pinned_pool().held_bytes()) * 0;
            gpu::memory_pool().reset_peak();
            (void)gpu::memory_pool().use();
            (void)log.entries();
            if (asked % 5 == 0) {
                gpu::memory_pool().trim();
                gpu::pinned_pool().trim();
            }
        } while (!over);
    });
    std::atomic<int> good{0};
    in_threads([&](int t) {
        for (int round = 0; round < 15; ++round) {
            const gpu::Array<int> x = gpu::full<int>({5000}, t) + round;
            auto [host, came] = gpu::to_host_async(x);
            came.synchronize();
            good += host[4999] == t + round;
        }
    });
    over = true;
    observer.join();
    CHECK(good == threads * 15);
    CHECK(asked > 0);
}

TEST_CASE("out of memory in several threads at once leaves nothing behind") {
    gpu::synchronize();
    const std::size_t before = gpu::memory_pool().used_bytes();
    gpu::memory_pool().set_limit(before + 100'000);
    std::atomic<int> refused{0}, made{0};
    in_threads([&](int) {
        for (int round = 0; round < 50; ++round) {
            try {
                const auto x = gpu::empty<std::uint8_t>({60'000});
                ++made;
                std::this_thread::yield();
            } catch (const gpu::OutOfMemory&) {
                ++refused;
            }
        }
    });
    gpu::memory_pool().set_limit(0);
    CHECK(made + refused == threads * 50);
    CHECK(made > 0);
    CHECK(gpu::memory_pool().used_bytes() == before);
}

// Host memory in and out: lists, vectors, spans, arrays, bits.
namespace {

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("lists, nested up to three axes") {
    //! [lists]
    auto v = gpu::to_device({1.f, 2.f, 3.f});           // (3,)
    auto m = gpu::to_device({{1, 2, 3}, {4, 5, 6}});    // (2,3)
    auto c = gpu::to_device({{{1., 2.}}, {{3., 4.}}});  // (2,1,2)
    m(0).copy_from({7, 8, 9});
    //! [lists]
    CHECK(v.shape() == gpu::Shape{3});
    CHECK(m.shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(m) == Ints{7, 8, 9, 4, 5, 6});
    CHECK(c.shape() == gpu::Shape{2, 1, 2});
    CHECK(gpu::to_host(c) == std::vector<double>{1, 2, 3, 4});
    CHECK(gpu::to_device<float>({}).shape() == gpu::Shape{0});
    CHECK(gpu::to_host(gpu::to_device({{true, false}, {false, true}})) == std::vector<std::uint8_t>{1, 0, 0, 1});
    CHECK_THROWS_WITH_AS((void)gpu::to_device({{1, 2}, {3}}),
                         "to_device: a list's rows have 2 and 1 elements; they must be of one length", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::to_device({{{1}, {2}}, {{3}}}), gpu::ShapeError);
}

TEST_CASE("vectors, spans, std::array and C arrays") {
    std::vector<int> vector{1, 2, 3, 4};
    const std::array<int, 4> fixed{1, 2, 3, 4};
    const int plain[] = {1, 2, 3, 4};
    CHECK(gpu::to_host(gpu::to_device(vector)) == vector);
    CHECK(gpu::to_host(gpu::to_device(fixed)) == vector);
    CHECK(gpu::to_host(gpu::to_device(plain)) == vector);
    CHECK(gpu::to_host(gpu::to_device(std::span(vector).subspan(1, 2))) == Ints{2, 3});
    CHECK(gpu::to_host(gpu::to_device(std::span<const int>(fixed))) == vector);
    const std::vector<long long> longs{1, -2};
    static_assert(std::is_same_v<decltype(gpu::to_device(longs)), gpu::Array<std::int64_t>>);
    CHECK(gpu::to_host(gpu::to_device(longs)) == std::vector<std::int64_t>{1, -2});

    auto x = gpu::zeros<int>({2, 2});
    x.copy_from(vector);
    std::array<int, 4> out{};
    x.copy_to(out);
    CHECK(out == fixed);
    int out_plain[4] = {};
    x.transpose().copy_to(out_plain);
    CHECK(out_plain[1] == 3);
    x.copy_from({4, 3, 2, 1});
    x.copy_to(std::span(vector));
    CHECK(vector == Ints{4, 3, 2, 1});
    x(gpu::all, 0).copy_from(std::array{9, 8});
    CHECK(gpu::to_host(x) == Ints{9, 3, 8, 1});
    CHECK(gpu::to_host(x + 1) == Ints{10, 4, 9, 2});  // an expression
    CHECK_THROWS_WITH_AS(x.copy_from({1, 2}),
                         "copy_from: the array has shape (2,2), that is 4 elements; the host memory has 2",
                         gpu::ShapeError);
    CHECK_THROWS_AS(x.copy_to(std::span(out).subspan(1)), gpu::ShapeError);
}

TEST_CASE("data with a shape") {
    //! [shape]
    const std::vector<int> numbers{1, 2, 3, 4, 5, 6};
    auto rows = gpu::to_device({2, 3}, numbers);                                // 1 2 3 / 4 5 6
    auto columns = gpu::to_device({2, 3}, numbers, gpu::Layout::column_major);  // 1 3 5 / 2 4 6
    //! [shape]
    CHECK(gpu::to_host(rows) == numbers);
    CHECK(gpu::to_host(columns) == Ints{1, 3, 5, 2, 4, 6});
    CHECK(columns.strides() == gpu::Strides{1, 2});
    CHECK(gpu::to_host(gpu::to_device({2, 1}, {7.f, 8.f})) == std::vector<float>{7, 8});
    CHECK(gpu::to_device(gpu::Shape{}, {7.f}).item() == 7);
    CHECK_THROWS_WITH_AS((void)gpu::to_device({2, 2}, numbers),
                         "to_device: the array has shape (2,2), that is 4 elements; the host memory has 6",
                         gpu::ShapeError);
}

TEST_CASE("std::vector<bool> is packed, arrays of bool aren't") {
    //! [bits]
    std::vector<bool> bits{true, false, true};
    gpu::Array<bool> x = gpu::to_device(bits);
    x = !x;
    x.copy_to(bits);  // false true false
    //! [bits]
    CHECK(bits == std::vector<bool>{false, true, false});
    x.copy_from(std::vector<bool>{true, true, false});
    CHECK(gpu::to_host(x) == std::vector<std::uint8_t>{1, 1, 0});
    std::array<bool, 3> plain{};
    x(gpu::slice(gpu::none, gpu::none, -1)).copy_to(plain);
    CHECK(plain == std::array{false, true, true});
    std::vector<bool> four(4);
    CHECK_THROWS_AS(x.copy_to(four), gpu::ShapeError);
}

TEST_CASE("std::complex comes and goes") {
    const std::vector<std::complex<float>> numbers{{1, 2}, {3, -4}};
    auto x = gpu::to_device(numbers);
    static_assert(std::is_same_v<decltype(x), gpu::Array<gpu::complex<float>>>);
    std::vector<std::complex<float>> back(2);
    x.copy_to(back);
    CHECK(back == numbers);
    back[0] = {5, 6};
    x.copy_from(back);
    CHECK(gpu::to_host(x)[0] == gpu::complex<float>(5, 6));
}
