// SPDX-License-Identifier: MIT
#include "loop/next_exercise.hpp"

namespace course {

std::optional<ExerciseFolder> next_exercise(const Kit& kit, const Progress::Records& records, int number) {
    std::optional<ExerciseFolder> before;
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        const auto record = records.find(folder.name);
        if (folder.number == number || (record != records.end() && record->second.passed)) continue;
        if (folder.number > number) return folder;
        if (!before) before = folder;
    }
    return before;
}

}  // namespace course
