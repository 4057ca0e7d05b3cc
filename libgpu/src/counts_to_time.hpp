// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gpu/check.hpp>

// A modelled GPU, for schedules of what ran on the host backend: from counted work to microseconds. Round numbers of
// the size that GPUs of today have, the same on every machine. docs/pictures.md tells them.
namespace gpu::detail::modelled {

inline constexpr int multiprocessors = 132;
inline constexpr double call_us = 2;            ///< the host asks for an operation
inline constexpr double copy_us = 10;           ///< each copy, whatever its size
inline constexpr double pinned_bytes = 25'000;  ///< in a microsecond, between the device and page-locked memory
inline constexpr double pageable_bytes = 10'000;
inline constexpr double device_bytes = 1'000'000;  ///< in a microsecond, by all multiprocessors together
inline constexpr double kernel_us = 3;             ///< each launch, whatever its work
inline constexpr double sector_us = 0.004;         ///< of global memory, in one multiprocessor
inline constexpr double wavefront_us = 0.001;      ///< of shared memory, in one multiprocessor

inline double time_of_copy(std::size_t bytes, bool is_pageable) {
    return copy_us + static_cast<double>(bytes) / (is_pageable ? pageable_bytes : pinned_bytes);
}

inline double time_on_device(std::size_t bytes) { return kernel_us + static_cast<double>(bytes) / device_bytes; }

/// A multiprocessor works for one block or more, or for none.
inline double time_of_kernel(const WorkCounts& work, std::int64_t blocks) {
    const double busy = static_cast<double>(std::clamp<std::int64_t>(blocks, 1, multiprocessors));
    return kernel_us + (sector_us * static_cast<double>(work.global_sectors) +
                        wavefront_us * static_cast<double>(work.shared_wavefronts)) /
                           busy;
}

}  // namespace gpu::detail::modelled
