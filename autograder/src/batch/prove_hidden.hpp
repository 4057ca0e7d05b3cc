// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>

#include "batch/workers/local_executor.hpp"
#include "kit/kit.hpp"

namespace course {

/// Hidden cases that the course's own solution doesn't pass would cost students points for nothing: each exercise's are
/// tried with it, once. Without solutions in this edition nothing is tried, and that is said.
/// @param checks the plug-ins of hidden cases, by the exercises' numbers
/// @throws UsageError that names the task, BatchStopped, FileError
void prove_hidden_checks(const Kit& kit, const std::filesystem::path& results,
                         const std::map<int, std::filesystem::path>& checks, const LocalOptions& options);

}  // namespace course
