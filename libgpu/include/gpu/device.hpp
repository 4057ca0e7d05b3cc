// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <gpu/export.hpp>

namespace gpu {

namespace detail {
class Backend;
}

/// What executes kernels: NVIDIA GPUs, or this machine's CPU with CUDA's semantics.
enum class BackendKind : std::uint8_t { host, cuda };

/// Facts about a device that don't change while the program runs.
struct DeviceProperties {
    std::string name;
    int multiprocessors = 0;  ///< worker threads on the host backend
    int warp_size = 32;
    int max_threads_per_block = 1024;
    std::size_t max_shared_per_block = 0;  ///< bytes, static and dynamic together, without opting in
    std::size_t total_memory = 0;          ///< bytes
    std::size_t l2_cache = 0;              ///< bytes; the last-level cache on the host backend, 0: unknown
    int compute_capability = 0;            ///< 90 for 9.0; 0 on the host backend
};

/// One device of a backend. A value: it owns nothing and can be copied and compared.
/// @snippet public/expression_test.cpp device_facts
class GPU_API Device {
public:
    /// The `index`-th device of the active backend. @throws DeviceError if there is none.
    explicit Device(int index);

    /// The `index`-th GPU. @throws DeviceError that says why if it can't be used.
    [[nodiscard]] static Device cuda(int index = 0);
    /// The `index`-th device of the host backend. @throws DeviceError if there is none.
    [[nodiscard]] static Device host(int index = 0);

    /// How many devices the active backend has.
    [[nodiscard]] static int count();
    /// This thread's current device: where new arrays are created and kernels run.
    [[nodiscard]] static Device current();

    [[nodiscard]] BackendKind kind() const noexcept { return kind_; }
    [[nodiscard]] int index() const noexcept { return index_; }
    /// "cuda:0" or "host:0".
    [[nodiscard]] std::string to_string() const {
        return (kind_ == BackendKind::cuda ? "cuda:" : "host:") + std::to_string(index_);
    }
    [[nodiscard]] DeviceProperties properties() const;
    /// True if this device can copy directly from and to the other's memory; otherwise copies go through the host.
    /// @snippet public/device_test.cpp can_access_peer
    [[nodiscard]] bool can_access_peer(Device other) const;

    friend bool operator==(const Device&, const Device&) = default;

private:
    /// @cond internal
    friend class detail::Backend;  // of its own devices
    /// @endcond
    Device(BackendKind kind, int index) noexcept : kind_(kind), index_(index) {}

    BackendKind kind_;
    int index_;
};

/// Makes a device this thread's current one, and restores the previous one at the end of the scope.
/// @snippet public/device_test.cpp device_guard
class GPU_API DeviceGuard {
public:
    [[nodiscard]] explicit DeviceGuard(Device device);
    ~DeviceGuard();
    DeviceGuard(const DeviceGuard&) = delete;
    DeviceGuard& operator=(const DeviceGuard&) = delete;

private:
    Device previous_;
};

/// Waits until all work on the current device is done.
/// @throws LaunchError if any of it failed.
GPU_API void synchronize();

/// The reason why no GPU is used, in one sentence; empty if one is usable.
[[nodiscard]] GPU_API std::string why_no_gpu();

}  // namespace gpu
