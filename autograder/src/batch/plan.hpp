// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "batch/grade_key.hpp"
#include "batch/results/executor.hpp"
#include "batch/shard.hpp"
#include "submissions/intake.hpp"
#include "support/text.hpp"

namespace course {

/// An exercise of this course, as far as a plan needs it.
struct GradedExercise {
    int number = 0;
    std::string folder;
    std::string digest;         ///< of its own files
    std::string hidden_digest;  ///< of its hidden cases; empty: there are none
};

/// What of the submissions is to be graded.
struct Selection {
    std::vector<int> exercises;         ///< empty: all
    std::vector<std::string> students;  ///< ids of students, members of groups, or submissions; empty: all
    bool regrade = false;               ///< also what hasn't changed
    Shard shard = {};                   ///< the answers of this share alone
};

struct PlannedJob {
    GradeJob job;
    std::string why;  ///< "new", "answer changed", ...
};

struct GradePlan {
    std::vector<PlannedJob> jobs;                    ///< a submission's are neighbours
    std::unordered_map<std::string, int> unchanged;  ///< how many of each submission's answers are graded already
    int skipped = 0;                                 ///< all of these together
    std::vector<WarningOn> notes;                    ///< what can't be graded here; whose hidden cases have changed
    std::vector<std::string> unknown_students;       ///< of the selection
};

/// Which answers have to be graded: those whose result has another key, or none. Reads the first line of each result.
GradePlan plan_grading(const ClassIntake& intake, const std::vector<GradedExercise>& exercises,
                       const Selection& selection, const std::filesystem::path& results);

}  // namespace course
