// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "kit/kit.hpp"
#include "submissions/intake.hpp"

namespace course {

/// Takes in what was handed in: writes each submission's files to RESULTS/submissions/ID/NN-topic/.
/// @param roster a CSV file; empty: none
/// @throws UsageError, FileError
ClassIntake class_intake(const Kit& kit, const std::filesystem::path& submissions,
                         const std::filesystem::path& results, const std::string& roster);

}  // namespace course
