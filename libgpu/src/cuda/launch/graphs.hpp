// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/base/cudart.hpp"

namespace gpu::detail::cuda {

// Captures of the thread's current device. A capture's stream doesn't wait for the default stream, nor that for it: all
// other streams may go on meanwhile, and so may kernels be loaded and arrays be made and freed.

[[nodiscard]] cudaStream_t begin_capture();
void cancel_capture(cudaStream_t stream) noexcept;

/// What was captured, and what CUDA made of it to be launched.
class InstantiatedGraph {
public:
    /// Ends the capture and destroys its stream. @throws DeviceError
    explicit InstantiatedGraph(cudaStream_t stream);
    /// Waits for the device if it was launched.
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
