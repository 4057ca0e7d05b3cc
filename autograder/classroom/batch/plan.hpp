// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classroom/batch/grade.hpp"
#include "classroom/batch/grade_record.hpp"
#include "classroom/batch/results/results_folder.hpp"
#include "classroom/submissions/take_in.hpp"
#include "kit/kit.hpp"
#include "support/text.hpp"

namespace course {

/// A share of a class: number `number` of `of`. An answer's share depends only on its own name, so it is the same on
/// every machine, in every order, and whoever else hands in something.
struct Shard {
    int number = 1, of = 1;

    /// @param submission "ada-1"  @param folder "08-raw-add"
    [[nodiscard]] bool has(const std::string& submission, const std::string& folder) const;
    /// "2-of-8"
    [[nodiscard]] std::string name() const;
};

/// "2/8", as --shard takes it. Pure. @throws UsageError with the rule
Shard parse_shard(std::string_view text);

/// What a plan needs to know of an exercise.
struct GradedExercise {
    int number = 0;
    std::string folder;
    std::string digest;         ///< of the exercise's own files
    std::string hidden_digest;  ///< of its hidden cases; empty: none
};

/// Which submissions and exercises to grade.
struct Selection {
    std::vector<int> exercises;         ///< empty: all
    std::vector<std::string> students;  ///< ids of students, members of groups, or submissions; empty: all
    bool regrade = false;               ///< also what hasn't changed
    Shard shard = {};                   ///< only the answers of this share
};

struct PlannedJob {
    GradeJob job;
    std::string why;  ///< "new", "answer changed", ...
};

struct GradePlan {
    std::vector<PlannedJob> jobs;                    ///< grouped by submission
    std::unordered_map<std::string, int> unchanged;  ///< how many of each submission's answers are already graded
    int skipped = 0;                                 ///< their total
    std::vector<WarningOn> notes;                    ///< what can't be graded here; whose hidden cases have changed
};

/// The answers to grade: those whose result has another key, or is missing. Reads the first line of each result.
GradePlan plan_grading(const ClassIntake& intake, const std::vector<GradedExercise>& exercises,
                       const Selection& selection, const std::filesystem::path& results);

/// The folders for extracting what was handed in.
struct IntakeFolders {
    std::filesystem::path results;          ///< contains the latest roster
    std::filesystem::path into;             ///< receives intake.json and submissions
    std::filesystem::path unfinished = {};  ///< for half-written results; a dry run needs none
};

/// Takes in what was handed in; a dry run writes nothing. What the last batch of these results took in stays if this is
/// another class, if its times would be read in another time zone unasked, or if nobody there is selected.
/// @param students who is selected, as it was typed; their ids afterwards
/// @throws UsageError, FileError
ClassIntake class_intake(const Kit& kit, const GradeOptions& options, const IntakeFolders& folders,
                         std::vector<std::string>& students);

}  // namespace course
