// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "author/dev_commands.hpp"
#include "collect/collect.hpp"
#include "kit/exercise_template.hpp"
#include "report/output.hpp"

namespace fs = std::filesystem;

namespace course {

int dev_new_command(const Kit& kit, const std::string& folder_name) {
    const ExerciseFolder exercise = name_exercise(kit.root / "exercises" / folder_name);
    for (const ExerciseFolder& other : exercise_folders(kit.root))
        if (other.number == exercise.number || other.name == exercise.name)
            throw UsageError(fmt::format("{} already exists; number and name belong to one exercise only",
                                         shown_path(other.path, kit.root)));
    const fs::path solution = kit.solution(exercise.path);
    if (fs::exists(solution)) throw UsageError(fmt::format("{} is there already", shown_path(solution, kit.root)));
    make_from_template(kit, exercise, solution);
    print(fmt::format(
        "Made {} and {}.\nThey are a whole exercise already: {} dev check {}\n"
        "Then make it yours, from exercise.toml on; docs/exercise-format.md describes each file.\n",
        shown_path(exercise.path, kit.root), shown_path(solution, kit.root), kit.command(), exercise.number));
    return 0;
}

}  // namespace course
