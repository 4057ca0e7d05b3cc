// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kit/kit.hpp"

namespace course {

// The commands of `course dev`, for authors. They print and return as those of commands/commands.hpp do.

/// What `course dev lessons` looks at.
struct DevLessonsOptions {
    std::vector<int> numbers;    ///< empty: all, and what holds between them
    bool write = false;          ///< make the generated parts and the kept outputs anew
    std::string programs;        ///< the folder of the built programs; empty: the kit's own
};

/// What `course dev edition` makes.
struct EditionOptions {
    std::string out;         ///< the folder; OUT.tar.gz lies beside it; empty: build/dist/gpu-course-student-VERSION
    std::string solutions;   ///< where students find them; empty: what student_edition.toml says
};

/// How `course dev check` proves.
struct DevCheckOptions {
    bool json = false;       ///< a line of JSON for each exercise, one after the other, in place of the table
    bool replays = false;    ///< all answers are judged as in class grading
};

/// @param numbers of exercises; none: all
int dev_check_command(const Kit& kit, const std::vector<int>& numbers, const DevCheckOptions& options);
/// Builds what the first verdict on each exercise would wait for. @param numbers of exercises; none: all
int dev_checks_command(const Kit& kit, const std::vector<int>& numbers);
int dev_lessons_command(const Kit& kit, const DevLessonsOptions& options);
int dev_edition_command(const Kit& kit, const EditionOptions& options);
int dev_new_command(const Kit& kit, const std::string& folder_name);

}  // namespace course
