// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "grades/class_commands.hpp"

namespace course {

/// Where `course report` writes its pages.
struct ReportOptions {
    ResultsOptions read;
    std::string out;  ///< a folder; empty: RESULTS/report
    bool anonymous = false, reveal = false;  ///< hide names from now on; show them again
};

/// Writes index.html, students/ID.html, feedback/ID.md and, if the policy has one, leaderboard.html.
int report_command(const Kit& kit, const ReportOptions& options);

}  // namespace course
