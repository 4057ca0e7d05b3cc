// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "grades/class_commands.hpp"

namespace course {

/// What `course export` writes.
struct ExportOptions {
    ResultsOptions read;
    std::string format;      ///< one of export_formats()
    std::string worksheet;   ///< Moodle's file, for moodle-worksheet
    std::string total;       ///< for canvas: the column of the sum; empty: a column for each exercise
    std::string submission;  ///< for the formats of one; empty: the only one
    std::string out;         ///< empty: standard output
    int exercise = 0;        ///< 0: all that count
};

const std::vector<std::string>& export_formats();

/// Returns 0, or 1 if a result's file could not be read: it is missing in what was written.
int export_command(const Kit& kit, const ExportOptions& options);

}  // namespace course
