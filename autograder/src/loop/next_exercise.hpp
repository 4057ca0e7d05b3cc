// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "loop/kit.hpp"
#include "loop/progress.hpp"

namespace course {

/// The next exercise after `number` that isn't passed; behind the last one, the first of those before. Nothing: all
/// others are passed. @throws ManifestError
std::optional<ExerciseFolder> next_exercise(const Kit& kit, const Progress::Records& records, int number);

}  // namespace course
