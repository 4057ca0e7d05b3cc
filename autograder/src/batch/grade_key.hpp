// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace course {

/// What a result depends on, each part a digest: equal keys, equal work.
struct GradeKey {
    std::string answer, exercise, hidden, grader;  ///< `hidden` is "none" without hidden cases
    [[nodiscard]] std::string text() const;
};

/// Of the exercise's own files: manifest, check, bindings, headers and stubs, not its page or planted answers.
/// @throws FileError
std::string exercise_digest(const std::filesystem::path& exercise);

/// The part of a key's text that says which hidden cases counted; "none" without any. Pure.
std::string hidden_of_key(const std::string& key);

/// Of the kit's version and the result's format.
std::string grader_digest();

/// Why the answer has to be graded (again), in two words: "new", "answer changed", "exercise changed", "hidden cases
/// changed", "grader changed"; empty: the keys are equal. Pure.
std::string why_graded(const std::string& old_key, const GradeKey& key);

}  // namespace course
