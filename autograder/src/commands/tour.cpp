// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "answer/judge_answer.hpp"
#include "collect/collect.hpp"
#include "commands/commands.hpp"
#include "kit/exercise_template.hpp"
#include "report/output.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// The exercise that is shown: raw_add if this edition has it.
ExerciseFolder tour_exercise(const Kit& kit) {
    const std::vector<ExerciseFolder> folders = exercise_folders(kit.root);
    if (folders.empty()) throw UsageError("this edition has no exercises");
    const auto is_raw_add = [](const ExerciseFolder& folder) { return folder.name == "raw_add"; };
    const auto found = std::find_if(folders.begin(), folders.end(), is_raw_add);
    return found == folders.end() ? folders.front() : *found;
}

/// The kit itself; in an edition without solutions one with an exercise of its own, that of the template.
Kit kit_of_tour(const Kit& kit) {
    if (kit.has_solutions()) return kit;
    Kit own = kit;
    own.root = kit.toolchain.build_dir / "tour";
    const ExerciseFolder exercise = name_exercise(own.root / "exercises" / "99-twice");
    make_from_template(kit, exercise, own.solution(exercise.path));
    return own;
}

/// Judges one answer and prints its screen below a line that says what it is; files are named as seen from the folder
/// `shown_from`. True if the verdict is the one expected.
bool show(const Kit& kit, const std::filesystem::path& shown_from, const Manifest& manifest,
          const std::filesystem::path& folder, const std::string& what, std::string_view expected) {
    print(fmt::format("\n--- {}\n\n", what));
    JudgedAnswer judged = judge_answer(kit, {.manifest = manifest, .folder = folder, .options = {}});
    judged.screen.own_answer = false;
    judged.screen.readme = shown_path(kit.root / judged.screen.readme, shown_from);
    for (std::string& file : judged.screen.files) file = shown_path(kit.root / file, shown_from);
    judged.screen.style = Style::of_descriptor(STDOUT_FILENO);
    judged.screen.columns = text_columns(judged.screen.columns);
    print(verdict_screen(judged.result, judged.screen));
    const std::string_view verdict = to_string(judged.result.verdict);
    const bool passed = expected == "passed" && exit_code(judged.result.verdict) == 0;
    if (verdict == expected || passed) return true;
    print(fmt::format("\nThis should have been \"{}\". make doctor may say why it isn't.\n", expected));
    return false;
}

}  // namespace

int tour_command(const Kit& whole) {
    const Kit kit = kit_of_tour(whole);
    const Manifest manifest = kit.manifest(tour_exercise(kit).number);
    const PlantedAnswer& wrong = manifest.wrong.front();
    print(fmt::format("Exercise {}, {}, judged three ways.\n", manifest.number, manifest.title));
    if (kit.root != whole.root) print("It isn't one of the course's: this edition has no solutions to those.\n");
    const auto judged_as = [&](const std::filesystem::path& folder, const std::string& what, std::string_view verdict) {
        return show(kit, whole.root, manifest, folder, what, verdict);
    };
    bool right = judged_as(manifest.folder, "1. Blank: the files as you get them.", "not started");
    right = judged_as(manifest.folder / "wrong" / wrong.name,
                      fmt::format("2. Wrong: a planted mistake, {}.", wrong.name), wrong.verdict) && right;
    right = judged_as(kit.solution(manifest.folder), "3. Solved: the solution.", "passed") && right;
    if (!right) return 1;
    print(
        "\nAll three came out as expected: this machine is ready for the course.\n"
        "Next: make (where am I, and what comes next), or read README.md.\n");
    return 0;
}

}  // namespace course
