// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace course {

/// One attempt at one exercise, of which the LMS says when it was handed in.
struct TimedAttempt {
    std::chrono::sys_seconds time;
    std::string when;  ///< in the class's time zone
    int exercise = 0, attempt = 0;
    std::string points;  ///< "3 of 4"; "not graded"
    bool counts = false;
};

/// A deadline, as far as it is known.
struct TimedDeadline {
    std::chrono::sys_seconds time;
    std::string when;
};

/// A student's attempts over time: a drawing that needs no script, and its table. Empty if all came at one time. Pure.
std::string attempts_line(std::vector<TimedAttempt> attempts, const std::optional<TimedDeadline>& deadline);

}  // namespace course
