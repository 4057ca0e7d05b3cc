// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "backend.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/launch_limits.hpp"
#include "cuda/library.hpp"

namespace gpu::detail::cuda {

/// Starts kernels on one device's streams. With `blocking`, each launch waits for its kernel and names it if it fails.
class Launcher {
public:
    Launcher(DeviceMemory& memory, bool blocking) : memory_(memory), blocking_(blocking) {}

    void elementwise(const CudaKernel& kernel, const ElementwiseSpace& space, const std::vector<Argument>& arguments,
                     int multiprocessors, cudaStream_t stream) const;
    void reduction(int device, const CudaKernel& kernel, const ReductionSpace& space,
                   const std::vector<Argument>& arguments, cudaStream_t stream) const;
    void raw(int device, const DeviceLimits& limits, const CudaKernel& kernel, const LaunchShape& shape,
             void* const* arguments, int argument_count, cudaStream_t stream) const;

private:
    void start(const CudaKernel& kernel, std::size_t index, const LaunchShape& shape, void* const* arguments,
               cudaStream_t stream) const;

    DeviceMemory& memory_;
    bool blocking_;
};

/// What `device` allows a launch.
[[nodiscard]] DeviceLimits device_limits(int device);

}  // namespace gpu::detail::cuda
