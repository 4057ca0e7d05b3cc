// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <gpu/check.hpp>

namespace gpu::detail {

/// A member of gpu::WorkCounts and its name.
struct WorkCount {
    std::string_view name;
    std::uint64_t WorkCounts::*value;
};

// The grader has a table of its own, in autograder/src/protocol/protocol_work.hpp: it includes nothing of libgpu's. The
// runner copies member by member, so a name that isn't in both doesn't compile there.
#define GPU_WORK_COUNT(member) \
    WorkCount { #member, &WorkCounts::member }
inline constexpr std::array work_counts = {
    GPU_WORK_COUNT(global_reads),
    GPU_WORK_COUNT(global_writes),
    GPU_WORK_COUNT(global_bytes_read),
    GPU_WORK_COUNT(global_bytes_written),
    GPU_WORK_COUNT(global_bytes_used),
    GPU_WORK_COUNT(global_requests),
    GPU_WORK_COUNT(global_sectors),
    GPU_WORK_COUNT(global_segments),
    GPU_WORK_COUNT(shared_reads),
    GPU_WORK_COUNT(shared_writes),
    GPU_WORK_COUNT(shared_bytes_read),
    GPU_WORK_COUNT(shared_bytes_written),
    GPU_WORK_COUNT(shared_requests),
    GPU_WORK_COUNT(shared_wavefronts),
    GPU_WORK_COUNT(atomics),
    GPU_WORK_COUNT(global_atomics),
    GPU_WORK_COUNT(atomic_requests),
    GPU_WORK_COUNT(atomic_turns),
    GPU_WORK_COUNT(barriers),
    GPU_WORK_COUNT(warp_operations),
    GPU_WORK_COUNT(divergent_requests),
    GPU_WORK_COUNT(double_operations),
};
#undef GPU_WORK_COUNT
static_assert(sizeof(WorkCounts) == work_counts.size() * sizeof(std::uint64_t), "a new count has no name yet");

}  // namespace gpu::detail
