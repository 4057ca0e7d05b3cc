// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kit/kit.hpp"

namespace course {

/// For each file in `edit`, the lines of the solution that the stub doesn't have, in order, without comments,
/// indentation and lone braces. @throws FileError
std::vector<SolutionLines> solution_lines(const Kit& kit, const Manifest& manifest);

/// The third hint's lines for each file, in alphabetical order: those lines, equal ones joined, and the manifest's
/// distractors. A student edition's manifest contains them ready-made. @throws FileError
std::vector<SolutionLines> puzzle_lines(const Kit& kit, const Manifest& manifest);

/// The third hint, a Parsons puzzle: those lines shuffled, file by file. The order depends only on the exercise and on
/// `student`, so asking again shows the same puzzle. @throws FileError
std::string puzzle_text(const Kit& kit, const Manifest& manifest, std::string_view student);

/// Faults in the hints of an exercise, one sentence each; none if the puzzle has lines of the solution, its wrong lines
/// aren't the solution's, and no earlier hint gives a line away.
std::vector<std::string> faults_of_hints(const Kit& kit, const Manifest& manifest);

}  // namespace course
