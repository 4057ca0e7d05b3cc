// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace gpu {

/// What a compiled raw kernel needs, and what that leaves it: `kernel.attributes()`.
///
/// The host backend has no registers to share out; there `registers`, `local_bytes` and `constant_bytes` are 0.
struct KernelAttributes {
    int registers = 0;                   ///< of each thread; 0: unknown
    std::size_t static_shared = 0;       ///< bytes of `__shared__` arrays, without the dynamic one
    std::size_t local_bytes = 0;         ///< of memory that a thread uses because its registers don't suffice
    std::size_t constant_bytes = 0;      ///< of the `__constant__` variables of its source
    int max_threads_per_block = 0;       ///< the largest block, given its registers
    std::size_t max_dynamic_shared = 0;  ///< bytes that `LaunchConfig::shared` may ask for
    int binary_version = 0;              ///< 90 for sm_90; 0 on the host backend
};

}  // namespace gpu
