// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "host/launch/launch.hpp"
#include "host/memory/fault.hpp"

// Shared by elementwise and reduction launches.
namespace gpu::detail::host {

static_assert(sizeof(gpu_argument) == sizeof(Argument) && offsetof(gpu_argument, array) == offsetof(Argument, array) &&
                  offsetof(gpu_argument, scalar) == offsetof(Argument, scalar) && sizeof(long) == sizeof(std::int64_t),
              "abi.hpp's gpu_argument must have the layout of Argument");

inline constexpr std::int64_t chunk = 16384;  // elements that a worker takes at a time

inline const gpu_argument* native(const std::vector<Argument>& arguments) {
    return reinterpret_cast<const gpu_argument*>(arguments.data());
}

/// The lengths of a shape; a shape without axes counts as one axis of length 1.
inline const long* native(const Shape& shape) {
    static constexpr long one = 1;
    return shape.rank() > 0 ? reinterpret_cast<const long*>(shape.begin()) : &one;
}

/// @throws LaunchError unless there is an argument for each parameter.
void check_count(const KernelModule& kernel, std::size_t arguments);

/// Marks the arrays that aren't inputs as written.
void mark_outputs(const LaunchContext& context, const KernelModule& kernel, const std::vector<Argument>& arguments);

/// Checks the raw outputs: a body may write to any of their elements. @throws LaunchError if one wrote past an end
void check_raw_outputs(const LaunchContext& context, const KernelModule& kernel,
                       const std::vector<Argument>& arguments);

/// How a reduction is divided. It depends only on shapes and strides, never on the number of workers.
struct ReductionPlan {
    bool columns = false;      // outputs side by side, instead of one after the other
    std::int64_t group = 0;    // elements of the reduced range per partial result
    std::int64_t groups = 0;   // partial results per output
    std::int64_t row = 1;      // columns: outputs along the last kept axis
};

/// For kernels compiled for check mode, see generate_checked().
void launch_checked(LaunchContext& context, const KernelModule& kernel, const gpu_elementwise_call& call,
                    const std::vector<Argument>& arguments);
void launch_checked(LaunchContext& context, const KernelModule& kernel, const gpu_reduction_call& call,
                    const ReductionPlan& plan, std::int64_t outputs, const std::vector<Argument>& arguments);

/// Throws the LaunchError of a failed launch.
[[noreturn]] void fail(FaultReport& report, const LaunchContext& context, const KernelModule& kernel,
                       const std::vector<Argument>& arguments);

}  // namespace gpu::detail::host
