// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course {

/// RESULTS/grade.json: a batch's settings and its outcome.
struct GradeRecord {
    std::string kit_version, machine, device, submissions, hidden, started, finished;  ///< `finished` empty: it wasn't
    std::vector<std::string> sandbox, students;
    std::vector<int> exercises;
    std::string shard;  ///< "2/8"; empty: the whole class
    bool allow_unsandboxed = false, regrade = false;
    int planned = 0, skipped = 0, graded = 0, faults = 0;
};

/// The folder of hidden cases that the last batch of these results used; empty: none, or there was no batch.
/// @throws UsageError if grade.json can't be read, so that it is unknown
std::string hidden_cases_of_record(const std::filesystem::path& results);

/// @param unfinished the folder of half-written results  @throws FileError
void write_record(const GradeRecord& record, const std::filesystem::path& results,
                  const std::filesystem::path& unfinished);

/// What a result depends on, as digests: equal keys mean equal work.
struct GradeKey {
    std::string answer, exercise, hidden, grader;  ///< `hidden` is "none" without hidden cases
    [[nodiscard]] std::string text() const;
};

/// Digest of the exercise's own files: manifest, check, bindings, headers and stubs, but not its page or planted
/// answers. @throws FileError
std::string exercise_digest(const std::filesystem::path& exercise);

/// The part of a key's text that identifies the hidden cases; "none" without any. Pure.
std::string hidden_of_key(const std::string& key);

/// Digest of the kit's version and the result's format.
std::string grader_digest();

/// Why the answer must be graded (again), in two words: "new", "answer changed", "exercise changed", "hidden cases
/// changed", "grader changed"; empty: the keys are equal. Pure.
std::string why_graded(const std::string& old_key, const GradeKey& key);

}  // namespace course
