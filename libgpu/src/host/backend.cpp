// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gpu/error.hpp>

#include "backend.hpp"
#include "host/compiler.hpp"
#include "host/fork_guard.hpp"
#include "host/generate.hpp"
#include "host/guarded_memory.hpp"
#include "host/kernel_module.hpp"
#include "host/launch.hpp"
#include "host/thread_pool.hpp"

namespace gpu::detail::host {

namespace {

using Clock = std::chrono::steady_clock;

struct HostStream {};
struct HostEvent {
    Clock::time_point when;
    bool recorded = false;
};

int configured_devices() {
    const char* text = std::getenv("LIBGPU_HOST_DEVICES");
    if (text == nullptr || *text == '\0') return 1;
    char* end = nullptr;
    const long count = std::strtol(text, &end, 10);
    if (*end != '\0' || count < 1 || count > 64)
        throw Error(std::string("LIBGPU_HOST_DEVICES is \"") + text + "\"; it must be a number from 1 to 64");
    return static_cast<int>(count);
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(':');
        if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos && colon + 2 < line.size())
            return line.substr(colon + 2);
    }
    return "CPU";
}

/// The CPU as a device. Streams are names only: every operation is done when its function returns.
class HostBackend final : public Backend {
public:
    HostBackend() : pool_(worker_count()) {
        const int count = configured_devices();
        const std::size_t capacity = memory_capacity();
        for (int k = 0; k < count; ++k)
            memories_.push_back(std::make_unique<GuardedMemory>("host:" + std::to_string(k), capacity));
    }

    BackendKind kind() const noexcept override { return BackendKind::host; }
    int device_count() const override { return static_cast<int>(memories_.size()); }

    DeviceProperties properties(int device) const override {
        check(device);
        return {.name = processor_name() + " (host backend)", .multiprocessors = pool_.workers(), .warp_size = 32,
                .max_threads_per_block = 1024, .max_shared_per_block = std::size_t{48} * 1024,
                .total_memory = memory(device).capacity(), .compute_capability = 0};
    }

    void* allocate(int device, std::size_t bytes, void*) override { return memory(device).allocate(bytes); }
    void deallocate(int device, void* data, std::size_t) noexcept override {
        memories_[static_cast<std::size_t>(device)]->deallocate(data);
    }
    void copy(int device, void* to, const void* from, std::size_t bytes, CopyKind, void*) override {
        check(device);
        if (bytes > 0) std::memmove(to, from, bytes);
    }

    void* create_stream(int device) override {
        check(device);
        return new HostStream;
    }
    void destroy_stream(int, void* stream) noexcept override { delete static_cast<HostStream*>(stream); }
    void synchronize_stream(int device, void*) override { check(device); }
    void synchronize_device(int device) override { check(device); }

    void* create_event(int device) override {
        check(device);
        return new HostEvent;
    }
    void destroy_event(int, void* event) noexcept override { delete static_cast<HostEvent*>(event); }
    void record_event(int device, void* event, void*) override {
        check(device);
        *static_cast<HostEvent*>(event) = {.when = Clock::now(), .recorded = true};
    }
    void synchronize_event(int device, void*) override { check(device); }
    float elapsed_ms(int device, void* start, void* stop) override {
        check(device);
        const auto& first = *static_cast<HostEvent*>(start);
        const auto& last = *static_cast<HostEvent*>(stop);
        if (!first.recorded || !last.recorded) throw Error("elapsed_ms: an event was never recorded");
        return std::chrono::duration<float, std::milli>(last.when - first.when).count();
    }

    KernelSource generate(const ElementwiseText& text) const override { return generate_elementwise(text); }
    KernelSource generate(const ReductionText& text) const override { return generate_reduction(text); }
    KernelSource generate(const RawText& text) const override { return generate_raw(text); }

    std::string compiler_identity(int device) override {
        check(device);
        return compiler().identity();
    }
    Image compile(int device, const KernelSource& source) override {
        check(device);
        return {.bytes = sealed_image(compiler().compile(source)), .entry = source.entry};
    }
    std::shared_ptr<LoadedKernel> load(int device, const Image& image, const KernelSource& source) override {
        check(device);
        return std::make_shared<KernelModule>(image, source.name);
    }

    void launch(int device, LoadedKernel& kernel, const ElementwiseSpace& space,
                const std::vector<Argument>& arguments, void*) override {
        LaunchContext context{pool_, memory(device)};
        launch_elementwise(context, static_cast<KernelModule&>(kernel), space, arguments);
    }
    void launch(int device, LoadedKernel& kernel, const ReductionSpace& space, const std::vector<Argument>& arguments,
                void*) override {
        LaunchContext context{pool_, memory(device)};
        launch_reduction(context, static_cast<KernelModule&>(kernel), space, arguments);
    }
    void launch(int device, LoadedKernel& kernel, const LaunchShape& shape, void* const* arguments, int argument_count,
                void*) override {
        LaunchContext context{pool_, memory(device)};
        launch_raw(context, static_cast<KernelModule&>(kernel), shape, arguments, argument_count);
    }

private:
    void check(int device) const {
        if (device < 0 || device >= device_count())
            throw DeviceError("host:" + std::to_string(device) + " does not exist; the host backend has " +
                              std::to_string(device_count()) +
                              (device_count() == 1 ? " device" : " devices") + " (LIBGPU_HOST_DEVICES sets how many)");
    }
    GuardedMemory& memory(int device) const {
        check(device);
        return *memories_[static_cast<std::size_t>(device)];
    }
    // Looked for again after a failure: somebody may install one.
    const Compiler& compiler() {
        const std::lock_guard lock(compiler_mutex_);
        if (!compiler_) compiler_ = std::make_unique<Compiler>();
        return *compiler_;
    }

    ThreadPool pool_;
    std::vector<std::unique_ptr<GuardedMemory>> memories_;
    ForkSafeMutex compiler_mutex_;
    std::unique_ptr<Compiler> compiler_;
};

}  // namespace

}  // namespace gpu::detail::host

namespace gpu::detail {

std::unique_ptr<Backend> make_host_backend() { return std::make_unique<host::HostBackend>(); }

}  // namespace gpu::detail
