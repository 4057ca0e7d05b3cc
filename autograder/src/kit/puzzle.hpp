// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kit/kit.hpp"

namespace course {

/// For each file in `edit`, the lines of the solution that the stub hasn't, in order: comments, margins and lone braces
/// left out. @throws FileError
std::vector<SolutionLines> solution_lines(const Kit& kit, const Manifest& manifest);

/// What the third hint shows of each file, in alphabetical order: those lines, equal ones together, and the manifest's
/// distractors. In a student's edition they come prepared, in the manifest. @throws FileError
std::vector<SolutionLines> puzzle_lines(const Kit& kit, const Manifest& manifest);

/// The third hint, a Parsons puzzle: those lines shuffled, file by file. The order depends on the exercise and on
/// `student` only, so that asking again shows the same puzzle. @throws FileError
std::string puzzle_text(const Kit& kit, const Manifest& manifest, std::string_view student);

/// What is wrong with the hints of an exercise, a sentence each; none if they are as they must be: the puzzle has lines
/// of the solution, its wrong lines aren't the solution's, and no hint before it gives a line away.
std::vector<std::string> faults_of_hints(const Kit& kit, const Manifest& manifest);

}  // namespace course
