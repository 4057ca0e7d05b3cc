// SPDX-License-Identifier: MIT
#pragma once

// The work that a checked call asked of the device, as the student's runner wrote it down, and as a runner without an
// object does it again: the grader passes it on and looks at none of it.

#include <cstddef>
#include <cstdint>

#include "protocol/protocol.hpp"

namespace course::protocol {

/// What stands in front of libgpu's recording: the values of the call's reply, and which copy to the host gave each.
struct RecordingHeader {
    std::uint32_t value_count, result_count;
    ValueRecord values[max_values];   ///< without offsets
    std::uint64_t copies[max_values];
};

/// More than libgpu records, and the header.
inline constexpr std::size_t most_recording_bytes = std::size_t{40} << 20;

/// `replay` has it as one more argument, the last one; `compile` has a list of kernels, which is written likewise.
inline constexpr ValueType recording_type{Place::host_vector, Type::uint8};

}  // namespace course::protocol
