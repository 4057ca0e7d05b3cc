// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <gpu/dtype.hpp>

#include "backend/backend.hpp"
#include "cuda/base/cudart.hpp"
#include "cuda/base/launch_limits.hpp"
#include "cuda/plan/thread_mapping.hpp"

namespace gpu::detail::cuda {

/// A loaded image, unloaded in the destructor. One handle serves all devices.
class Library {
public:
    /// @throws LaunchError with the driver's message if it rejects the image.
    Library(const Image& image, const std::string& kernel);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    [[nodiscard]] cudaKernel_t kernel(const std::string& entry, const std::string& name) const;
    /// Null if there is no such kernel.
    [[nodiscard]] cudaKernel_t find_kernel(const std::string& entry) const;
    /// Looks up a variable by its name in the image, in the memory of the thread's current device.
    [[nodiscard]] ModuleSymbol find_symbol(const std::string& entry) const;

private:
    cudaLibrary_t library_ = nullptr;
};

/// A kernel of an image.
class CudaKernel final : public LoadedKernel {
public:
    CudaKernel(const Image& image, const std::string& name, const ThreadWork& work = {});
    /// One kernel of a library shared with others.
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
    /// @param name what messages call it.
    CudaModule(int device, const Image& image, const std::string& name)
        : device_(device), library_(std::make_shared<Library>(image, name)) {}

    [[nodiscard]] std::shared_ptr<LoadedKernel> kernel(const std::string& entry, const std::string& name) override;
    [[nodiscard]] ModuleSymbol symbol(const std::string& name) override;
    [[nodiscard]] std::vector<std::string> symbols() const override { return {}; }   // CUDA lists none
    void written_by_host(const std::string& /*name*/) override {}

private:
    int device_;
    std::shared_ptr<const Library> library_;
};

/// A kernel's gpu::KernelAttributes. `opt_in` is the device's shared memory for a block that requests it.
[[nodiscard]] KernelAttributes attributes_of(const CudaKernel& kernel, std::size_t opt_in);
/// The number of blocks of this many threads that a multiprocessor of the thread's device runs at once.
[[nodiscard]] int active_blocks_of(const CudaKernel& kernel, int threads, std::size_t shared);

using detail::look_up;

/// The index of cuBLAS's and cuSOLVER's four element types, in the order of their letters S, D, C, Z.
[[nodiscard]] constexpr std::size_t letter_of(DType dtype) noexcept {
    return (is_complex(dtype) ? 2 : 0) + (real_dtype(dtype) == DType::float64 ? 1 : 0);
}

/// A function that the libraries have once per element type, with void for the elements.
template <class Function>
struct ByType {
    std::array<Function*, 4> functions{};

    [[nodiscard]] Function* operator[](DType dtype) const noexcept { return functions[letter_of(dtype)]; }
};

/// Looks up prefix + S, D, C or Z + name.
template <class Function>
void look_up(void* library, const std::string& prefix, const std::string& name, ByType<Function>& function) {
    for (std::size_t k = 0; k < 4; ++k) look_up(library, prefix + "SDCZ"[k] + name, function.functions[k]);
}

/// True if a function of the toolkit's headers takes the same arguments as ours, or a pointer where ours takes one.
template <class Theirs, class Ours>
struct Matches : std::false_type {};
template <class R, class... Theirs, class... Ours>
    requires(sizeof...(Theirs) == sizeof...(Ours))
struct Matches<R(Theirs...), R(Ours...)>
    : std::bool_constant<((std::is_same_v<Theirs, Ours> || (std::is_pointer_v<Theirs> && std::is_pointer_v<Ours>)) &&
                          ...)> {};

/// The toolkit's major version, part of its shared libraries' names: 13.
[[nodiscard]] int toolkit_major() noexcept;

/// Where a shared library of the toolkit may be, best place first.
///
/// If the environment variable (`LIBGPU_NVRTC`, say) holds a path, that is the only place.
[[nodiscard]] std::vector<std::string> library_candidates(const std::string& name, const char* variable);
/// The same for a library with a version numbering of its own: best version first, each in all places.
[[nodiscard]] std::vector<std::string> library_candidates(const std::string& name, const char* variable,
                                                          const std::vector<int>& majors);

/// The first candidate that is the path of a file; empty if only the dynamic linker can tell.
[[nodiscard]] std::string existing_library(const std::string& name, const char* variable);

/// The directory of the toolkit's headers, for kernels that include some; empty if there is none.
/// `library` is the path of the loaded NVRTC.
[[nodiscard]] std::string include_directory(const std::string& library);

}  // namespace gpu::detail::cuda
