// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "host/check/host_checker.hpp"
#include "host/streams/streams.hpp"

// Launches as work for a stream: they hold the kernel and copies of all arguments, as cudaLaunchKernel does. Invalid
// launches are refused immediately: each function throws LaunchError.
namespace gpu::detail::host {

std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    const LaunchShape& shape, void* const* arguments, int argument_count);
std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    const ElementwiseSpace& space, const std::vector<Argument>& arguments);
std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    const ReductionSpace& space, const std::vector<Argument>& arguments);

}  // namespace gpu::detail::host
