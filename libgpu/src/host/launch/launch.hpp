// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/kernel_fault.hpp"
#include "host/check/host_checker.hpp"
#include "host/streams/streams.hpp"

namespace gpu::detail::host {

/// A launch as work for a stream: it holds the kernel and copies of all arguments, as cudaLaunchKernel does.
/// @throws LaunchError for an invalid launch, at once
std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel, Launch&& launch);

/// The seconds after which a kernel is taken for endless; 0 for libgpu's own, which end.
[[nodiscard]] double time_limit_of(const KernelModule& kernel);

/// True for a launch of a kernel of libgpu's own that takes less time than handing it to another thread.
[[nodiscard]] bool is_brief(const KernelModule& kernel, const Launch& launch);
/// The launch; it is complete when the function returns. @throws LaunchError if it is invalid, or if the kernel failed
void run_launch(LaunchContext context, const KernelModule& kernel, const Launch& launch);

/// All elements in one loop, whose axes are the call's where the index counts.
[[nodiscard]] ElementwisePlan plan_loop(Iteration iteration, const ElementwiseNeeds& needs);

/// Checks the shape against the limits of host/base/device_limits.hpp. Pure.
/// @throws LaunchError that names the value and the limit.
void check_launch_shape(const std::string& kernel, const LaunchShape& shape, std::size_t static_shared);

/// A kernel's resources, and the limits that follow from them.
[[nodiscard]] KernelAttributes host_attributes(const KernelModule& kernel);

/// The same for a whole launch of a raw kernel: how many arguments there are, and the shape.
void check_launch(const KernelModule& kernel, const LaunchShape& shape, int argument_count);

/// What a fault is among the ends of kernels.
[[nodiscard]] KernelEnd end_of(const Fault& fault) noexcept;

/// A launch; it is complete when the function returns. @throws KernelFault if the kernel failed
void launch_raw(LaunchContext& context, const KernelModule& kernel, const LaunchShape& shape, void* const* arguments,
                int argument_count);
void launch_elementwise(LaunchContext& context, const KernelModule& kernel, const ElementwiseSpace& space,
                        const std::vector<Argument>& arguments);
void launch_reduction(LaunchContext& context, const KernelModule& kernel, const ReductionSpace& space,
                      const std::vector<Argument>& arguments);

/// Examines the bytes around the array at `data`, which a kernel wrote to under this name; `element`: bytes of one.
/// @throws KernelFault if they changed
void check_edges(GuardedMemory& memory, const KernelModule& kernel, const std::string& name, const void* data,
                 long element);

/// Restores the bytes around these arrays, so that a later launch doesn't report this one's failure again.
void forget_edges(GuardedMemory& memory, const std::vector<const void*>& arrays);

/// Locates a bad address among the arrays of a launch: the arrays in `addresses`, named by the kernel.
void locate(FaultReport& report, const GuardedMemory& memory, const KernelModule& kernel,
            const std::vector<const void*>& addresses);

/// An unchecked kernel may have written to the array around `data`.
void mark_written(const LaunchContext& context, const void* data);

}  // namespace gpu::detail::host
