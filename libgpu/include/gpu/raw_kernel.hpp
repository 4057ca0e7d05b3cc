// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/kernel_attributes.hpp>
#include <gpu/launch.hpp>
#include <gpu/raw_argument.hpp>
#include <gpu/source.hpp>

namespace gpu {

/// How a raw kernel is compiled.
struct RawKernelOptions {
    /// Options of the kernel compiler, spelled as for NVRTC: "-DN=16", "--fmad=false", "--use_fast_math", "-std=c++20".
    std::vector<std::string> options = {};
};

/// @cond internal
namespace detail {

class RawKernelCore;

GPU_API std::shared_ptr<RawKernelCore> make_raw_kernel(const Source& source, const std::string& name,
                                                       const std::vector<KernelParameter>* parameters,
                                                       const RawKernelOptions& options);
GPU_API void launch_raw_kernel(RawKernelCore& kernel, const LaunchConfig& config, void* const* arguments, int count);
GPU_API void launch_loose(RawKernelCore& kernel, const LaunchConfig& config, const LooseArgument* arguments, int count);

template <class Kernel>
class BoundLaunch {
public:
    BoundLaunch(Kernel kernel, const LaunchConfig& config) : kernel_(std::move(kernel)), config_(config) {}
    template <class... A>
    void operator()(A&&... arguments) const {
        kernel_(config_, std::forward<A>(arguments)...);
    }

private:
    Kernel kernel_;
    LaunchConfig config_;
};

}  // namespace detail
/// @endcond

/// What all raw kernels have in common. What needs the compiled kernel compiles it for the current device.
class GPU_API RawKernelFacts {
public:
    // A copy is the same kernel; moving copies, so that there are no kernels without one.
    RawKernelFacts(const RawKernelFacts&) = default;
    RawKernelFacts& operator=(const RawKernelFacts&) = default;
    ~RawKernelFacts() = default;

    /// What the kernel is called in its source.
    /// @snippet public/raw_kernel_test.cpp attributes
    [[nodiscard]] const std::string& name() const noexcept;
    /// What the kernel needs on the current device.
    /// @snippet public/raw_kernel_test.cpp attributes
    [[nodiscard]] KernelAttributes attributes() const;
    /// How many of its blocks a multiprocessor works on at once: its occupancy. 1 on the host backend.
    /// @throws LaunchError if no such block can be launched
    /// @snippet public/raw_kernel_test.cpp attributes
    [[nodiscard]] int active_blocks(const Dim3& block, std::size_t shared = 0) const;
    /// A launch of at least this many threads along x, in blocks that keep the device busiest.
    /// @snippet public/raw_kernel_test.cpp attributes
    [[nodiscard]] LaunchConfig suggested_config(std::int64_t threads, std::size_t shared = 0) const;
    /// The whole text that the current device's compiler gets.
    /// @snippet public/raw_kernel_test.cpp source_and_ptx
    [[nodiscard]] std::string source() const;
    /// The kernel as PTX, for a compute capability (90 for 9.0) or the current GPU's. NVRTC needs no GPU for it.
    /// @throws DeviceError if no capability is named and the current device isn't a GPU; LibraryNotFound without NVRTC
    /// @snippet public/raw_kernel_test.cpp source_and_ptx
    [[nodiscard]] std::string ptx(int compute_capability = 0) const;

protected:
    explicit RawKernelFacts(std::shared_ptr<detail::RawKernelCore> core) noexcept : core_(std::move(core)) {}
    [[nodiscard]] detail::RawKernelCore& core() const noexcept { return *core_; }

private:
    std::shared_ptr<detail::RawKernelCore> core_;
};

/// A kernel in CUDA C++, with the signature that it must have or, as `RawKernel<>`, with what its source declares.
template <class Signature = void>
class RawKernel;

/// A kernel in CUDA C++, with the signature that it must have; compiled at its first launch.
///
/// Launches that are queued outlive it. A GPU's driver may wait for them when the last copy is destroyed.
/// `RawKernel<void(const float*, float*, int)> scale(gpu::file("scale.cu"), "scale");`
/// `scale({.grid = blocks, .block = 256}, x, y, n);` or `scale[{blocks, 256}](x, y, n);`
/// @snippet public/kernel_test.cpp raw_kernel
template <class... P>
class RawKernel<void(P...)> : public RawKernelFacts {
public:
    /// The kernel of this name in the source.
    RawKernel(const Source& source, const std::string& name, const RawKernelOptions& options = {})
        : RawKernelFacts(make(source, name, options)) {}

    /// Launches the kernel and returns at once. An array passes its address (its elements are in column-major order
    /// if it came from Eigen or was asked for so), and so does a view if it is dense in row-major order;
    /// what the kernel may write counts as written. `void*` takes any array, `float**` a PointerArray, `float2*` in the
    /// source an array of complex<float>, `gpu::Texture` in the signature a cudaTextureObject_t there.
    /// Numbers must have the parameter's type or a narrower one. Structures are passed by value: the kernel's source
    /// declares them too, and the compiler compares their sizes.
    /// @throws LaunchError for a launch that the device can't do; CompileError at the first launch
    template <class... A>
    void operator()(const LaunchConfig& config, A&&... arguments) const {
        static_assert(sizeof...(A) == sizeof...(P), "the kernel takes another number of arguments");
        launch(config, std::make_integer_sequence<int, sizeof...(P)>{}, std::forward<A>(arguments)...);
    }
    /// The same in two steps: `scale[{blocks, 256}](x, y, n)`.
    [[nodiscard]] detail::BoundLaunch<RawKernel> operator[](const LaunchConfig& config) const {
        return {*this, config};
    }

    /// @cond internal
    explicit RawKernel(std::shared_ptr<detail::RawKernelCore> core) noexcept : RawKernelFacts(std::move(core)) {}
    [[nodiscard]] static std::vector<detail::KernelParameter> parameters() {
        return {detail::kernel_parameter<P>()...};
    }
    /// @endcond

private:
    static std::shared_ptr<detail::RawKernelCore> make(const Source& source, const std::string& name,
                                                       const RawKernelOptions& options) {
        const std::vector<detail::KernelParameter> list = parameters();
        return detail::make_raw_kernel(source, name, &list, options);
    }
    template <int... position, class... A>
    void launch(const LaunchConfig& config, std::integer_sequence<int, position...>, A&&... arguments) const {
        const auto call = [&](detail::ParameterValue<P>... values) {
            void* const pointers[] = {const_cast<void*>(static_cast<const volatile void*>(&values))..., nullptr};
            detail::launch_raw_kernel(core(), config, pointers, sizeof...(P));
        };
        call(detail::to_parameter<P>(std::forward<A>(arguments), position + 1)...);
    }
};

/// The loose form: the arguments must be exactly what the source declares, or the call says which one isn't.
///
/// `RawKernel<> scale(source, "scale");` A number isn't converted: `2.f` for a float, `std::int64_t(n)` for long long.
/// @snippet public/raw_kernel_test.cpp loose
template <>
class RawKernel<void> : public RawKernelFacts {
public:
    RawKernel(const Source& source, const std::string& name, const RawKernelOptions& options = {})
        : RawKernelFacts(detail::make_raw_kernel(source, name, nullptr, options)) {}

    /// Launches the kernel and returns at once, as the typed form does.
    /// @throws Error for a wrong number of arguments; DTypeError for a wrong type; LaunchError, CompileError
    template <class... A>
    void operator()(const LaunchConfig& config, A&&... arguments) const {
        const std::array<detail::LooseArgument, sizeof...(A) + 1> list{detail::loose_argument(arguments)...,
                                                                       detail::LooseArgument{}};
        detail::launch_loose(core(), config, list.data(), sizeof...(A));
    }
    [[nodiscard]] detail::BoundLaunch<RawKernel> operator[](const LaunchConfig& config) const {
        return {*this, config};
    }

    /// @cond internal
    explicit RawKernel(std::shared_ptr<detail::RawKernelCore> core) noexcept : RawKernelFacts(std::move(core)) {}
    /// @endcond
};

/// @cond internal
RawKernel(const Source&, const std::string&) -> RawKernel<>;
RawKernel(const Source&, const std::string&, const RawKernelOptions&) -> RawKernel<>;
/// @endcond

}  // namespace gpu
