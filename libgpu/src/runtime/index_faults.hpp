// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/device.hpp>

namespace gpu::detail {

/// The report of an out-of-bounds index. Kernels write it, the host reads it in place: if there is none, checking costs
/// one load.
struct IndexFault {
    enum Kind : int { none, signed_index, unsigned_index, mask_count };
    int claimed = 0, kind = none;
    std::int64_t value = 0, position = 0, size = 0, axis = 0;
};

/// The device's report for kernels to write; created on first use.
IndexFault* index_fault_of(Device device);

/// To be called after waiting for (some of) the device's work: throws a kernel's report, once.
/// @throws IndexError; ShapeError for a mask with too many or too few values
void throw_index_fault(Device device);

/// With LIBGPU_LAUNCH_BLOCKING=1, the launch has waited: throws now.
void throw_index_fault_if_blocking(Device device);

}  // namespace gpu::detail
