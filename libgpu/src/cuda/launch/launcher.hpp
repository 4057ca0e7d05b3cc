// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "backend/backend.hpp"
#include "cuda/base/cudart.hpp"
#include "cuda/base/launch_limits.hpp"
#include "cuda/base/library.hpp"
#include "cuda/memory/device_memory.hpp"

namespace gpu::detail::cuda {

/// Launches kernels on one device's streams. With `blocking`, each launch waits for its kernel and names it if it
/// fails.
class Launcher {
public:
    Launcher(DeviceMemory& memory, bool blocking) : memory_(memory), blocking_(blocking) {}

    void launch(int device, const DeviceLimits& limits, const CudaKernel& kernel, const Launch& launch,
                cudaStream_t stream) const;

    /// See Backend; the device must be the thread's current one.
    [[nodiscard]] int active_blocks(int device, const DeviceLimits& limits, const CudaKernel& kernel, int threads,
                                    std::size_t shared) const;
    [[nodiscard]] int suggested_block(int device, const DeviceLimits& limits, const CudaKernel& kernel,
                                      std::size_t shared) const;

private:
    enum class Overlap { none, programmatic };

    void elementwise(const CudaKernel& kernel, const ElementwiseSpace& space, const Launch& launch,
                     cudaStream_t stream) const;
    void reduction(int device, const DeviceLimits& limits, const CudaKernel& kernel, const ReductionSpace& space,
                   const Launch& launch, cudaStream_t stream) const;
    void raw(int device, const DeviceLimits& limits, const CudaKernel& kernel, const LaunchShape& shape,
             std::span<void* const> values, cudaStream_t stream) const;
    static void allow_shared(int device, const DeviceLimits& limits, const CudaKernel& kernel, std::size_t shared);
    void start(const CudaKernel& kernel, std::size_t index, const LaunchShape& shape, void* const* arguments,
               cudaStream_t stream, Overlap overlap = Overlap::none) const;

    DeviceMemory& memory_;
    bool blocking_;
};

/// The limits of `device` for launches.
[[nodiscard]] DeviceLimits device_limits(int device);

// Captures on the thread's current device. A capture's stream and the default stream don't wait for each other: all
// other streams may continue meanwhile, kernels may be loaded, and arrays created and freed.

[[nodiscard]] cudaStream_t begin_capture();
void cancel_capture(cudaStream_t stream) noexcept;

/// A captured graph and its executable form.
class InstantiatedGraph {
public:
    /// Ends the capture and destroys its stream. @throws DeviceError
    explicit InstantiatedGraph(cudaStream_t stream);
    /// Waits for the device if the graph was launched.
    ~InstantiatedGraph();
    InstantiatedGraph(const InstantiatedGraph&) = delete;
    InstantiatedGraph& operator=(const InstantiatedGraph&) = delete;

    void launch(cudaStream_t stream);

private:
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t instance_ = nullptr;
    bool launched_ = false;
};

}  // namespace gpu::detail::cuda
