// SPDX-License-Identifier: MIT
// The memory pools, page-locked memory, and benchmark().
#include "support.hpp"

#include <numeric>

TEST_CASE("memory: what the pools hold") {
    // mempool = cp.get_default_memory_pool();  pinned_mempool = cp.get_default_pinned_memory_pool()
    gpu::MemoryPool mempool = gpu::memory_pool();
    gpu::PinnedPool pinned_mempool = gpu::pinned_pool();
    mempool.trim();
    pinned_mempool.trim();
    const std::size_t before = mempool.used_bytes();
    // a_cpu = np.ndarray(100, dtype=np.float32);  a_cpu.nbytes  is 400;  mempool.used_bytes()  is 0
    std::vector<float> a_cpu(100);
    CHECK(mempool.used_bytes() == before);
    // a = cp.array(a_cpu);  a.nbytes  is 400;  mempool.used_bytes()  is 512
    {
        const gpu::Array<float> a = gpu::to_device(a_cpu);
        CHECK(a.size() * sizeof(float) == 400);
        CHECK(mempool.used_bytes() >= before + 400);
        CHECK(mempool.used_bytes() <= before + 512);
        CHECK(mempool.held_bytes() >= mempool.used_bytes());
    }
    // a = None;  mempool.used_bytes()  is 0, total_bytes() is still 512
    CHECK(mempool.used_bytes() == before);
    // mempool.free_all_blocks();  pinned_mempool.free_all_blocks()
    mempool.trim();
    pinned_mempool.trim();
    CHECK(mempool.used_bytes() == before);
    CHECK(pinned_mempool.held_bytes() == pinned_mempool.used_bytes());
}

TEST_CASE("memory: a limit") {
    // mempool.set_limit(size=1024**3);  with cp.cuda.Device(0): mempool.set_limit(...)
    gpu::MemoryPool mempool = gpu::memory_pool();
    const std::size_t old = mempool.limit();
    mempool.set_limit(mempool.used_bytes() + 1000000);
    CHECK_THROWS_AS((void)gpu::empty<float>({1000000}), gpu::OutOfMemory);
    CHECK(gpu::empty<float>({1000}).size() == 1000);
    mempool.set_limit(old);
    CHECK(gpu::empty<float>({1000000}).size() == 1000000);
}

TEST_CASE("memory: page-locked memory and copies that nobody waits for") {
    // x = cupyx.empty_pinned(1000, dtype=np.float32);  x[:] = ...;  d = cp.asarray(x)  on a stream
    gpu::Pinned<float> x(1000);
    std::iota(x.begin(), x.end(), 0.f);
    gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    auto [d, sent] = gpu::to_device_async(x);
    const gpu::Array<float> twice = 2 * d;
    // y = cp.asnumpy(d, stream=stream, blocking=False);  stream.synchronize()
    auto [y, come] = gpu::to_host_async(twice);
    come.synchronize();
    CHECK(sent.done());
    bool right = true;
    for (std::size_t k = 0; k < y.size(); ++k) right = right && y[k] == 2 * static_cast<float>(k);
    CHECK(right);
}

TEST_CASE("memory: benchmark") {
    // def my_func(a): return cp.sqrt(cp.sum(a**2, axis=-1))
    const auto my_func = [](const gpu::Array<float>& a) {
        return gpu::Array<float>(gpu::sqrt(gpu::sum(gpu::pow(a, 2), {.axis = -1})));
    };
    // a = cp.random.random((256, 1024));  print(benchmark(my_func, (a,), n_repeat=20))
    gpu::random::Generator rng(1);
    const gpu::Array<float> a = rng.uniform<float>({256, 64});
    const gpu::Benchmark times = gpu::benchmark([&] { (void)my_func(a); }, {.repeat = 20});
    CHECK(times.host.samples_us.size() == 20);
    CHECK(times.host.min_us <= times.host.median_us);
    CHECK(times.to_string().find("medians of 20") != std::string::npos);
}
