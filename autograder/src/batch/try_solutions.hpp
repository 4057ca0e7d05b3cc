// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <span>

#include "batch/machine_grading.hpp"
#include "kit/kit.hpp"

namespace course {

/// Judges the course's own solutions before a class's answers, where this edition has them.
///
/// Hidden cases that a solution doesn't pass would cost students points for nothing: each exercise's are tried with it,
/// once. And of an exercise with some answers, the workers keep what the solution's kernels compile to: an answer with
/// the same kernel, as those of array expressions often are, needs no compiler for it.
/// @param checks the plug-ins of hidden cases, by the exercises' numbers; empty paths for those without
/// @param places of the class's workers; solutions and what came of them lie in a folder of the scratch folder
/// @throws UsageError that names the task, BatchStopped, FileError
void try_solutions(const Kit& kit, std::span<const GradeJob> answers,
                   const std::map<int, std::filesystem::path>& checks, const MachineGrading& machine,
                   WorkerPlaces places);

}  // namespace course
