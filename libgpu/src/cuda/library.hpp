// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "backend.hpp"
#include "cuda/cudart.hpp"
#include "cuda/launch_limits.hpp"

namespace gpu::detail::cuda {

/// A loaded image, unloaded at the end of its life. One handle serves all devices.
class Library {
public:
    /// @throws LaunchError if the driver refuses the image, with what it said.
    Library(const Image& image, const std::string& kernel);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    [[nodiscard]] cudaKernel_t kernel(const std::string& entry, const std::string& name) const;

private:
    cudaLibrary_t library_ = nullptr;
};

/// The kernels of one image: one, or the two of a reduction.
class CudaKernel final : public LoadedKernel {
public:
    CudaKernel(const Image& image, const std::string& name);

    [[nodiscard]] const std::string& name() const noexcept override { return needs_.name; }
    [[nodiscard]] const void* function(std::size_t index = 0) const { return kernels_.at(index); }
    [[nodiscard]] cudaKernel_t handle() const { return kernels_.front(); }
    [[nodiscard]] const KernelNeeds& needs() const noexcept { return needs_; }

private:
    Library library_;
    std::vector<cudaKernel_t> kernels_;
    KernelNeeds needs_;
};

}  // namespace gpu::detail::cuda
