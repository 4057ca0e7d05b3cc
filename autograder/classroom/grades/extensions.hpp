// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/grades/policy.hpp"
#include "classroom/submissions/take_in.hpp"

namespace course {

/// Reads a CSV file of extensions: id (or email), deadline, last_acceptance, exercises, exempt; a row without any of
/// the last four is ignored. @throws ManifestError with file, line, the value and what was expected.
std::vector<Extension> read_extensions(const std::filesystem::path& path, const std::optional<TimeZone>& zone);

/// Checks that all exercises named by extensions count. @throws ManifestError
void check_exercises(const ClassPolicy& policy);

/// Finds each extension's student in the class, adds those granted in the LMS unless class.toml has one for the same
/// student, and fills `warnings` with those that change nothing. Without a roster, an unknown student may just not have
/// handed in anything, which is only a warning. @throws ManifestError for an unknown student, and for two deadlines for
/// the same.
void bind_extensions(ClassPolicy& policy, const ClassIntake& intake);

/// The id of the student with this id or email address; "" if there is none. Pure.
std::string student_id(const ClassIntake& intake, std::string_view text);

/// "; did you mean "ada"?", or "" if no student's id, email address or name is similar. Pure.
std::string near_student(const ClassIntake& intake, std::string_view text);

}  // namespace course
