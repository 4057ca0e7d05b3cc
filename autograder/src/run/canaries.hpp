// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "protocol/protocol_canaries.hpp"

namespace course {

/// Puts other values of the same array in up to 16 secret places of each array of numbers that has 32 elements or more,
/// and says what stood there. What is drawn can't be computed from what an earlier call has shown.
/// @param input the input memory, in which the arguments lie
std::vector<protocol::CanaryRecord> place_decoys(std::span<std::byte> input,
                                                 std::span<const protocol::ValueRecord> arguments);

}  // namespace course
