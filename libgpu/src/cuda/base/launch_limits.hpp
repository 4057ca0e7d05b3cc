// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail::cuda {

/// What one device allows a launch.
struct DeviceLimits {
    Extent3 grid, block;                  ///< the most along each axis
    int threads = 1024;                   ///< the most in a block
    std::size_t shared = 48 << 10;        ///< bytes of a block without opting in
    std::size_t shared_opt_in = 48 << 10; ///< bytes of a block after opting in
    bool begins_early = false;            ///< a launch can begin while the one before it still runs
};

/// What a kernel's machine code adds to that.
struct KernelNeeds {
    std::string name;
    int threads = 1024;                   ///< the most in a block, given its registers
    int registers = 0;
    std::size_t static_shared = 0;
    int parameters = -1;                  ///< -1: unknown
    std::vector<int> wide = {};           ///< those of 8 bytes, which may be pointers; counted from 0
};

/// @throws LaunchError that names the first value that is out of its limit, and the limit.
void check_launch(const DeviceLimits& device, const KernelNeeds& kernel, const LaunchShape& shape, int argument_count);

}  // namespace gpu::detail::cuda
