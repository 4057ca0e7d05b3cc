// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "host/check/host_checker.hpp"
#include "host/streams/streams.hpp"

// Launches as work for a stream: they hold the kernel and copies of all arguments, as cudaLaunchKernel does. Invalid
// launches are refused immediately: each function throws LaunchError.
namespace gpu::detail::host {

std::unique_ptr<Work> queued_launch(LaunchContext context, std::shared_ptr<const KernelModule> kernel,
                                    Launch&& launch);

/// All elements in one loop, whose axes are the call's where the index counts.
[[nodiscard]] ElementwisePlan plan_loop(Iteration iteration, const ElementwiseNeeds& needs);

}  // namespace gpu::detail::host
