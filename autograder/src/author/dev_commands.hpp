// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "kit/kit.hpp"

namespace course {

// The commands of `course dev`, for authors. They print and return like those of commands/commands.hpp.

/// What `course dev lessons` checks.
struct DevLessonsOptions {
    std::vector<int> numbers;    ///< empty: all, and what connects them
    bool write = false;          ///< regenerate the generated parts and the stored outputs
    std::string programs;        ///< the folder of the built programs; empty: the kit's own
};

/// The options of `course dev edition`.
struct EditionOptions {
    std::string out;         ///< the folder; OUT.tar.gz is next to it; empty: build/dist/gpu-course-student-VERSION
    std::string solutions;   ///< where students find them; empty: what student_edition.toml says
};

/// Every n-th of a list: the second number is n, the first where to begin, from 1.
using Part = std::pair<std::size_t, std::size_t>;
/// @param text  "K/M". @throws UsageError for anything else.
Part read_part(const std::string& text);

/// The options of `course dev check`.
struct DevCheckOptions {
    bool json = false;       ///< print a line of JSON for each exercise instead of the table
    bool replays = false;    ///< judge all answers as in class grading
    std::string part;        ///< "K/M": the K-th of M parts of each exercise's planted answers; empty: all
};

/// What `course dev plant` does with a planted answer. Without `out` and `from`, it shows it.
struct DevPlantOptions {
    int number = 0;         ///< of the exercise
    std::string name;       ///< "no-guard", "wrong/no-guard"
    std::string out;        ///< the folder to create with its files
    std::string from;       ///< the folder whose files become its patch
};

/// How `course dev mutate` judges, and which mutants.
struct DevMutateOptions {
    std::vector<int> numbers;      ///< of exercises; empty: all
    int jobs = 0;                  ///< mutants judged at the same time; 0: as many as there are cores
    std::string part;              ///< "K/M": the K-th of M parts; empty: all
    int sample = 0;                ///< the number of mutants to draw; 0: all
    std::string seed = "1";        ///< for drawing
    std::string device;            ///< "host", "cuda:0"; empty: libgpu's own choice
    std::string results;           ///< the folder with the results so far; empty: build/mutants below the root
    std::string report;            ///< the Markdown file to write; empty: none
    bool again = false;            ///< also judge those that have a result
    bool list = false;             ///< print the mutants and judge none
    std::vector<std::string> only; ///< for its own processes: judge the mutants with these keys, one line of JSON each
};

/// @param numbers of exercises; none: all
int dev_check_command(const Kit& kit, const std::vector<int>& numbers, const DevCheckOptions& options);
/// Builds what the first verdict on each exercise would wait for. @param numbers of exercises; none: all
int dev_checks_command(const Kit& kit, const std::vector<int>& numbers);
/// Judges right answers with one mistake each. 1: one passed that isn't listed as equivalent, or the list is wrong; 4:
/// some couldn't be judged.
int dev_mutate_command(const Kit& kit, const DevMutateOptions& options);
int dev_lessons_command(const Kit& kit, const DevLessonsOptions& options);
int dev_edition_command(const Kit& kit, const EditionOptions& options);
int dev_plant_command(const Kit& kit, const DevPlantOptions& options);
int dev_new_command(const Kit& kit, const std::string& folder_name);

}  // namespace course
