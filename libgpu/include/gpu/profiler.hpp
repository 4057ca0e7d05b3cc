// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <gpu/device.hpp>
#include <gpu/export.hpp>
#include <gpu/facts.hpp>
#include <gpu/kernel_options.hpp>
#include <gpu/shape.hpp>

namespace gpu {

/// The work counted so far; take two readings and subtract them.
/// @snippet public/device_test.cpp counts
[[nodiscard]] GPU_API Counts counts() noexcept;

/// The options of benchmark().
struct BenchmarkOptions {
    int warmup = 3;         ///< unmeasured calls: the first ones compile kernels and allocate
    int repeat = 30;        ///< measured calls
    Flag flush_l2 = false;  ///< overwrite the device's cache before each call, as if the data were not recently used
};

/// The times of the repeats, in microseconds.
struct Timings {
    double median_us = 0, min_us = 0, max_us = 0, mean_us = 0;
    double stddev_us = 0;            ///< of a sample: divided by n - 1
    std::vector<double> samples_us;  ///< each repeat, in order
};

/// The result of benchmark().
struct GPU_API Benchmark {
    Timings device;  ///< between events before and after the call, in the current stream
    Timings host;    ///< until the call returned; its launches may still have been running

    /// "device 12.3 us, host 4.5 us (medians of 30)"
    [[nodiscard]] std::string to_string() const;
};

/// @cond internal
namespace detail {
GPU_API Benchmark benchmark(void (*call)(void*), void* function, const BenchmarkOptions& options);
}  // namespace detail
/// @endcond

/// Calls `f()` a few times to warm up, then measures each repeat: on the device by events, on the host by its clock.
/// Waits for the device after each, and rethrows exceptions from `f`. Work that `f` queues in streams other than the
/// current one counts only if the current one is the default stream, which waits for them. If `f` launches little, the
/// device's time equals the host's, because the device waits for launches. An expression that `f` returns is evaluated.
/// @throws Error for fewer than one repeat
/// @snippet public/kernel_cache_test.cpp benchmark
template <class F>
[[nodiscard]] Benchmark benchmark(F&& f, const BenchmarkOptions& options = {}) {
    using Function = std::remove_reference_t<F>;
    const auto call = [](void* function) {
        if constexpr (requires(Function& g) { g().node(); })
            (void)(*static_cast<Function*>(function))().eval();
        else
            (*static_cast<Function*>(function))();
    };
    return detail::benchmark(call, const_cast<void*>(static_cast<const volatile void*>(&f)), options);
}

/// A kernel, a copy, a linear algebra function or a Fourier transform that was queued in a stream.
struct GPU_API LaunchEntry {
    enum class Kind : std::uint8_t {
        elementwise,
        reduction,
        raw,
        copy_to_device,
        copy_to_host,
        copy_on_device,
        linear_algebra  ///< and Fourier transforms
    };

    Kind kind = Kind::raw;
    std::string name;  ///< the kernel's; "copy to device" and the like for a copy; "matmul", "lu", "fft" and so on
    Device device;
    StreamRef stream;            ///< may be gone by now
    Dim3 grid = {}, block = {};  ///< of a raw kernel
    std::size_t shared = 0;      ///< bytes of dynamic shared memory of a raw kernel
    std::int64_t size = 0;       ///< elements of a generated kernel's index space
    std::size_t bytes = 0;       ///< in the arrays of a generated kernel, copied, in matrices; 0 for a raw kernel
    std::string problem;         ///< of linear algebra: "float32, 512 x 100, 3 of them"
    double device_us = -1;       ///< the device time, if the log measures times; otherwise -1

    /// "cuda:0 squared_diff: 1000 elements, 12000 bytes"
    [[nodiscard]] std::string to_string() const;
};

/// The options of a log.
struct LaunchLogOptions {
    Flag times = false;  ///< with an event before and after each launch, which costs a few microseconds
};

/// Records each kernel, each copy and each linear algebra call of the whole process, on all threads and devices, while
/// it exists. A kernel launched by such a call comes before it. Without a log, the cost per launch is a look at one
/// variable.
/// @snippet public/kernel_cache_test.cpp launch_log
class GPU_API LaunchLog {
public:
    explicit LaunchLog(const LaunchLogOptions& options = {});
    ~LaunchLog();
    LaunchLog(const LaunchLog&) = delete;
    LaunchLog& operator=(const LaunchLog&) = delete;

    /// The launches so far, in order. A log that measures times waits for unfinished work.
    [[nodiscard]] std::vector<LaunchEntry> entries() const;
    /// Discards the entries.
    void clear();
    /// The entries, one per line.
    [[nodiscard]] std::string to_string() const;

    /// @cond internal
    struct State;
    /// @endcond

private:
    State* state_;
};

}  // namespace gpu
