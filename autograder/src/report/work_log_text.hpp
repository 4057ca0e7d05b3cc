// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/work_log.hpp"

namespace course {

/// What the log counts by.
struct LogUnit {
    std::string element;     ///< "pixel"
    double least_bytes = 0;  ///< that any version moves, for each
};

/// A step as it is printed when it is logged, beside the given version and the step before it on that device.
std::string step_text(const LogEntry& entry, const LogEntry& given, const LogEntry& before, const LogUnit& unit);

/// The whole log, a line for each step: all devices, one after the other.
std::string log_table(const WorkLog& log, const LogUnit& unit);

/// "3.4x", "12x", "310x".
std::string factor_text(double factor);

/// "0.2%", "67%".
std::string share_text(double share);

/// "0.27", "7.94", "1311": three digits, and no exponent.
std::string count_text(double count);

/// "0.5 us", "12 us", "3.4 ms".
std::string time_text(double seconds);

/// "measured on NVIDIA H200", "on this machine's CPU, ...".
std::string where_measured(const LogEntry& entry);

}  // namespace course
