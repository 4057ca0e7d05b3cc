// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kit/kit.hpp"
#include "kit/puzzle.hpp"

namespace course {

/// A file of the student's edition that teaches lines of a solution.
struct ShownOnPurpose {
    std::string file, solution;   ///< "lessons/08-reductions/rows.cu", "12-reduce"
    int lines = 0;                ///< so many in a row at the most
};

/// What student_edition.toml says of the student's edition.
struct EditionPlan {
    std::vector<std::string> leave_out;   ///< patterns of files: "exercises/*/wrong/"
    std::string solutions;                ///< where students find them, a sentence
    std::vector<ShownOnPurpose> shows;
};

/// @param files of the edition's kit, relative to its root. @throws ManifestError, also for a pattern that fits none.
EditionPlan read_edition_plan(const std::filesystem::path& root, const std::vector<std::string>& files);

/// True if the file is the pattern's, or in the pattern's folder. Pure.
bool fits(std::string_view pattern, std::string_view file);

/// An exercise.toml without its distractors, and with the third hint's lines. Pure.
std::string student_manifest(std::string_view text, const std::vector<SolutionLines>& third_hint);

/// The text in double quotes, as TOML reads it; it has one line.
std::string quoted_toml(std::string_view text);

/// Said in place of a solution: "this edition has no solutions. Ask your instructor for them." The second sentence is
/// the instructor's, and stands in edition.toml.
std::string no_solutions_text(const Kit& kit);

}  // namespace course
