// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "submissions/formats/submitted_list.hpp"
#include "submissions/layout.hpp"
#include "support/text.hpp"

namespace course {

/// Whose a submission is.
struct Owner {
    std::string student;                                ///< the roster's ID, or the best that the export has
    std::vector<std::string> members;                   ///< of the group, the student first
    std::optional<std::chrono::sys_seconds> submitted;  ///< by the roster
    std::vector<std::string> problems;                  ///< for the submission
    std::optional<WarningOn> not_rostered;  ///< why it is nobody of the roster; none if it is, or there is none
};

/// Finds the owner by what the export says, and what submission.json says; the export counts. Pure.
Owner find_owner(const LayoutUnit& unit, const std::optional<SubmittedList>& list, Lms lms, const Roster& roster);

/// Numbers each student's attempts by time, else by name, and gives each submission its ID. Pure.
void number_attempts(std::vector<ClassSubmission>& submissions);

}  // namespace course
