// SPDX-License-Identifier: MIT
// Copies that don't wait, page-locked memory, and copies between devices.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

#include "gate.hpp"
#include "two_devices.hpp"

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
