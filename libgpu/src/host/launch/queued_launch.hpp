// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "host/check/host_checker.hpp"
#include "host/streams/streams.hpp"

// Launches as work for a stream: they keep the kernel and copies of all that they were given, as cudaLaunchKernel does.
// What can't be launched is refused here and now: each throws LaunchError.
namespace gpu::detail::host {

std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    Launch&& launch);

/// All elements in one loop, whose axes are the call's where the index counts.
[[nodiscard]] ElementwisePlan plan_loop(Iteration iteration, const ElementwiseNeeds& needs);

}  // namespace gpu::detail::host
