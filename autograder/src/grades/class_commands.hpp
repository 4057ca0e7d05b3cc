// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "grades/class_grades.hpp"
#include "kit/kit.hpp"

namespace course {

/// RESULTS, and the policy that makes points of it.
struct ResultsOptions {
    std::string results;  ///< the folder
    std::string policy;   ///< class.toml; empty: RESULTS/class.toml, or nothing but defaults if that is missing
};

/// What `course confirm` decides. Without a student it lists what waits.
struct ConfirmOptions {
    ResultsOptions read;
    std::string student, because;
    int exercise = 0, attempt = 0;  ///< attempt 0: the only one that waits
    bool reject = false;
};

int confirm_command(const Kit& kit, const ConfirmOptions& options);

/// The policy in force. @throws ManifestError
ClassPolicy policy_of(const ResultsOptions& options);

}  // namespace course
