// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "classroom/similar/compare.hpp"

namespace test {

/// The files of an answer: names and texts.
using Files = std::vector<std::pair<std::string, std::string>>;

/// A right answer of the kit's own.
struct KitAnswer {
    std::string name;  ///< "solution", or a folder of right/
    Files files;
};

/// The exercises that have a solution: "08-raw-add"; none in a student's edition.
std::vector<std::string> exercises_with_solutions();
/// The solution, and the answers in right/, which take from the solution what they leave out.
std::vector<KitAnswer> answers_of(const std::string& exercise);

course::ComparedAnswer compared(const std::string& student, const Files& files);

/// How many lines of the students' parts two answers have in common word for word, names included: 0 to 1.
double literal_share(const Files& a, const Files& b);

// Copies as students make them.
std::string renamed(const std::string& text);      ///< all names that a student may choose
std::string reformatted(const std::string& text);  ///< other lines, no comments
std::string reordered(const std::string& text);    ///< the functions from the last to the first
Files each(const Files& files, std::string (*change)(const std::string&));

}  // namespace test
