// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/export.hpp>

namespace gpu {

/// Work that libgpu has counted in this process, on all devices and threads.
struct Counts {
    std::uint64_t copies_to_device = 0;    ///< host to device
    std::uint64_t copies_to_host = 0;      ///< device to host
    std::uint64_t copies_on_device = 0;    ///< device to device
    std::uint64_t bytes_to_device = 0;
    std::uint64_t bytes_to_host = 0;
    std::uint64_t bytes_on_device = 0;
    std::uint64_t allocations = 0;         ///< buffers of arrays
    std::uint64_t bytes_allocated = 0;
    std::uint64_t synchronizations = 0;    ///< waits of the host for a device, blocking copies included
    std::uint64_t launches = 0;            ///< kernels started
    std::uint64_t barriers = 0;            ///< __syncthreads() passed, one a block; host backend only
    std::uint64_t atomics = 0;             ///< atomic operations of kernels; host backend only

    /// What happened between two readings.
    friend GPU_API Counts operator-(const Counts& later, const Counts& earlier) noexcept;
};

/// The work counted so far; take two readings and subtract them.
/// @snippet public/device_test.cpp counts
[[nodiscard]] GPU_API Counts counts() noexcept;

}  // namespace gpu
