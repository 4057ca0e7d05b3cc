// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

// A modelled GPU, for schedules of what ran on the host backend: from counted work to microseconds. Round numbers of
// the size that GPUs of today have, the same on every machine. docs/pictures.md tells them. The grader models a call by
// them as well.
namespace gpu::detail::modelled {

inline constexpr int multiprocessors = 132;
inline constexpr double call_us = 2;            ///< the host issues an operation
inline constexpr double copy_us = 10;           ///< each copy, whatever its size
inline constexpr double pinned_bytes = 25'000;  ///< per microsecond, between the device and page-locked memory
inline constexpr double pageable_bytes = 10'000;
inline constexpr double device_bytes = 1'000'000;  ///< per microsecond, by all multiprocessors together
inline constexpr double kernel_us = 3;             ///< each launch, whatever its work
inline constexpr double sector_us = 0.004;         ///< of global memory, per multiprocessor
inline constexpr double wavefront_us = 0.001;      ///< of shared memory, per multiprocessor

inline double time_of_copy(std::size_t bytes, bool is_pageable) {
    return copy_us + static_cast<double>(bytes) / (is_pageable ? pageable_bytes : pinned_bytes);
}

inline double time_on_device(std::size_t bytes) { return kernel_us + static_cast<double>(bytes) / device_bytes; }

/// A multiprocessor works on one or more blocks, or is idle.
inline double time_of_kernel(double global_sectors, double shared_wavefronts, double blocks) {
    const double busy = std::clamp(blocks, 1.0, static_cast<double>(multiprocessors));
    return kernel_us + (sector_us * global_sectors + wavefront_us * shared_wavefronts) / busy;
}

}  // namespace gpu::detail::modelled
