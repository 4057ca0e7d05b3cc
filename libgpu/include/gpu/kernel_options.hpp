// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gpu/facts.hpp>
#include <gpu/shape.hpp>
#include <gpu/stream.hpp>

namespace gpu {

/// Further properties of an elementwise or reduction kernel.
///
/// `#include "x.cuh"` in the preamble is searched for next to the C++ file that creates the kernel, in the folders that
/// options name ("-Ifolder"), and in the working folder.
/// @snippet public/names_test.cpp preamble
/// @snippet public/elementwise_kernel_test.cpp options
struct KernelOptions {
    std::string preamble = {};              ///< CUDA C++ before the kernel: device functions, structs
    std::vector<std::string> options = {};  ///< for the compiler: "-DRADIUS=3", "--use_fast_math", "--fmad=false"
    std::string reduce_type = {};           ///< reduction kernels: the type of `a` and `b`, "double" or one of yours
};

/// The number of elements of a loop; undecided unless it is made from a number.
/// @snippet public/elementwise_kernel_test.cpp size
class LoopSize {
public:
    LoopSize() = default;
    template <std::integral I>
    constexpr LoopSize(I count) noexcept  // NOLINT(google-explicit-constructor): .size = n
        : count_(std::in_range<std::int64_t>(count) && count >= 0 ? static_cast<std::int64_t>(count) : invalid) {}

    /// @cond internal
    [[nodiscard]] constexpr bool is_decided() const noexcept { return count_ != undecided; }
    [[nodiscard]] constexpr bool is_valid() const noexcept { return count_ >= 0; }
    [[nodiscard]] constexpr std::int64_t count() const noexcept { return count_; }
    /// @endcond

private:
    static constexpr std::int64_t undecided = -1, invalid = -2;
    std::int64_t count_ = undecided;
};

/// How one call of an elementwise kernel runs: `kernel(x, gpu::out(y), {.size = n, .block = 128, .stream = s})`.
/// @snippet public/elementwise_kernel_test.cpp launch
struct ElementwiseLaunch {
    LoopSize size = {};     ///< of the loop, if all arrays are raw
    int block = 0;          ///< threads per block on a GPU, 1 to 1024; 0: libgpu's choice
    StreamRef stream = {};  ///< the current stream unless named
};

/// The resources of a compiled raw kernel and the limits that follow from them: `kernel.attributes()`.
///
/// The host backend has no registers to allocate; there `registers`, `local_bytes` and `constant_bytes` are 0.
struct KernelAttributes {
    int registers = 0;                   ///< per thread; 0: unknown
    std::size_t static_shared = 0;       ///< bytes of `__shared__` arrays, without the dynamic one
    std::size_t local_bytes = 0;         ///< memory per thread for what doesn't fit in registers
    std::size_t constant_bytes = 0;      ///< of the `__constant__` variables of its source
    int max_threads_per_block = 0;       ///< the largest block, given its registers
    std::size_t max_dynamic_shared = 0;  ///< maximum bytes for `LaunchConfig::shared`
    int binary_version = 0;              ///< 90 for sm_90; 0 on the host backend
};

/// How a raw kernel is launched: `{.grid = blocks, .block = 256}`.
struct LaunchConfig {
    Dim3 grid = {};            ///< blocks
    Dim3 block = {};           ///< threads per block
    std::size_t shared = 0;    ///< bytes of dynamic shared memory
    StreamRef stream = {};     ///< the current stream unless named
    Flag cooperative = false;  ///< all blocks run at once, so that they may wait for each other: grid.sync()
};

}  // namespace gpu
