// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kit/kit.hpp"
#include "progress/progress.hpp"

namespace course {

struct NextExercise : ExerciseFolder {
    bool bonus = false;
};

/// The next exercise after `number` that isn't passed; behind the last one, the first of those before; bonus exercises
/// when all that aren't one are passed. Nothing: all others are passed. @throws ManifestError
std::optional<NextExercise> next_exercise(const Kit& kit, const Progress::Records& records, int number);

}  // namespace course
