// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gpu/raw_kernel.hpp>

namespace gpu {

/// The options for compiling a module.
struct RawModuleOptions {
    std::vector<std::string> names = {};    ///< instances of templates: "mul<float>"
    std::vector<std::string> options = {};  ///< for the kernel compiler, see RawKernelOptions
};

/// @cond internal
namespace detail {
class RawModuleCore;
GPU_API std::shared_ptr<RawKernelCore> kernel_of(const std::shared_ptr<RawModuleCore>& module, const std::string& name,
                                                 const std::vector<KernelParameter>* parameters);
GPU_API ArrayCore symbol_of(const std::shared_ptr<RawModuleCore>& module, const std::string& name, DType dtype);
}  // namespace detail
/// @endcond

/// Several kernels of one source, which share its `__constant__` and `__device__` variables. Copies refer to the same
/// module; another module of the same source has its own variables.
///
/// It is compiled when a device first needs it. Kernels without template arguments needn't be named.
/// @snippet public/raw_module_test.cpp raw_module
class GPU_API RawModule {
public:
    explicit RawModule(const Source& source, const RawModuleOptions& options = {});
    RawModule(const RawModule&) = default;  // moving copies, so that no module is without a source
    RawModule& operator=(const RawModule&) = default;
    ~RawModule() = default;

    /// A compiled file: a cubin, PTX or a fat binary. Its kernels have their names in machine code ("_Z3addPfi", unless
    /// they are `extern "C"`); only the number of parameters can be checked.
    /// @throws FileError if the file can't be read; DeviceError when it is first used, on the host backend
    /// @snippet public/raw_module_test.cpp load
    [[nodiscard]] static RawModule load(std::string_view path, const char* caller = __builtin_FILE());

    /// The kernel of this name with a given signature: `kernel<void(const float*, float*)>("mul<float>")`; or in the
    /// loose form, see RawKernel<>.
    template <class Signature = void>
    [[nodiscard]] RawKernel<Signature> kernel(const std::string& name) const {
        if constexpr (std::is_void_v<Signature>) {
            return RawKernel<>(detail::kernel_of(core_, name, nullptr));
        } else {
            const auto parameters = RawKernel<Signature>::parameters();
            return RawKernel<Signature>(detail::kernel_of(core_, name, &parameters));
        }
    }

    /// A `__constant__` or `__device__` variable on the current device, as a window with one axis: copy_from(),
    /// copy_to() and `= value` access the memory that the kernels see. Each device has its own variables.
    /// @throws Error if there is no variable of that name; DTypeError if it has other elements
    /// @snippet public/raw_module_test.cpp symbol
    template <Element T>
    [[nodiscard]] View<T> symbol(const std::string& name) const {
        return View<T>(detail::symbol_of(core_, name, dtype_of<T>));
    }

private:
    explicit RawModule(std::shared_ptr<detail::RawModuleCore> core) noexcept : core_(std::move(core)) {}
    std::shared_ptr<detail::RawModuleCore> core_;
};

}  // namespace gpu
