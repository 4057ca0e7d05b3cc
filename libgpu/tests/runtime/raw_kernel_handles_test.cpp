// SPDX-License-Identifier: MIT
#include "launch/raw/raw_kernel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/devices/registry.hpp"

using namespace gpu::detail;

namespace {

struct NamedKernel final : LoadedKernel {
    [[nodiscard]] const std::string& name() const noexcept override { return text; }
    std::string text = "kernel";
};

/// Counts how often it is loaded.
class CountingKernel final : public RawKernelCore {
public:
    CountingKernel() : RawKernelCore({"__global__ void k(int n) {}", "k.cu", 1}, "k", nullptr) {}

    [[nodiscard]] RawText text(const RawSignature& /*signature*/) const override { return {}; }
    std::atomic<int> loads{0};

protected:
    [[nodiscard]] std::shared_ptr<LoadedKernel> load(gpu::Device /*device*/, Backend& /*backend*/,
                                                     const RawSignature& /*signature*/) override {
        ++loads;
        return std::make_shared<NamedKernel>();
    }
};

}  // namespace

TEST_CASE("a raw kernel is loaded once for each device, mode and signature") {
    Backend& host = backend(gpu::BackendKind::host);
    const gpu::Device first = make_device(gpu::BackendKind::host, 0);
    CountingKernel kernel;
    const LoadedKernel& loaded = kernel.loaded(first, host, kernel.signature());
    for (int k = 0; k < 3; ++k) CHECK(&kernel.loaded(first, host, kernel.signature()) == &loaded);
    CHECK(kernel.loads == 1);

    const RawSignature other;
    CHECK(&kernel.loaded(first, host, other) != &loaded);
    CHECK(kernel.loads == 2);

    REQUIRE(host.checker() != nullptr);
    host.checker()->begin({});
    CHECK(&kernel.loaded(first, host, kernel.signature()) != &loaded);
    CHECK(kernel.loads == 3);
    (void)host.checker()->finish();
    CHECK(&kernel.loaded(first, host, kernel.signature()) == &loaded);
    CHECK(&kernel.loaded(first, host, other) != &loaded);
    CHECK(kernel.loads == 3);

    if (host.device_count() < 2) return;
    const gpu::Device second = make_device(gpu::BackendKind::host, 1);
    CHECK(&kernel.loaded(second, host, kernel.signature()) != &loaded);
    CHECK(&kernel.loaded(first, host, kernel.signature()) == &loaded);
    CHECK(kernel.loads == 4);
}

TEST_CASE("threads that launch a raw kernel at once all get a loaded one, and then the same") {
    Backend& host = backend(gpu::BackendKind::host);
    const gpu::Device device = make_device(gpu::BackendKind::host, 0);
    for (int round = 0; round < 20; ++round) {
        CountingKernel kernel;
        std::atomic<int> right{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 8; ++t) {
            threads.emplace_back([&] {
                for (int k = 0; k < 100; ++k)
                    if (kernel.loaded(device, host, kernel.signature()).name() == "kernel") ++right;
            });
        }
        for (std::thread& thread : threads) thread.join();
        CHECK(right == 800);
        CHECK(kernel.loads >= 1);
        CHECK(kernel.loads <= 8);
        const int loads = kernel.loads;
        (void)kernel.loaded(device, host, kernel.signature());
        CHECK(kernel.loads == loads);
    }
}
