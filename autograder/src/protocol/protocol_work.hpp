// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "protocol/protocol_check.hpp"

namespace course::protocol {

/// A member of WorkRecord and its name.
struct WorkCount {
    std::string_view name;
    std::uint64_t WorkRecord::*value;
};

// libgpu's table of its own members is libgpu/src/counts_of_work.hpp. The runner copies member by member, so a name
// that isn't in both doesn't compile there.
#define COURSE_WORK_COUNT(member) \
    WorkCount { #member, &WorkRecord::member }
inline constexpr std::array work_counts = {
    COURSE_WORK_COUNT(global_reads),
    COURSE_WORK_COUNT(global_writes),
    COURSE_WORK_COUNT(global_bytes_read),
    COURSE_WORK_COUNT(global_bytes_written),
    COURSE_WORK_COUNT(global_bytes_used),
    COURSE_WORK_COUNT(global_requests),
    COURSE_WORK_COUNT(global_sectors),
    COURSE_WORK_COUNT(global_segments),
    COURSE_WORK_COUNT(shared_reads),
    COURSE_WORK_COUNT(shared_writes),
    COURSE_WORK_COUNT(shared_bytes_read),
    COURSE_WORK_COUNT(shared_bytes_written),
    COURSE_WORK_COUNT(shared_requests),
    COURSE_WORK_COUNT(shared_wavefronts),
    COURSE_WORK_COUNT(atomics),
    COURSE_WORK_COUNT(global_atomics),
    COURSE_WORK_COUNT(atomic_requests),
    COURSE_WORK_COUNT(atomic_turns),
    COURSE_WORK_COUNT(barriers),
    COURSE_WORK_COUNT(warp_operations),
    COURSE_WORK_COUNT(divergent_requests),
    COURSE_WORK_COUNT(double_operations),
};
#undef COURSE_WORK_COUNT
static_assert(sizeof(WorkRecord) == work_counts.size() * sizeof(std::uint64_t), "a new count has no name yet");

}  // namespace course::protocol
