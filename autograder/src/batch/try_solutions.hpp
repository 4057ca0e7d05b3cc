// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <span>

#include "batch/results_folder.hpp"
#include "batch/workers/local_executor.hpp"
#include "kit/kit.hpp"

namespace course {

/// Judges the course's own solutions before a class's answers, where this edition has them.
///
/// Hidden cases that a solution doesn't pass would cost students points for nothing: each exercise's are tried with it,
/// once. And of an exercise with some answers, the workers keep what the solution's kernels compile to: an answer with
/// the same kernel, as those of array expressions often are, needs no compiler for it.
/// @param checks the plug-ins of hidden cases, by the exercises' numbers; empty paths for those without
/// @throws UsageError that names the task, BatchStopped, FileError
void try_solutions(const Kit& kit, const std::filesystem::path& results, std::span<const GradeJob> answers,
                   const std::map<int, std::filesystem::path>& checks, const LocalOptions& options);

}  // namespace course
