// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kit/kit.hpp"
#include "kit/puzzle.hpp"

namespace course {

/// A file of the student edition that may contain lines of a solution, to teach them.
struct ShownOnPurpose {
    std::string file, solution;   ///< "lessons/08-reductions/rows.cu", "12-reduce"
    int lines = 0;                ///< the maximum in a row
};

/// The contents of student_edition.toml.
struct EditionPlan {
    std::vector<std::string> leave_out;   ///< patterns of files: "exercises/*/wrong/"
    std::string solutions;                ///< where students find them, as a sentence
    std::vector<ShownOnPurpose> shows;
};

/// @param files of the edition's kit, relative to its root. @throws ManifestError, also for a pattern that matches
/// none.
EditionPlan read_edition_plan(const std::filesystem::path& root, const std::vector<std::string>& files);

/// True if the pattern names the file or a folder that contains it. Pure.
bool fits(std::string_view pattern, std::string_view file);

/// An exercise.toml with the third hint's lines in place of its distractors. Pure.
std::string student_manifest(std::string_view text, const std::vector<SolutionLines>& third_hint);

/// The text in double quotes as TOML reads it, on one line.
std::string quoted_toml(std::string_view text);

/// The text in place of a solution: "this edition has no solutions. Ask your instructor for them." The second sentence
/// comes from edition.toml and is the instructor's.
std::string no_solutions_text(const Kit& kit);

}  // namespace course
