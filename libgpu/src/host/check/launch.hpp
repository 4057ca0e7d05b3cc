// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "host/fibers/thread_pool.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/modules/kernel_module.hpp"

// Launches run to their end before they return. Each throws LaunchError if the kernel failed.
namespace gpu::detail::host {

class HostChecker;

/// What a launch works with.
struct LaunchContext {
    ThreadPool& pool;
    GuardedMemory& memory;
    HostChecker& checker;
    bool printing = false;  ///< an array: what that does is no work of the learner's
    int device = 0;
    void* stream = nullptr;

    /// A kernel that isn't checked may have written to the array around `data`.
    void mark_written(const void* data) const;
};

/// Checks the shape against CUDA's limits. Pure. @throws LaunchError that names the value and the limit.
void check_launch_shape(const std::string& kernel, const LaunchShape& shape, std::size_t static_shared);

/// What a kernel needs, and what that leaves of CUDA's limits.
[[nodiscard]] KernelAttributes host_attributes(const KernelModule& kernel);

/// The same for a whole launch of a raw kernel: how many arguments there are, and the shape.
void check_launch(const KernelModule& kernel, const LaunchShape& shape, int argument_count);

void launch_raw(LaunchContext& context, const KernelModule& kernel, const LaunchShape& shape, void* const* arguments,
                int argument_count);
void launch_elementwise(LaunchContext& context, const KernelModule& kernel, const ElementwiseSpace& space,
                        const std::vector<Argument>& arguments);
void launch_reduction(LaunchContext& context, const KernelModule& kernel, const ReductionSpace& space,
                      const std::vector<Argument>& arguments);

/// Looks at the bytes around the array at `data`, which a kernel wrote to under this name; `element`: bytes of one.
/// @throws LaunchError if they changed
void check_edges(GuardedMemory& memory, const KernelModule& kernel, const std::string& name, const void* data,
                 long element);

/// The arrays that a kernel may have written to by way of this argument, pointers to pointers; null where a pointer
/// points to none. Empty for other arguments.
[[nodiscard]] std::vector<const void*> written_through(const GuardedMemory& memory, const gpu_parameter& parameter,
                                                       const void* argument);

/// Makes the bytes around these arrays good again: a launch that failed isn't reported a second time by a later one.
void forget_edges(GuardedMemory& memory, const std::vector<const void*>& arrays);

/// Fills in where a bad address lies among the arrays of a launch: the arrays of `addresses`, named by the kernel.
void locate(FaultReport& report, const GuardedMemory& memory, const KernelModule& kernel,
            const std::vector<const void*>& addresses);

}  // namespace gpu::detail::host
