// SPDX-License-Identifier: MIT
// Check mode: elementwise and reduction kernels are launched as raw kernels whose blocks have 256 threads.
#include <algorithm>
#include <bit>

#include "host/launch/launch_generated.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::int64_t block_threads = 256;

LaunchShape line_of(std::int64_t blocks) {
    LaunchShape shape;
    // More blocks than a grid can have are refused by the launch, as too many for a check.
    shape.grid.x = static_cast<std::uint32_t>(std::min<std::int64_t>(blocks, 0x7fffffff));
    shape.block.x = block_threads;
    return shape;
}

void launch(LaunchContext& context, const KernelModule& kernel, std::int64_t blocks,
            const std::vector<Argument>& arguments, const void* call) {
    std::vector<void*> values;
    for (const Argument& argument : arguments) {
        const void* const value = argument.is_array ? static_cast<const void*>(&argument.array.data) : argument.scalar;
        values.push_back(const_cast<void*>(value));
    }
    values.push_back(const_cast<void*>(call));
    launch_raw(context, kernel, line_of(blocks), values.data(), static_cast<int>(arguments.size()));
}

}  // namespace

void launch_checked(LaunchContext& context, const KernelModule& kernel, const gpu_elementwise_call& call,
                    const std::vector<Argument>& arguments) {
    launch(context, kernel, (call.size + block_threads - 1) / block_threads, arguments, &call);
}

void launch_checked(LaunchContext& context, const KernelModule& kernel, const gpu_reduction_call& call,
                    const ReductionPlan& plan, std::int64_t outputs, const std::vector<Argument>& arguments) {
    gpu_checked_reduction checked{};
    checked.call = call;
    checked.outputs = outputs;
    checked.group_size = plan.group;
    // Outputs side by side have a thread each, and the others as many as they have lanes to add in. See gpu_lanes.
    const unsigned size = kernel.module().accumulator_size;
    checked.lanes = plan.columns ? 1 : size <= 4 ? 64 : size <= 8 ? 32 : 16;
    if (plan.columns)
        checked.width = 1;
    else if (call.reduced <= checked.lanes)
        checked.width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(1l, call.reduced))));
    else
        checked.width = static_cast<int>(std::min<std::int64_t>(
            block_threads,
            checked.lanes * static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(plan.groups)))));
    std::vector<std::byte> partials(static_cast<std::size_t>(outputs * plan.groups) * size);
    checked.call.partials = partials.data();
    const std::int64_t outputs_of_block = block_threads / checked.width;
    launch(context, kernel, (outputs + outputs_of_block - 1) / outputs_of_block, arguments, &checked);
}

}  // namespace gpu::detail::host
