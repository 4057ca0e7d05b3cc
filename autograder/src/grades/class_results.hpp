// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grades/marks.hpp"
#include "grades/stored_result.hpp"
#include "submissions/intake.hpp"

namespace course {

/// An instructor's decision on a verdict `review`. It holds for the result with this key alone: a changed answer has
/// another, and needs a new decision.
struct Confirmation {
    std::string student, submission, key, because, when;
    int exercise = 0;
    bool accepted = true;  ///< false: rejected, no points
};

/// What lies in RESULTS.
struct ClassResults {
    ClassIntake intake;
    std::map<std::pair<std::string, int>, StoredResult> results;  ///< of a submission's id and an exercise's number
    std::set<std::pair<std::string, int>> unreadable;             ///< whose result's file is there and can't be used
    std::set<int> tried;  ///< the exercises of which any answer has a result's file, one that can't be read included
    std::vector<Confirmation> confirmed;
    std::vector<Mark> marks;
    std::vector<std::pair<std::string, std::string>> ran_with;  ///< of grade.json: "kit_version", "0.1.0"
    std::vector<std::string> problems;  ///< files that are missing or can't be read, a line each
};

/// Who handed in what. @throws UsageError if there is no intake.json that can be read: then RESULTS is something else.
ClassIntake read_class_intake(const std::filesystem::path& folder);

/// Reads all of it, on all processors. A file that can't be used is a line in `problems`, and not the end.
/// @throws UsageError if there is no intake.json that can be read: then RESULTS is something else;
/// what read_marks does.
ClassResults read_class_results(const std::filesystem::path& folder);

/// The decision on this result; nullptr if there is none.
const Confirmation* decision_on(const ClassResults& class_results, const StoredResult& result);

/// Adds a decision to RESULTS/confirmed.json, in place of an earlier one on the same result, so that a reader sees the
/// old file or the new one. @throws FileError; std::runtime_error if the file there can't be read.
void add_confirmation(const std::filesystem::path& folder, const Confirmation& decision);

}  // namespace course
