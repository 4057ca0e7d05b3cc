// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "report/work_log_text.hpp"

namespace course {

/// What the page needs besides the log.
struct LogPage {
    std::string title;       ///< of the capstone
    LogUnit unit;
    /// The bytes of a picture that an entry names; empty if it isn't there.
    std::function<std::string(const std::string& name)> picture = {};
};

/// The log as one HTML page that needs no other file: a chart of the times on the device of the last entry, a table of
/// the counts, the pictures. Pure but for the pictures.
std::string log_page(const WorkLog& log, const LogPage& page);

}  // namespace course
