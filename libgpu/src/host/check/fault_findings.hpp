// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "host/check/block_watch.hpp"
#include "host/fibers/worker.hpp"

namespace gpu::detail::host {

/// Why the block of a checked launch failed: what the watch found, or what the scheduler or a signal handler did.
RawFinding finding_of(LaunchFacts& facts, Worker& worker, BlockWatch& watch);

/// "3 threads wait at __syncthreads() in line 7".
std::string waiting_text(const Arrivals& place);

}  // namespace gpu::detail::host
