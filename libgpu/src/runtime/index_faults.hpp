// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/device.hpp>

namespace gpu::detail {

/// What an index that is out of bounds leaves behind. Kernels write it, the host reads it in place: where no kernel
/// did, looking costs one load.
struct IndexFault {
    enum Kind : int { none, signed_index, unsigned_index, mask_count };
    int claimed = 0, kind = none;
    std::int64_t value = 0, position = 0, size = 0, axis = 0;
};

/// The device's word for kernels to write; made on first use.
IndexFault* index_fault_of(Device device);

/// To be called after waiting for (some of) the device's work: throws what a kernel left behind, once.
/// @throws IndexError; ShapeError for a mask's values that are too many or too few
void throw_index_fault(Device device);

/// With LIBGPU_LAUNCH_BLOCKING=1 the launch has waited: throws now.
void throw_index_fault_if_blocking(Device device);

}  // namespace gpu::detail
