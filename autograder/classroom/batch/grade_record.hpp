// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course {

/// RESULTS/grade.json: what a batch ran with, and what came of it.
struct GradeRecord {
    std::string kit_version, machine, device, submissions, hidden, started, finished;  ///< `finished` empty: it wasn't
    std::vector<std::string> sandbox, students;
    std::vector<int> exercises;
    std::string shard;  ///< "2/8"; empty: the whole class
    bool allow_unsandboxed = false, regrade = false;
    int planned = 0, skipped = 0, graded = 0, faults = 0;
};

/// The folder of hidden cases that the last batch of these results ran with; empty: there was none, or no batch.
/// @throws UsageError if grade.json can't be read, so that nobody knows
std::string hidden_cases_of_record(const std::filesystem::path& results);

/// @param unfinished where half-written results lie  @throws FileError
void write_record(const GradeRecord& record, const std::filesystem::path& results,
                  const std::filesystem::path& unfinished);

/// What a result depends on, each part a digest: equal keys, equal work.
struct GradeKey {
    std::string answer, exercise, hidden, grader;  ///< `hidden` is "none" without hidden cases
    [[nodiscard]] std::string text() const;
};

/// Digest of the exercise's own files: manifest, check, bindings, headers and stubs, not its page or planted answers.
/// @throws FileError
std::string exercise_digest(const std::filesystem::path& exercise);

/// The part of a key's text that says which hidden cases counted; "none" without any. Pure.
std::string hidden_of_key(const std::string& key);

/// Digest of the kit's version and the result's format.
std::string grader_digest();

/// Why the answer has to be graded (again), in two words: "new", "answer changed", "exercise changed", "hidden cases
/// changed", "grader changed"; empty: the keys are equal. Pure.
std::string why_graded(const std::string& old_key, const GradeKey& key);

}  // namespace course
