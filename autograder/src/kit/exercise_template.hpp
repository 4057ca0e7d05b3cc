// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "kit/kit.hpp"

namespace course {

/// Makes a small exercise that works, and its solution's folder, from autograder/template. @throws FileError
void make_from_template(const Kit& kit, const ExerciseFolder& exercise, const std::filesystem::path& solution);

}  // namespace course
