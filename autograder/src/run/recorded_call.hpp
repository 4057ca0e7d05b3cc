// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "run/caller.hpp"

namespace course {

/// A call to the student's function as a file's bytes: a protocol::Request with Order::check, then the input memory.
/// `course-runner --replay` makes the call again, without a grader. @throws std::length_error if the call is too large.
std::string recorded_call(const std::string& function, std::span<const Value> arguments, double seconds_per_block);

}  // namespace course
