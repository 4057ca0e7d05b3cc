// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "batch/grade.hpp"
#include "kit/kit.hpp"
#include "submissions/intake.hpp"

namespace course {

/// Where what was handed in is taken in.
struct IntakeFolders {
    std::filesystem::path results;          ///< has the roster that was given last
    std::filesystem::path into;             ///< gets intake.json and submissions
    std::filesystem::path unfinished = {};  ///< of the results; a dry run needs none
};

/// Takes in what was handed in; a dry run writes nothing. @throws UsageError, FileError
ClassIntake class_intake(const Kit& kit, const GradeOptions& options, const IntakeFolders& folders);

}  // namespace course
