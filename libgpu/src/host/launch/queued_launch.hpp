// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "host/check/host_checker.hpp"
#include "host/streams/streams.hpp"

// Launches as work for a stream: they keep the kernel and copies of all that they were given, as cudaLaunchKernel does.
// What can't be launched is refused here and now: each throws LaunchError.
namespace gpu::detail::host {

std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    const LaunchShape& shape, void* const* arguments, int argument_count);
std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    const ElementwiseSpace& space, const std::vector<Argument>& arguments);
std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    const ReductionSpace& space, const std::vector<Argument>& arguments);

}  // namespace gpu::detail::host
