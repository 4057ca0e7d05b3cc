// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "classroom/similar/compare.hpp"
#include "classroom/submissions/take_in.hpp"
#include "kit/kit.hpp"

namespace course {

/// A class's answers on disk.
struct AnswerFolder {
    std::filesystem::path results;  ///< has submissions/<id>/<NN-topic>/
    ClassIntake intake;
    std::string label;  ///< "2025", for another class's answers; empty: this class's
};

/// A label for each folder: its own name, preceded by as much of the path as distinguishes it from others with that
/// name ("2024/results"). Pure, except for the working directory.
std::vector<std::string> folder_labels(const std::vector<std::filesystem::path>& folders);

/// The submissions in a folder that `course grade` wrote, or in any form that it accepts.
/// @param scratch where it is unpacked in that case  @throws UsageError, FileError
AnswerFolder open_answers(const Kit& kit, const std::filesystem::path& folder, const std::filesystem::path& scratch,
                          const std::string& label);

/// Each student's latest answer to the exercise in this folder ("08-raw-add"). What can't be read becomes a line in
/// `problems`.
std::vector<ComparedAnswer> read_answers(const AnswerFolder& from, const std::string& exercise,
                                         std::vector<std::string>& problems);

/// The runs in the files that the exercise provides: its stubs and its headers. @throws FileError
std::unordered_set<std::uint64_t> runs_given(const std::filesystem::path& exercise);

/// All runs in these answers.
std::unordered_set<std::uint64_t> runs_of(const std::vector<ComparedAnswer>& answers);

}  // namespace course
