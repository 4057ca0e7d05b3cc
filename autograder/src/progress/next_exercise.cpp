// SPDX-License-Identifier: MIT
#include "progress/next_exercise.hpp"

namespace course {

namespace {

// One whose manifest can't be used is named where it is asked for.
bool is_bonus(const ExerciseFolder& folder) {
    try {
        return read_manifest(folder.path).bonus;
    } catch (const ManifestError&) {
        return false;
    }
}

}  // namespace

std::optional<NextExercise> next_exercise(const Kit& kit, const Progress::Records& records, int number) {
    std::optional<NextExercise> before, bonus;
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        const auto record = records.find(folder.name);
        if (folder.number == number || (record != records.end() && record->second.passed)) continue;
        if (is_bonus(folder)) {
            if (!bonus || (bonus->number < number && folder.number > number)) bonus = NextExercise{folder, true};
            continue;
        }
        if (folder.number > number) return NextExercise{folder, false};
        if (!before) before = NextExercise{folder, false};
    }
    return before ? before : bonus;
}

}  // namespace course
