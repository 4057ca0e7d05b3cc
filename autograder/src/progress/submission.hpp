// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kit/kit.hpp"
#include "progress/student.hpp"
#include "support/file_formats.hpp"

namespace course {

/// An exercise in a submission.
struct SubmittedExercise {
    int number = 0;
    std::string name, folder;         ///< "raw_add", "08-raw-add"
    std::vector<ArchivedFile> files;  ///< as they lie in work/, byte for byte
    std::string last_verdict;         ///< of just these files; empty: they were never judged
    std::string earlier_verdict;      ///< of the answer before it was changed
    int points = 0, max_points = 0;   ///< the most that an answer has earned
};

/// What a student hands in.
struct Submission {
    Student student;
    std::string kit_version, commit;  ///< the commit is empty if it isn't known
    std::vector<SubmittedExercise> exercises;
    std::vector<std::string> left_out;  ///< begun, but can't be taken: which exercise, and why
    int not_started = 0;                ///< exercises that are there, and have no answer yet
};

/// Gathers the files of `edit` of each exercise that was begun, by the collector's rules. @throws ManifestError for a
/// misnamed folder
Submission gather_submission(const Kit& kit, const Student& student);

/// submission.json: what the archive holds, with a digest of each file. Pure.
std::string submission_json(const Submission& submission);

/// submission.json first, then the files in NN-topic/. Pure. @throws std::runtime_error
std::string submission_archive(const Submission& submission);

}  // namespace course
