// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace course {

/// A warning, and the student, submission or row that it is about.
struct WarningOn {
    std::string who, what;       ///< who empty: it is about all of them
    std::string between = ": ";  ///< " " where `what` goes on from the name, as in "ada handed in nothing"
    friend bool operator==(const WarningOn&, const WarningOn&) = default;
};

/// A line for each warning, in the order in which they first came; equal ones are one line with their number and whom
/// they are about: "handed in nothing (35: ada, bob, ...)". Pure.
std::vector<std::string> warning_lines(const std::vector<WarningOn>& warnings);

}  // namespace course
