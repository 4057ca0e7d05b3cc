// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <thread>
#include <vector>

#include <gpu/gpu.hpp>

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
