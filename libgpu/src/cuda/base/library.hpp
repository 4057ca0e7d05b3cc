// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/base/cudart.hpp"
#include "cuda/base/launch_limits.hpp"

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
    /// Null if there is no such kernel.
    [[nodiscard]] cudaKernel_t find_kernel(const std::string& entry) const;
    /// A variable by its name in the image, in the memory of the thread's device.
    [[nodiscard]] ModuleSymbol find_symbol(const std::string& entry) const;

private:
    cudaLibrary_t library_ = nullptr;
};

/// A kernel of an image.
class CudaKernel final : public LoadedKernel {
public:
    CudaKernel(const Image& image, const std::string& name, const ThreadWork& work = {});
    /// One kernel of a library that others share.
    CudaKernel(std::shared_ptr<const Library> library, cudaKernel_t kernel, const std::string& name);

    [[nodiscard]] const std::string& name() const noexcept override { return needs_.name; }
    [[nodiscard]] const void* function(std::size_t index = 0) const { return kernels_.at(index); }
    [[nodiscard]] cudaKernel_t handle() const { return kernels_.front(); }
    [[nodiscard]] const KernelNeeds& needs() const noexcept { return needs_; }
    [[nodiscard]] const ThreadWork& work() const noexcept { return work_; }

private:
    std::shared_ptr<const Library> library_;
    std::vector<cudaKernel_t> kernels_;
    KernelNeeds needs_;
    ThreadWork work_;
};

/// An image whose kernels share its variables.
class CudaModule final : public LoadedModule {
public:
    /// `name` is what messages call it.
    CudaModule(int device, const Image& image, const std::string& name)
        : device_(device), library_(std::make_shared<Library>(image, name)) {}

    [[nodiscard]] std::shared_ptr<LoadedKernel> kernel(const std::string& entry, const std::string& name) override;
    [[nodiscard]] ModuleSymbol symbol(const std::string& name) override;

private:
    int device_;
    std::shared_ptr<const Library> library_;
};

/// What gpu::KernelAttributes tells of a kernel. `opt_in` is the device's shared memory for a block that asks for it.
[[nodiscard]] KernelAttributes attributes_of(const CudaKernel& kernel, std::size_t opt_in);
/// Blocks of so many threads that a multiprocessor of the thread's device works on at once.
[[nodiscard]] int active_blocks_of(const CudaKernel& kernel, int threads, std::size_t shared);

}  // namespace gpu::detail::cuda
