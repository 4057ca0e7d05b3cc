// SPDX-License-Identifier: MIT
#pragma once

// What check mode tells a debugger, see base/debugger.hpp: the launch that runs, and each finding when it is made.
namespace gpu::detail::host {

class Worker;
struct LaunchFacts;
struct RawFinding;

void show_to_debugger(const LaunchFacts& launch);

/// Stops a debugger at a finding of the running block: called when it is found, on the kernel's stack.
void tell_debugger(const RawFinding& finding);
/// The same for what a worker can't go on from.
void tell_debugger_of_fault(Worker& worker) noexcept;

}  // namespace gpu::detail::host
