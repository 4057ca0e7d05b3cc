// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "batch/grade.hpp"
#include "kit/kit.hpp"
#include "submissions/intake.hpp"

namespace course {

/// Takes in what was handed in; a dry run writes nothing. @param into RESULTS
/// @throws UsageError, FileError
ClassIntake class_intake(const Kit& kit, const GradeOptions& options, const std::filesystem::path& into);

}  // namespace course
