// SPDX-License-Identifier: MIT
#include "runtime/benchmark.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <gpu/error.hpp>
#include <gpu/profiler.hpp>
#include <gpu/stream.hpp>

#include "runtime/devices/registry.hpp"

namespace gpu {

namespace detail {

namespace {

/// Memory twice as large as the device's cache: overwriting it evicts everything else.
class CacheFlush {
public:
    CacheFlush(Device device, bool wanted) : device_(device) {
        if (!wanted) return;
        const std::size_t cache = device.properties().l2_cache;
        bytes_ = 2 * (cache > 0 ? cache : std::size_t{32} << 20);
        data_ = backend(device).allocate(device.index(), bytes_, native_stream({}, device));
    }
    ~CacheFlush() {
        if (data_ != nullptr) backend(device_).deallocate(device_.index(), data_, bytes_);
    }
    CacheFlush(const CacheFlush&) = delete;
    CacheFlush& operator=(const CacheFlush&) = delete;

    void operator()() const {
        if (data_ == nullptr) return;
        backend(device_).fill(device_.index(), data_, 0, bytes_, native_stream({}, device_));
    }

private:
    Device device_;
    std::size_t bytes_ = 0;
    void* data_ = nullptr;
};

}  // namespace

Timings summarised(std::vector<double> samples_us) {
    Timings timings;
    const auto count = static_cast<double>(samples_us.size());
    std::vector<double> sorted = samples_us;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    timings.median_us = sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    timings.min_us = sorted.front();
    timings.max_us = sorted.back();
    for (const double sample : samples_us) timings.mean_us += sample / count;
    double squares = 0;
    for (const double sample : samples_us) squares += (sample - timings.mean_us) * (sample - timings.mean_us);
    if (samples_us.size() > 1) timings.stddev_us = std::sqrt(squares / (count - 1));
    timings.samples_us = std::move(samples_us);
    return timings;
}

Benchmark benchmark(void (*call)(void*), void* function, const BenchmarkOptions& options) {
    if (options.repeat < 1 || options.warmup < 0) {
        throw Error("benchmark: .repeat is " + std::to_string(options.repeat) + " and .warmup " +
                    std::to_string(options.warmup) + ": at least 1 and 0");
    }
    using Clock = std::chrono::steady_clock;
    const StreamRef stream = Stream::current();
    const CacheFlush flush(current_device(), options.flush_l2);
    for (int k = 0; k < options.warmup; ++k) call(function);
    stream.synchronize();
    std::vector<double> device, host;
    Event start, stop;
    for (int k = 0; k < options.repeat; ++k) {
        flush();
        start.record(stream);
        const auto before = Clock::now();
        call(function);
        const std::chrono::duration<double, std::micro> took = Clock::now() - before;
        stop.record(stream);
        device.push_back(1000.0 * static_cast<double>(elapsed_ms(start, stop)));
        host.push_back(took.count());
    }
    return {.device = summarised(std::move(device)), .host = summarised(std::move(host))};
}

}  // namespace detail

std::string Benchmark::to_string() const {
    char text[120];
    std::snprintf(text, sizeof text, "device %.1f us, host %.1f us (medians of %zu)", device.median_us, host.median_us,
                  device.samples_us.size());
    return text;
}

}  // namespace gpu
