// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/grades/policy.hpp"
#include "classroom/submissions/roster.hpp"

namespace course {

/// Reads a CSV file of extensions: id (or email), deadline, last_acceptance, exercises, exempt; a row without any of
/// the last four is ignored. @throws ManifestError with file, line, the value and what was expected.
std::vector<Extension> read_extensions(const std::filesystem::path& path, const std::optional<TimeZone>& zone);

/// Checks that all exercises named by extensions count. @throws ManifestError
void check_exercises(const ClassPolicy& policy);

/// Finds each extension's student in the class, adds those that the LMS granted, unless class.toml has one for the same
/// student, and fills `warnings` with those that change nothing. Without a roster a student whom nobody knows may have
/// handed in nothing, which is a warning. @throws ManifestError for an unknown student, and for two deadlines of the
/// same.
void bind_extensions(ClassPolicy& policy, const ClassIntake& intake, const Roster& roster);

}  // namespace course
